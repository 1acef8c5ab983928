import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createLine } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { messageText } from '../../src/jsonapi/locales/message.ts'
import { readSmall } from '../../src/update/source.ts'
import { UpdateRefused } from '../../src/update/update-refused.ts'
import { testClock } from '../test-clock.ts'

/** The address of a server that closes with the test. */
async function listening(t: TestContext, server: ReturnType<typeof createLine>): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.after(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

async function refusal(source: string): Promise<UpdateRefused> {
  const clock = testClock({ always: false })
  const error = await readSmall(source, 'stable.json', clock).catch((reason: unknown) => reason)
  assert.ok(error instanceof UpdateRefused, String(error))
  return error
}

describe('a source of updates that cannot be read', () => {
  const inGerman = async (source: string) => messageText('de', (await refusal(source)).said)

  it('is named with the reason in the language of the reader', async (t) => {
    const gone = createLine()
    const silent = await listening(t, gone)
    await new Promise((closed) => void gone.close(closed))
    assert.match(await inGerman(silent), /stable\.json antwortet nicht\. Nichts wurde geändert/)

    const cut = await listening(
      t,
      createLine((line) => void line.destroy()),
    )
    assert.match(await inGerman(cut), /^Die Verbindung zu .* ist abgebrochen\. Nichts/)

    const missing = await listening(
      t,
      createServer((_, answer) => void answer.writeHead(404).end()),
    )
    assert.match(await inGerman(missing), /stable\.json gibt es nicht\. Nichts/)
    const folder = mkdtempSync(join(tmpdir(), 'nightporter-source-'))
    t.after(() => rmSync(folder, { recursive: true }))
    assert.match(await inGerman(folder), /stable\.json gibt es nicht\. Nichts/)

    const broken = await listening(
      t,
      createServer((_, answer) => void answer.writeHead(500).end()),
    )
    assert.match(await inGerman(broken), /lässt sich nicht lesen: HTTP 500\./)
  })
})
