import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sync } from '../../../src/composition/api.ts'
import { differences } from '../../../src/pms/sync/merge/same.ts'
import { openSyncHouse, type SyncHouse } from './house.ts'
import { guestFixture, named, stayFixture } from './reservation-samples.ts'

let house: SyncHouse
before(async () => {
  house = await openSyncHouse()
})
after(() => house.stop())

const unplaced = { units: [{ unitTypeCode: 'DBL' }] }
const unitNames = (id: string) =>
  house.staysOf(id).map(({ units }) => (units[0] as { unitName?: string }).unitName ?? null)

describe('A reservation that a PMS tells of', () => {
  it('arrives whole, as one of its own', async () => {
    const id = await house.arrives(named('A1'))
    const row = house.row(id)
    assert.partialDeepStrictEqual(row, {
      externalId: 'A1',
      source: 'Pms',
      integrationId: house.configurationId,
      status: 'Confirmed',
      arrival: '2026-07-01',
      departure: '2026-07-04',
    })
    const { state, pmsRevision } = house.shownSync(id)
    assert.equal(state, 'Synced')
    assert.equal(pmsRevision, String(house.recordOf(id).upstreamRevision))
    assert.deepEqual(unitNames(id), ['214'])
    assert.deepEqual(differences(house.recordOf(id).base!, house.offered(id)), [])
  })

  it('keeps a price in a currency that is withdrawn since, and its changes', async () => {
    const amount = { currency: 'BGN', amountWithTax: 300.5 }
    const id = await house.arrives(named('A1b', { ...unplaced, amount }))
    await house.report(named('A1b', { ...unplaced, amount: { ...amount, amountWithTax: 200 } }))
    assert.partialDeepStrictEqual(house.staysOf(id), [{ due: 20_000, currency: 'BGN' }])
    assert.deepEqual(house.conflictsOf(id), [])
  })

  it('in house without a room that is known here is to come, which the desk sees and decides', async () => {
    const inRoom = (unitName: string | null) =>
      named('A0', { status: 'InHouse', amount: null, units: [{ unitTypeCode: 'DBL', unitName }] })
    const id = await house.arrives(inRoom('0215'))
    const [conflict] = house.conflictsOf(id)
    assert.equal(house.staysOf(id)[0]!.status, 'Confirmed')
    assert.partialDeepStrictEqual(conflict, { reason: 'no-such-step', counts: 'Local', state: 'open' })
    assert.match(conflict!.sentence, /to in house at 14:00; here it is confirmed\. That cannot be done here/)
    assert.equal(house.shownSync(id).state, 'Conflict')
    await house.report(inRoom('215'))
    assert.deepEqual([unitNames(id), house.staysOf(id)[0]!.status], [['215'], 'Confirmed'])
    await house.write(sync.chooseInConflict, { id: conflict!.id, counts: 'Pms' })
    assert.equal(house.staysOf(id)[0]!.status, 'InHouse')
  })

  it('reported again is a duplicate, and reported in an older revision is not taken', async () => {
    const id = await house.arrives(named('A2', { units: [{ unitTypeCode: 'DBL' }] }))
    const { upstreamRevision: revision, base } = house.recordOf(id)
    const again = named('A2', { units: [{ unitTypeCode: 'DBL' }] })
    const before = house.row(id).revision
    assert.equal((await house.report(again, { revision: revision! })).is, 'duplicate')
    assert.equal(
      (await house.report(named('A2', { comment: 'Old.' }), { revision: revision! - 1 })).is,
      'stale',
    )
    assert.equal(house.row(id).revision, before)
    assert.deepEqual(house.recordOf(id).base, base)
  })

  it('is noted as it is here, in whatever form its changes were reported', async () => {
    const id = await house.arrives(named('A3b', { units: [{ unitTypeCode: 'DBL' }] }))
    for (const change of [
      { comment: 'Cafe\u0301, late.', startTime: '16:00:00', guestComment: '' },
      {
        amount: { currency: 'EUR', amountWithTax: 300.5, taxes: [] },
        personCount: { adults: 1, infants: 0 },
      },
      { startDate: '2026-07-02', endDate: '2026-07-09', startTime: null, comment: null },
    ]) {
      const whole = named('A3b', { units: [{ unitTypeCode: 'DBL' }], ...change })
      await house.report({ ...whole, guestComment: `Cafe\u0301 ${change.comment}` })
      const { base } = house.recordOf(id)
      assert.deepEqual(differences(base!, house.offered(id)), [], JSON.stringify(change))
    }
  })

  it('changes here as it changes there', async () => {
    const id = await house.arrives(named('A3', { units: [{ unitTypeCode: 'DBL' }] }))
    const applied = await house.report(
      named('A3', {
        endDate: '2026-07-06',
        comment: 'Late.',
        units: [{ unitTypeCode: 'DBL', unitName: '213' }],
      }),
    )
    assert.equal(applied.is, 'merged')
    assert.deepEqual(applied.conflictIds, [])
    assert.partialDeepStrictEqual(house.staysOf(id)[0], { endDate: '2026-07-06', comment: 'Late.' })
    assert.deepEqual(unitNames(id), ['213'])
  })

  it('leaves what was changed here alone where the PMS has not', async () => {
    const id = await house.arrives(named('A4', { units: [{ unitTypeCode: 'DBL' }] }))
    await house.change(id, { guestComment: 'Towels.' })
    const applied = await house.report(named('A4', { comment: 'Louder.', units: [{ unitTypeCode: 'DBL' }] }))
    assert.partialDeepStrictEqual(house.staysOf(id)[0], { comment: 'Louder.', guestComment: 'Towels.' })
    assert.equal(applied.toOffer, true, 'the PMS has never reported such a comment, but it was changed here')
  })

  it('of a unit type that is not known is refused by its code', async () => {
    await assert.rejects(house.report(named('A5', { units: [{ unitTypeCode: 'TENT' }] })), {
      message: /TENT/,
    })
  })

  it('arrives without what the house does not know, and gives it back unchanged', async () => {
    const value = named('A6', { ratePlanCode: 'SECRET', units: [{ unitTypeCode: 'DBL', unitName: '999' }] })
    const { is, reservationId } = await house.report(value)
    assert.equal(is, 'inserted')
    const [stay] = house.staysOf(reservationId!)
    const leftOut = differences(house.recordOf(reservationId!).base!, house.here(reservationId!))
    assert.deepEqual(
      leftOut.map(({ pointer }) => pointer).filter((each) => !each.includes('/guests/')),
      [`/stays/${stay!.id}/units`, `/stays/${stay!.id}/ratePlanCode`],
    )
    assert.equal(stay!.ratePlanId, null)
    const offered = house.offered(reservationId!).stays[0]!
    assert.equal(offered.ratePlanCode, 'SECRET')
    assert.deepEqual(offered.units, [{ unitTypeCode: 'DBL', unitName: '999' }])
  })

  it('arrives with more guests than fit, in a better room, on a day long past, and with numbers twice', async () => {
    const { is, reservationId } = await house.report(
      named('A7', {
        personCount: { adults: 7 },
        units: [{ unitTypeCode: 'DBL', unitName: '401' }],
        startDate: '2026-05-01',
        endDate: '2026-05-03',
        reservationIds: [
          { type: 'Confirmation', value: 'X' },
          { type: 'Confirmation', value: 'Y' },
        ],
      }),
    )
    assert.equal(is, 'inserted')
    assert.deepEqual(unitNames(reservationId!), ['401'])
    assert.equal(house.staysOf(reservationId!)[0]!.personCount.adults, 7)
    assert.deepEqual(differences(house.recordOf(reservationId!).base!, house.offered(reservationId!)), [])
  })

  it('that was deleted here comes back when the PMS has changed it since, which the desk sees and decides', async () => {
    const id = await house.arrives(named('A7b', unplaced))
    await house.write(house.reservations.removeReservation, { id })
    const offer = (await house.message(id))!
    const revision = house.recordOf(id).upstreamRevision! + 1
    const value = named('A7b', { ...unplaced, comment: 'There.' })
    const change = { is: 'reservation' as const, externalId: 'A7b', revision, changedAt: null, value }
    await house.answer(offer, { is: 'outdated', change })
    const { reservationId } = await house.report(value, { revision })
    const [conflict] = house.conflictsOf(reservationId!)
    assert.partialDeepStrictEqual(conflict, { reason: 'both-changed', counts: 'Pms', state: 'open' })
    await house.write(sync.chooseInConflict, { id: conflict!.id, counts: 'Local' })
    assert.equal(house.staysOf(reservationId!)[0]!.status, 'Canceled')
    assert.equal((await house.message(reservationId!))!.value.stays[0]!.status, 'Canceled')
  })

  it('that was deleted here does not come back as the PMS was known to have it', async () => {
    const id = await house.arrives(named('A7c', unplaced))
    await house.change(id, { comment: 'Here.' })
    const { upstreamRevision } = house.recordOf(id)
    const revision = upstreamRevision! + 1
    await house.answer((await house.message(id))!, { is: 'accepted', externalId: 'A7c', revision })
    await house.write(house.reservations.removeReservation, { id })
    assert.equal(
      (await house.report(named('A7c', { ...unplaced, comment: 'Here.' }), { revision })).is,
      'ignored',
    )
    assert.equal((await house.message(id))!.value.stays[0]!.status, 'Canceled')
  })

  it('that was canceled there is canceled here, and one that is gone too', async () => {
    const free = { units: [{ unitTypeCode: 'DBL' }] }
    const canceled = await house.arrives(named('A8', free))
    await house.report(named('A8', { ...free, status: 'Canceled' }))
    assert.equal(house.row(canceled).status, 'Canceled')
    const gone = await house.arrives(named('A9', free))
    await house.report(null, { externalId: 'A9' })
    assert.equal(house.row(gone).status, 'Canceled')
    assert.deepEqual(house.conflictsOf(gone), [])
    await house.report(named('A9', free))
    assert.equal(house.row(gone).status, 'Confirmed', 'and is back when the PMS has it again')
    assert.equal(house.staysOf(gone).length, 1)
  })

  it('goes through every status on its way, with what follows from each', async () => {
    const id = await house.arrives(named('B1', { units: [{ unitTypeCode: 'DBL', unitName: '215' }] }))
    await house.report(
      named('B1', { status: 'CheckedOut', units: [{ unitTypeCode: 'DBL', unitName: '215' }] }),
    )
    const [stay] = house.staysOf(id)
    assert.equal(stay!.status, 'CheckedOut')
    assert.deepEqual(
      house
        .journal(`stays/${stay!.id}`)
        .flatMap(({ type }) => (type.startsWith('stay.checked') ? [type] : [])),
      ['stay.checked-in', 'stay.checked-out'],
    )
    assert.equal(house.unit('215').status, 'Dirty')
  })
})

describe('What has happened in the house', () => {
  it('is not undone by a cancellation there', async () => {
    const units = [{ unitTypeCode: 'DBL', unitName: '212' }]
    const id = await house.arrives(named('C1', { units }))
    await house.change(id, { status: 'InHouse' })
    const { toOffer, conflictIds } = await house.report(named('C1', { units, status: 'Canceled' }))
    assert.equal(house.row(id).status, 'InHouse')
    assert.equal(toOffer, true)
    assert.equal(conflictIds.length, 1)
    const [conflict] = house.conflictsOf(id)
    assert.partialDeepStrictEqual(conflict, {
      fieldGroup: 'status',
      counts: 'Local',
      reason: 'guest-was-here',
      state: 'open',
    })
    assert.match(conflict!.sentence, /Ms Kern-C1/)
    assert.equal(house.shownSync(id).state, 'Conflict')
    await house.report(null, { externalId: 'C1' })
    assert.equal(house.row(id).status, 'InHouse')
  })

  it('keeps the guest in the unit that his card opens', async () => {
    const id = await house.arrives(named('C2', { units: [{ unitTypeCode: 'STE', unitName: '401' }] }))
    await house.cardFor(house.staysOf(id)[0]!.id, '401')
    house.elapse(60_000)
    const { toOffer } = await house.report(named('C2', { units: [{ unitTypeCode: 'DBL', unitName: '211' }] }))
    assert.deepEqual(unitNames(id), ['401'])
    assert.equal(toOffer, true)
    const [conflict] = house.conflictsOf(id)
    assert.equal(
      conflict!.sentence,
      'The PMS gave Ms Kern-C2 211 at 14:01; here it is 401. A key for it is out: 401 counts until that key is back.',
    )
    assert.equal(house.offered(id).stays[0]!.units![0]!.unitName, '401')
  })
})

describe('Units that are swapped', () => {
  const unit = (unitName: string) => ({
    startDate: '2026-08-01',
    endDate: '2026-08-03',
    units: [{ unitTypeCode: 'DBL', unitName }],
  })

  it('are in the end where the PMS has them, whichever it tells first', async () => {
    for (const [index, order] of [
      ['D1', 'D2'],
      ['D4', 'D3'],
    ].entries()) {
      const [first, second] = [`D${1 + 2 * index}`, `D${2 + 2 * index}`]
      const day = { startDate: `2026-08-1${index}`, endDate: `2026-08-1${index + 1}` }
      const one = await house.arrives(named(first, { ...unit('211'), ...day }))
      const two = await house.arrives(named(second, { ...unit('212'), ...day }))
      const after: Record<string, string> = { [first]: '212', [second]: '211' }
      for (const name of order) await house.report(named(name, { ...unit(after[name]!), ...day }))
      assert.deepEqual([unitNames(one), unitNames(two)], [['212'], ['211']])
      for (const id of [one, two]) {
        assert.equal(house.recordOf(id).state, 'Synced')
        assert.deepEqual(
          house.conflictsOf(id).filter(({ state }) => state === 'open'),
          [],
        )
        assert.deepEqual(differences(house.recordOf(id).base!, house.offered(id)), [])
      }
    }
  })

  it('in a cycle of three are all moved', async () => {
    const day = { startDate: '2026-09-01', endDate: '2026-09-03' }
    const names = ['E1', 'E2', 'E3']
    const had = ['211', '212', '213']
    const gets = ['212', '213', '211']
    const ids = []
    for (const [at, name] of names.entries())
      ids.push(await house.arrives(named(name, { ...unit(had[at]!), ...day })))
    for (const [at, name] of names.entries()) await house.report(named(name, { ...unit(gets[at]!), ...day }))
    assert.deepEqual(ids.flatMap(unitNames), gets)
  })
})

describe('Guests', () => {
  it('whom either side adds are there', async () => {
    const units = [{ unitTypeCode: 'DBL' }]
    const id = await house.arrives(named('G1', { units }))
    const [stay] = house.staysOf(id)
    const profiles = [
      ...(stay!.profiles ?? []),
      { role: 'AdditionalGuest', profile: { firstName: 'Bo', lastName: 'Here' } },
    ]
    await house.change(id, { profiles })
    const mine = guestFixture({ externalId: 'G1-G', lastName: 'Kern-G1' })
    const cy = guestFixture({ externalId: 'CY', firstName: 'Cy', lastName: 'There', role: 'AdditionalGuest' })
    const { toOffer } = await house.report(named('G1', { units, guests: [mine, cy] }))
    assert.equal(toOffer, true)
    assert.deepEqual(
      house
        .offered(id)
        .stays[0]!.guests!.map(({ lastName }) => lastName)
        .sort(),
      ['Here', 'Kern-G1', 'There'],
    )
    assert.equal(stayFixture().guests!.length, 1)
  })

  it('keep the nationality that is known where the PMS has a code that no country has', async () => {
    const units = [{ unitTypeCode: 'DBL' }]
    const of = (nationality: string | null, more = {}) =>
      named('G2', { units, guests: [guestFixture({ externalId: 'G2-G', nationality, ...more })] })
    const id = await house.arrives(of('PT'))
    const now = () => house.offered(id).stays[0]!.guests![0]!
    for (const code of ['XX', 'SU', 'Portugal', '620', 'AN']) {
      await house.report(of(code, { middleName: code }))
      assert.deepEqual([now().nationality, now().middleName], ['PT', code])
    }
    await house.report(of('uk'))
    assert.equal(now().nationality, 'GB')
    await house.report(of(null))
    assert.equal(now().nationality ?? null, null)
  })
})
