import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from '../../seed.ts'
import { openHouse, type ReservationHouse, today, tomorrow } from './house.ts'
import { inHouse, withUnit } from './stay-samples.ts'

let house: ReservationHouse
before(async () => {
  house = await openHouse()
})
after(() => house.stop())

type Made = Awaited<ReturnType<typeof withUnit>>

interface Row {
  what: string
  given: (house: ReservationHouse) => Promise<Made>
  does: (made: Made) => Promise<{ status: number; text: string }>
  /** What is written down of the stay by it, in any order. */
  stay: string[]
  reservation?: string[]
}

const set = (attributes: object) => (made: Made) => house.ask('PATCH', made.path, { body: attributes })

const changed = ['reservation.changed']

const rows: Row[] = [
  {
    what: 'a change of its guests’ wishes',
    given: withUnit,
    does: set({ comment: 'quiet' }),
    stay: ['stay.changed'],
    reservation: [],
  },
  {
    what: 'a check-in',
    given: withUnit,
    does: set({ status: 'InHouse' }),
    stay: ['stay.changed', 'stay.checked-in'],
    reservation: changed,
  },
  {
    what: 'a check-in that is reverted',
    given: inHouse,
    does: set({ status: 'Confirmed' }),
    stay: ['stay.changed', 'stay.check-in-reverted'],
    reservation: changed,
  },
  {
    what: 'a check-out',
    given: inHouse,
    does: set({ status: 'CheckedOut' }),
    stay: ['stay.changed', 'stay.checked-out'],
    reservation: changed,
  },
  {
    what: 'a cancellation of the only stay',
    given: withUnit,
    does: set({ status: 'Canceled' }),
    stay: ['stay.changed', 'stay.canceled'],
    reservation: ['reservation.changed', 'reservation.canceled'],
  },
  {
    what: 'a guest who does not show up',
    given: (each) => withUnit(each, { startDate: '2026-05-31', endDate: tomorrow }),
    does: set({ status: 'NoShow' }),
    stay: ['stay.changed', 'stay.no-show'],
    reservation: changed,
  },
  {
    what: 'a check-out that is undone',
    given: async (each) => {
      const made = await inHouse(each)
      await set({ status: 'CheckedOut' })(made)
      return made
    },
    does: set({ status: 'InHouse' }),
    stay: ['stay.changed', 'stay.check-out-reverted'],
    reservation: changed,
  },
  {
    what: 'the reinstatement of a canceled stay',
    given: async (each) => {
      const made = await withUnit(each)
      await set({ status: 'Canceled' })(made)
      return made
    },
    does: set({ status: 'Confirmed' }),
    stay: ['stay.changed', 'stay.reinstated'],
    reservation: changed,
  },
  {
    what: 'the reinstatement of a no-show',
    given: async (each) => {
      const made = await withUnit(each, { startDate: '2026-05-31', endDate: tomorrow })
      await set({ status: 'NoShow' })(made)
      return made
    },
    does: set({ status: 'Confirmed' }),
    stay: ['stay.changed', 'stay.reinstated'],
    reservation: changed,
  },
  {
    what: 'a unit that is taken away',
    given: withUnit,
    does: (made) => set({ units: [{ unitTypeId: made.unitTypeId }] })(made),
    stay: ['stay.changed', 'stay.unit-unassigned'],
    reservation: [],
  },
  {
    what: 'a unit that is assigned',
    given: async (each) => {
      const { unitTypeId, unitId } = await each.rooms(1)
      const units = [{ unitTypeId }]
      return { ...(await each.stay({ units })), unitTypeId, unitId, units } as Made
    },
    does: (made) => house.ask('POST', `${made.path}/unit-assignment`),
    stay: ['stay.changed', 'stay.unit-assigned'],
    reservation: [],
  },
  {
    what: 'an assignment that fails',
    given: async (each) => {
      const { unitTypeId } = await each.rooms(0)
      const units = [{ unitTypeId }]
      return { ...(await each.stay({ units })), unitTypeId, units, unitId: '' } as unknown as Made
    },
    does: async (made) => ({
      ...(await house.ask('POST', `${made.path}/unit-assignment`)),
      status: 204,
    }),
    stay: ['stay.unit-assignment-failed'],
    reservation: [],
  },
  {
    what: 'a deletion of the reservation',
    given: withUnit,
    does: (made) => house.ask('DELETE', made.reservation),
    stay: ['stay.deleted'],
    reservation: ['reservation.deleted'],
  },
]

describe('what is written down of a stay and of its reservation', () => {
  for (const { what, given, does, stay, reservation = [] } of rows) {
    it(`by ${what}: ${stay.join(', ')}`, async () => {
      const made = await given(house)
      const subjects = [`stays/${made.id}`, made.reservation.replace('/api/v2/', '')]
      const before = subjects.map((each) => house.journal(each).length)
      const done = await does(made)
      assert.ok(done.status < 300, done.text)
      const since = subjects.map((each, index) => house.journal(each).slice(before[index]))
      const types = since.map((lines) => lines.map(({ type }) => type))
      assert.deepEqual(new Set(types[0]), new Set(stay))
      assert.equal(types[0]?.length, stay.length)
      assert.deepEqual(types[1], reservation)
    })
  }

  it('by a new reservation: both are created, and a walk-in is checked in', async () => {
    const { id, reservation, unitId } = await withUnit(house, { status: 'InHouse', startDate: today })
    const lines = house.journal(`stays/${id}`)
    const types = lines.map(({ type }) => type)
    assert.deepEqual(types, ['stay.created', 'stay.unit-assigned', 'stay.checked-in'])
    assert.deepEqual(lines[1]?.data, { revision: 1, unitId })
    const [first] = house.journal(reservation.replace('/api/v2/', ''))
    assert.equal(first?.type, 'reservation.created')
  })

  it('by other dates and prices: the former and the new value, and nothing of a person', async () => {
    const made = await withUnit(house, { amount: { currency: 'EUR', amountWithTax: 100 } })
    const { endDate } = (await house.ask('GET', made.path)).body.data.attributes
    const before = house.journal(`stays/${made.id}`).length
    for (const attributes of [
      { endDate: '2026-06-20', endTime: '12:30', comment: 'quiet' },
      { amount: { currency: 'EUR', amountWithTax: 1_000 } },
      { amount: { currency: 'JPY', amountWithTax: 20_000 } },
      { comment: 'not quiet' },
    ]) {
      const { status, text } = await set(attributes)(made)
      assert.ok(status < 300, text)
    }
    const lines = house.journal(`stays/${made.id}`).slice(before)
    const [moved, priced, exchanged, said] = lines.map(
      ({ data }) => data.values as Record<string, { to: unknown }>,
    )
    assert.deepEqual(moved?.endDate, { from: endDate, to: '2026-06-20' })
    assert.deepEqual(moved?.endTime, { from: null, to: '12:30' })
    assert.deepEqual(priced, { due: { from: moved?.due?.to, to: { currency: 'EUR', amount: 100_000 } } })
    assert.deepEqual(exchanged, {
      due: { from: { currency: 'EUR', amount: 100_000 }, to: { currency: 'JPY', amount: 20_000 } },
    })
    assert.equal(said, undefined)
    assert.ok(lines.every(({ data }) => !JSON.stringify(data).includes('quiet')))
  })

  it('by a change of status: one event names it, whatever came before', async () => {
    const named: Record<string, string> = {
      'Confirmed InHouse': 'stay.checked-in',
      'InHouse Confirmed': 'stay.check-in-reverted',
      'InHouse CheckedOut': 'stay.checked-out',
      'CheckedOut InHouse': 'stay.check-out-reverted',
      'Confirmed Canceled': 'stay.canceled',
      'Confirmed NoShow': 'stay.no-show',
      'Canceled Confirmed': 'stay.reinstated',
      'NoShow Confirmed': 'stay.reinstated',
    }
    const steps = fc.array(fc.constantFrom('Confirmed', 'InHouse', 'CheckedOut', 'Canceled', 'NoShow'), {
      minLength: 3,
      maxLength: 10,
    })
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(steps, async (wanted) => {
        const made = await withUnit(house, { startDate: '2026-05-31', endDate: tomorrow })
        let status = 'Confirmed'
        for (const next of wanted) {
          const before = house.journal(`stays/${made.id}`).length
          const { status: answer } = await set({ status: next })(made)
          if (answer >= 300 || next === status) continue
          const types = house
            .journal(`stays/${made.id}`)
            .slice(before)
            .map(({ type }) => type)
          const others = ['stay.changed', 'stay.unit-unassigned']
          const change = `${status} ${next}`
          assert.deepEqual(
            types.filter((type) => !others.includes(type)),
            [named[change]],
            change,
          )
          seen.add(change)
          status = next
        }
      }),
      { numRuns: 15 },
    )
    assert.ok(seen.size >= 5, [...seen].join())
  })
})
