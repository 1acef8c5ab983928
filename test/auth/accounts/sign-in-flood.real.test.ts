import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Browser, browserAt, codeOf } from '../sessions/browser.ts'
import { password, type Staffed, staffed } from '../sessions/staffed.ts'

let staff: Staffed
before(async () => {
  staff = await staffed()
})
after(() => staff.house.stop())

const wrongAt = (browser: Browser, name: string) => browser.signIn(name, { password: 'not the right words' })

describe('A flood of sign-ins', () => {
  it('is hashed two at once, and the rest is told to come back', async () => {
    const before = process.memoryUsage.rss()
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss())
    }, 5)
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, number) => wrongAt(browserAt(staff.house), `Stranger ${number}`)),
    )
    clearInterval(watch)
    const codes = Map.groupBy(all, (reply) => codeOf(reply))
    assert.deepEqual([...codes.keys()].sort(), ['busy', 'unauthenticated'])
    assert.ok(codes.get('unauthenticated')!.length >= 18)
    assert.ok(most - before < 200_000_000, `${most - before} bytes more`)
    assert.equal((await browserAt(staff.house).signIn('Ida', { password })).status, 201)
  })
})
