import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { readJson } from '../../src/jsonapi/incoming.ts'
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
    await assert.rejects(readValue(coming([deep(34)])), refusal('malformed-json'))
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
