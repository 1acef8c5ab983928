import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Route } from '../../src/jsonapi/route.ts'
import { problems } from '../../src/resource/problem.ts'
import { monday, type Reply, startAppliance, type TestAppliance } from '../appliance.ts'
import fc, { seed } from '../seed.ts'
import { settableClock } from '../test-clock.ts'
import { type Fact, factsIn, listsOf, routesOf } from './fuzz/known-ids.ts'
import { requestFor } from './fuzz/requests.ts'

const runsPerRoute = Number(process.env.FUZZ_RUNS ?? 60)
/** Reading and erasing wait a second for a card, and find none. */
const waitingRuns = 6
const waitsForCard = ({ method, path }: Route) => method !== 'POST' && path.endsWith('/key')
/** On a slow machine fewer requests are made, not longer ones. */
const longestMs = 75_000

let house: TestAppliance
let facts: Fact[]
let token: string
before(async () => {
  // A fresh start reads what was there a moment before: no time goes by in between.
  house = await startAppliance({ clock: settableClock(monday) })
  await furnish(house)
  facts = await factsIn(house)
  // Of its own, so that no request revokes it or takes the sample property away from it.
  const made = await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'Fuzz', role: 'admin' } })
  token = made.body.meta.token
})
after(() => house.stop())

/** What the sample property has none of: a system that keeps its reservations, and a payment. */
async function furnish({ ask }: TestAppliance): Promise<void> {
  const pms = { name: 'Own', adapter: 'standalone' }
  const { status } = await ask('POST', '/api/config/v1/pms-configurations', { body: pms })
  const { data } = (await ask('GET', '/api/v2/reservations')).body
  const [{ id, attributes }] = data
  const path = `/api/v2/reservations/${id}/stays/${attributes.stays[0].id}/actions/record-payment`
  const paid = await ask('POST', path, { body: { currency: 'EUR', amount: 100, brand: 'Cash' } })
  assert.deepEqual([status, paid.status], [201, 201])
}

const codes: readonly string[] = Object.keys(problems)

/** Whatever went wrong is a problem with a code; a fault of a device is its own, and never one of ours. */
function expectAnswer({ status, text, body, headers }: Reply, what: string): void {
  if (status < 400) return
  // A browser gets a page of the handbook that does not exist as HTML.
  if (status === 404 && headers.get('content-type')?.startsWith('text/html')) return
  const [error] = body.errors
  const devices = status === 502 && typeof body.meta.outcomeUnknown === 'boolean'
  const declared = status !== 500 && codes.includes(error.code) && error.status === String(status)
  assert.ok(devices || declared, `${what}\n${text}`)
}

describe(`whatever is asked (TEST_SEED=${seed})`, () => {
  it('is answered, and never with a fault of our own', async (t) => {
    const until = performance.now() + longestMs
    const counts: Record<number, number> = {}
    const failures: string[] = []
    for (const route of routesOf(house.appliance)) {
      const run = await fc.check(
        fc.asyncProperty(requestFor(route, facts), async ({ path, headers, body }) => {
          if (performance.now() > until) return
          const reply = await house.ask(route.method, path, {
            headers,
            token,
            ...(body !== undefined && { body }),
          })
          counts[reply.status] = (counts[reply.status] ?? 0) + 1
          expectAnswer(reply, `${route.method} ${path} ${JSON.stringify(headers)} ${body}`)
        }),
        { seed, numRuns: waitsForCard(route) ? waitingRuns : runsPerRoute, endOnFailure: true },
      )
      if (run.failed) failures.push(String(run.errorInstance))
    }
    t.diagnostic(`answers by status: ${JSON.stringify(counts)}`)
    assert.equal(failures.join('\n\n'), '')
    assert.equal((await house.ask('GET', '/healthz')).status, 200)
  })

  it('leaves every document as a fresh start reads it', async () => {
    const documents = async () => {
      const found = new Map<string, string>()
      for (const { base, path } of listsOf(house.appliance)) {
        // The newest entries come first, and a start adds some. The log is that of the process.
        if (path === 'audit-entries' || path === 'log') continue
        const { body } = await house.ask('GET', `${base}/${path}?page[size]=100`, { token })
        if (!Array.isArray(body.data)) continue
        for (const each of body.data)
          if (!isToGo(each)) found.set(`${path}/${each.id}`, JSON.stringify(each, withoutReadiness))
      }
      return found
    }
    const before = await documents()
    await house.restart()
    const after = await documents()
    assert.ok(before.size > 50, String(before.size))
    for (const [path, text] of before) assert.equal(after.get(path), text, path)
  })
})

/** An erased profile that no stay names is removed in the first hour after a start. */
function isToGo({ type, attributes }: { type: string; attributes: Record<string, unknown> }): boolean {
  return type === 'profile' && attributes.firstName === 'Erased' && attributes.lastName === 'Guest'
}

/** A device is not ready in the first moment after a start. That is no part of what the store holds of it. */
function withoutReadiness(this: unknown, name: string, value: unknown): unknown {
  const isOfDevice = typeof this === 'object' && this !== null && 'isReady' in this
  return isOfDevice && ['state', 'isReady', 'reason', 'messages'].includes(name) ? undefined : value
}
