import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { faults } from '../../src/devices/fault.ts'
import { readPage } from '../../src/handbook/pages.ts'
import { problems } from '../../src/resource/problem.ts'

describe('the page kiosk-failures', () => {
  it('has a row for each failure of a device, with its word for the guest, its pause and its outcome', async () => {
    const { markdown } = await readPage('kiosk-failures')
    const rows = [...markdown.matchAll(/^\| `([\w-]+)` \| [^|]+ \| `([\w-]+)` \| (\d*) ?\| (\w+) \|$/gm)]
    const shown = rows.map(([, code, guest, seconds, outcome]) => [code, guest, seconds, outcome])
    const outcomes = new Map([
      [true, 'yes'],
      [false, 'no'],
      [null, 'depends'],
    ])
    const wanted = Object.entries(faults).map(([code, { guest, retryAfter, outcomeUnknown }]) => [
      code,
      guest,
      String(retryAfter ?? ''),
      outcomes.get(outcomeUnknown),
    ])
    assert.deepEqual(shown, wanted)
  })

  it('names only codes that there are', async () => {
    const { markdown } = await readPage('kiosk-failures')
    const named = [...markdown.matchAll(/^\| (\d{3}) (.+?) \|/gm)].flatMap(([, status, codes]) =>
      [...codes!.matchAll(/`([\w-]+)`/g)].map(([, code]) => [code!, Number(status)] as const),
    )
    assert.ok(named.length > 10)
    const known = new Map<string, readonly [number, string]>(Object.entries(problems))
    for (const [code, status] of named) assert.equal(known.get(code)?.[0], status, code)
  })
})
