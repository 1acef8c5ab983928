import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { judgedClock } from '../../src/host/judged-clock.ts'
import { until } from './house-with-doors.ts'
import { type HouseWithPins, houseWithPins } from './house-with-pins.ts'

let house: HouseWithPins

before(async () => {
  house = await houseWithPins({ judge: (machine) => judgedClock(machine, machine.now() - 86_400_000) })
})
afterEach(() => {
  house.cloud.misbehaviours.length = 0
  house.clock.set(Date.UTC(2026, 5, 1, 16))
})
after(() => house.stop())

let numbered = 0
const newStay = () => `PIN-${++numbered}`

/** A whole turn of what goes after keys has passed: another key was revoked meanwhile. */
async function aTurnLater(endDate: string): Promise<void> {
  const { body } = await house.make({ unitName: '302', endDate })
  await house.ask('DELETE', `/api/v2/access/keys/${body.data.id}`)
  await until(
    'a revocation',
    () => house.key(body.data.id),
    ({ proof }) => proof === 'lock-acknowledged',
  )
}

describe('a clock that was ahead for a moment by more than PINs are kept', () => {
  for (const [state, dates] of [
    ['live', {}],
    ['virtual', { startDate: '2026-06-10', endDate: '2026-06-12' }],
    ['expired', { endDate: '2026-06-02' }],
  ] as const)
    it(`has forgotten no PIN of a key that was ${state}`, async () => {
      const externalId = newStay()
      const { body } = await house.make({ externalId, ...dates })
      const { id, attributes } = body.data
      const rightMs = state === 'expired' ? Date.UTC(2026, 5, 2, 16) : Date.UTC(2026, 5, 1, 16)
      house.clock.set(rightMs)
      const shown = () => house.key(id)
      await until('its state', shown, ({ status }) => status === state)
      house.clock.set(Date.UTC(2026, 6, 15))
      // Whoever looks after keys has seen that clock, and has had another turn since.
      await until('the end', shown, ({ status }) => status === 'expired')
      await aTurnLater('2026-07-17')
      house.clock.set(rightMs)
      await until('its state', shown, ({ status }) => status === state)
      const again = await house.reconcile(externalId, { ...dates, endDate: '2026-06-12' })
      assert.deepEqual([again.status, again.body.data.attributes.pin], [200, attributes.pin], again.text)
    })
})

describe('a PIN that is not there any more', () => {
  const later = { startDate: '2026-06-10', endDate: '2026-06-12' }

  /** As a box that has forgotten it, or that cannot open its seal. */
  function forget(id: string, sealed: string | null): void {
    const file = new Database(join(house.data, 'nightporter.db'))
    file
      .prepare('UPDATE key SET pin = NULL, pinSealed = ?, pinMark = NULL WHERE id = ?')
      .run(sealed, Buffer.from(id.replaceAll('-', ''), 'hex'))
    file.close()
  }

  for (const [what, sealed] of [
    ['forgotten', null],
    ['unreadable', `v1.${'A'.repeat(60)}`],
  ] as const) {
    it(`is another one, live (${what})`, async () => {
      const externalId = newStay()
      const { body } = await house.make({ externalId })
      forget(body.data.id, sealed)
      const again = await house.reconcile(externalId)
      assert.equal(again.status, 200, again.text)
      assert.ok(house.opens('301', again.body.data.attributes.pin))
    })

    it(`is another one when it is due (${what})`, async () => {
      const externalId = newStay()
      const { body } = await house.make({ externalId, ...later })
      forget(body.data.id, sealed)
      house.clock.set(Date.UTC(2026, 5, 10, 16))
      const again = await house.reconcile(externalId, later)
      assert.equal(again.status, 200, again.text)
      assert.ok(house.opens('301', again.body.data.attributes.pin))
      assert.equal((await house.key(body.data.id)).status, 'removed')
    })

    it(`is another one where nobody knows what became of it (${what})`, async () => {
      const externalId = newStay()
      house.cloud.misbehaviours.push(
        { at: 'add', does: 'late' },
        { at: 'listPasscodes', does: 'refuse', code: 'http500' },
      )
      const lost = await house.make({ externalId })
      assert.equal(lost.status, 502, lost.text)
      forget(lost.body.errors[0].meta.keyId, sealed)
      const again = await house.reconcile(externalId)
      assert.equal(again.status, 200, again.text)
      assert.ok(house.opens('301', again.body.data.attributes.pin))
    })

    it(`is refused with what to do where it cannot be another (${what})`, async () => {
      const { body } = await house.make()
      forget(body.data.id, sealed)
      const longer = await house.ask('POST', `/api/v2/access/keys/${body.data.id}/actions/extend`, {
        body: { endDate: '2026-06-05' },
      })
      assert.deepEqual([longer.status, longer.body.meta.errorCode], [502, 'pin-unavailable'], longer.text)
    })
  }
})
