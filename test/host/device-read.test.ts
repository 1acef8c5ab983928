import assert from 'node:assert/strict'
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { constants } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { readFromDevice } from '../../src/host/files/device-read.ts'
import { folderFor } from '../backup/recovery.ts'

const megabyte = 1_048_576

function fileOf(t: TestContext, bytes: number): { path: string; content: Buffer } {
  const path = join(folderFor(t), 'file')
  const content = Buffer.alloc(bytes, 'what a guest wrote, ')
  writeFileSync(path, content, { flush: true })
  return { path, content }
}

async function read(...how: Parameters<typeof readFromDevice>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(readFromDevice(...how)))
}

/** The flags with which this process has a file open; null while it has not. */
function flagsOf(path: string): number | null {
  for (const name of readdirSync('/proc/self/fd'))
    try {
      if (readlinkSync(`/proc/self/fd/${name}`) === path)
        return Number.parseInt(
          /flags:\s*(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'utf8'))![1]!,
          8,
        )
    } catch {}
  return null
}

/** Why the two tests of Linux are left out; false where its direct reads are there. */
function lacksDirectReads(path: string): string | false {
  try {
    closeSync(openSync(path, constants.O_DIRECT))
    return false
  } catch {
    return 'the file system of temporary files has no direct reads'
  }
}

describe('a file that is read from its device', () => {
  it('is the same, whatever its length, and from any byte on', async (t) => {
    for (const bytes of [0, 1, 4_095, 4_096, 4_097, megabyte, megabyte + 1, 3 * megabyte - 7]) {
      const { path, content } = fileOf(t, bytes)
      for (const from of [0, 1, 4_096, 5_000, megabyte, bytes])
        assert.ok((await read(path, from)).equals(content.subarray(from)), `${bytes} bytes from ${from}`)
    }
  })

  it('is open for direct reads while it is read, and closed when the reader stops', async (t) => {
    const { path } = fileOf(t, 2 * megabyte)
    const why = lacksDirectReads(path)
    if (why) return t.skip(why)
    for await (const _ of readFromDevice(path)) {
      assert.ok(flagsOf(path)! & constants.O_DIRECT)
      break
    }
    assert.equal(flagsOf(path), null)
  })

  it('is read as usual where the file system has no direct reads', {
    skip: process.platform !== 'linux',
  }, async () => {
    assert.equal(String(await read('/proc/version')), readFileSync('/proc/version', 'utf8'))
  })

  it('is refused with the error of the file system, and ended by its signal', async (t) => {
    const { path } = fileOf(t, megabyte)
    await assert.rejects(read(`${path}-that-is-missing`), { code: 'ENOENT' })
    await assert.rejects(read(path, 0, AbortSignal.abort(new Error('canceled'))), /canceled/)
  })
})
