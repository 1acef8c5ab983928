import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { largeBody } from '../../src/jsonapi/route.ts'
import { bodyBounds } from '../../src/jsonapi/server/body-bounds.ts'
import { readJson } from '../../src/jsonapi/server/incoming.ts'
import { refusal } from '../reservation/refusal.ts'

type Headers = Record<string, string>
const json: Headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }

/** A request as it comes in, piece by piece. */
function coming(pieces: Iterable<string | Buffer>, headers: Headers = json): IncomingMessage {
  const bytes = (function* () {
    for (const piece of pieces) yield Buffer.from(piece)
  })()
  return Object.assign(Readable.from(bytes, { objectMode: false }), { headers }) as unknown as IncomingMessage
}

const readValue = async (message: IncomingMessage, largest?: number) =>
  (await readJson(message, largest))?.value

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

describe('the JSON of a request', () => {
  it('is assembled from its chunks, wherever they are divided', async () => {
    const bytes = Buffer.from('{"name":"Größe"}')
    for (let cut = 0; cut <= bytes.length; cut++) {
      const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)]
      assert.deepEqual(await readValue(coming(pieces)), { name: 'Größe' })
    }
  })

  it('is kept as it was sent', async () => {
    const text = '{ "n": 12345678901234567890, "n": 1.0 }'
    assert.equal((await readJson(coming([text])))?.text, text)
  })

  it('is refused when its bytes are not UTF-8', async () => {
    const latin1 = Buffer.from('{"name":"Größe"}', 'latin1')
    await assert.rejects(readValue(coming([latin1])), refusal('malformed-json'))
  })

  it('is undefined without a body', async () => {
    assert.equal(await readValue(coming([], {})), undefined)
    assert.equal(await readValue(coming([], { 'content-length': '0' })), undefined)
    assert.equal(await readValue(coming([])), undefined)
  })

  it('may nest as deep as any accepted body, and no deeper', async () => {
    assert.ok(Array.isArray(await readValue(coming([deep(32)]))))
    await assert.rejects(readValue(coming([deep(33)])), refusal('malformed-json'))
  })

  it('has as many values as the bound allows, and no more, in whatever form they are sent', async () => {
    const { values, members } = bodyBounds
    const list = (item: string, count: number) => `[${Array(count).fill(item).join(',')}]`
    const named = (count: number) =>
      `{${Array.from({ length: count }, (_, index) => `"a${index}":0`).join(',')}}`
    // A value counts once; an array and an object count once more.
    assert.ok(await readValue(coming([list('0', values - 1)]), largeBody))
    assert.ok(await readValue(coming([list('{}', values / 2 - 1)]), largeBody))
    assert.ok(await readValue(coming([named(members)]), largeBody))
    assert.ok(await readValue(coming([JSON.stringify(',[{'.repeat(values))]), largeBody))
    assert.ok(await readValue(coming([JSON.stringify('\\"'.repeat(values))]), largeBody))
    const refused = [
      list('0', values),
      list('{}', values / 2),
      list('[]', values / 2),
      `{"data":{"attributes":{"stays":${list('{}', 250_000)}}}}`,
      `["\\\\",${list('0', values)}]`,
      named(members + 1),
      `[${named(members)},${named(members + 1)}]`,
    ]
    for (const body of refused)
      await assert.rejects(readValue(coming([body]), largeBody), refusal('body-too-large'))
  })

  it('is not parsed before its bounds are known', async (t) => {
    const parse = t.mock.method(JSON, 'parse')
    await assert.rejects(readValue(coming([deep(100_000)]), largeBody), refusal('malformed-json'))
    await assert.rejects(readValue(coming([`[${'0,'.repeat(100_000)}0]`]), largeBody))
    assert.equal(parse.mock.callCount(), 0)
  })

  it('is refused as soon as it is too large, whatever its Content-Length says', async () => {
    function* endless() {
      for (;;) yield Buffer.alloc(100_000, 0x20)
    }
    await assert.rejects(readValue(coming(endless())), refusal('body-too-large'))
    const said = { ...json, 'content-length': '1048577' }
    await assert.rejects(readValue(coming(endless(), said)), refusal('body-too-large'))
  })

  it('is refused where it is larger than its route allows', async () => {
    assert.equal(await readValue(coming(['"12345678"']), 10), '12345678')
    await assert.rejects(readValue(coming(['"123456789"']), 10), refusal('body-too-large'))
  })

  it('that is incomplete is an error of the client', async () => {
    function* broken() {
      yield '{"name": "Ha'
      throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
    }
    await assert.rejects(readValue(coming(broken())), refusal('malformed-request'))
  })
})
