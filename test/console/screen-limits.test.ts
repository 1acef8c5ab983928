import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import {
  type Limit,
  limits,
  questionSeconds,
  silentSeconds,
} from '../../src/console/pages/kiosk/screen-limits.ts'

const pages = join(import.meta.dirname, '../../src/console/pages/kiosk')
const most = 120

describe('the screens of the kiosk', () => {
  const source = readFileSync(join(pages, 'screen.ts'), 'utf8')
  const names = [...source.matchAll(/^ {2}\| \{ name: '([\w-]+)'/gm)].map(([, name = '']) => name)

  it('all have a limit, and no limit is without its screen', () => {
    assert.ok(names.length > 10, `the screens are found: ${names}`)
    assert.deepEqual(Object.keys(limits).sort(), names.sort())
  })

  for (const [name, { seconds, ends }] of Object.entries<Limit>(limits))
    it(`end within two minutes without progress: ${name}`, () => {
      assert.ok(seconds > 0)
      assert.ok(seconds + (ends === 'ask' ? questionSeconds : 0) <= most)
    })

  it('ask the box before they end where money or a card may be moving', () => {
    for (const name of ['working', 'paying', 'take-card'] as const) assert.equal(limits[name].ends, 'recover')
  })

  it('are loaded anew when the page does not look at the box any more', () => {
    assert.ok(silentSeconds <= most)
  })

  it('are all drawn', () => {
    const main = readFileSync(join(pages, 'main.ts'), 'utf8')
    for (const name of names) assert.ok(main.includes(`case '${name}':`), name)
  })
})
