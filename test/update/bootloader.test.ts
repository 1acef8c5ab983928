import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { messageText } from '../../src/jsonapi/locales/message.ts'
import { bootloaderRefusal } from '../../src/update/bootloader.ts'
import fc from '../seed.ts'

describe('the bootloader of a machine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bootloader-'))
  after(() => rmSync(folder, { recursive: true }))
  const builtAt = (date: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(Math.floor(date / 1_000))
    writeFileSync(join(folder, 'build-timestamp'), bytes)
    return bootloaderRefusal(folder)
  }

  it('allows updates where it says nothing of its date', () => {
    assert.equal(bootloaderRefusal(join(folder, 'missing')), null)
    writeFileSync(join(folder, 'build-timestamp'), Buffer.alloc(2))
    assert.equal(bootloaderRefusal(folder), null)
  })

  it('refuses them before 2023, with its date and what to do', () => {
    for (const [date, shown] of [
      [Date.UTC(2021, 3, 29), '2021-04-29'],
      [Date.UTC(2020, 8, 3), '2020-09-03'],
      [Date.UTC(2022, 11, 31, 23, 59, 59), '2022-12-31'],
      [0, '1970-01-01'],
    ] as const) {
      const refusal = builtAt(date)
      assert.deepEqual(refusal, { code: 'update-old-bootloader', values: { date: shown } })
      assert.match(messageText('en', refusal), new RegExp(`${shown}.*Raspberry Pi Imager`))
    }
    for (const date of [Date.UTC(2023, 0, 1), Date.UTC(2024, 5, 5), Date.UTC(2026, 10, 29)])
      assert.equal(builtAt(date), null)
  })

  it('refuses them exactly before 2023', () => {
    const seconds = fc.integer({ min: 0, max: 0xffff_ffff })
    fc.assert(
      fc.property(seconds, (at) => {
        assert.equal(builtAt(at * 1_000) !== null, at < 1_672_531_200)
      }),
      { numRuns: 50 },
    )
  })
})
