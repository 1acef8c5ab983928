import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sync } from '../../../src/composition/api.ts'
import type { SyncConflict } from '../../../src/pms/resources/sync-conflict.ts'
import { differences } from '../../../src/pms/sync/merge/same.ts'
import { refusal } from '../../reservation/refusal.ts'
import { openSyncHouse, type SyncHouse } from './house.ts'
import { named } from './reservation-samples.ts'

let house: SyncHouse
before(async () => {
  house = await openSyncHouse()
})
after(() => house.stop())

const free = { units: [{ unitTypeCode: 'DBL' }] }
const choose = (id: string, counts?: 'Pms' | 'Local') => house.write(sync.chooseInConflict, { id, counts })
const first = (id: string): SyncConflict => house.conflictsOf(id)[0]!
const comment = (id: string) => house.staysOf(id)[0]!.comment

/** Both sides have written another comment; the PMS's counts. */
async function disagreed(name: string): Promise<string> {
  const id = await house.arrives(named(name, { ...free, comment: 'Before.' }))
  await house.change(id, { comment: 'Here.' })
  house.elapse(60_000)
  await house.report(named(name, { ...free, comment: 'There.' }))
  return id
}

describe('A conflict', () => {
  it('is kept with what each side said, and journaled by ids alone', async () => {
    const id = await disagreed('A1')
    assert.equal(comment(id), 'There.')
    const conflict = first(id)
    const [stay] = house.staysOf(id)
    const at = `/stays/${stay!.id}/comment`
    assert.partialDeepStrictEqual(conflict, {
      configurationId: house.configurationId,
      fieldGroup: 'comments',
      fields: ['comment'],
      counts: 'Pms',
      reason: 'both-changed',
      state: 'open',
      base: { [at]: 'Before.' },
      local: { [at]: 'Here.' },
      upstream: { [at]: 'There.' },
      sentence:
        'The PMS changed the comment of Ms Kern-A1 to “There.” at 14:01; you changed it to “Here.” at 14:00. “There.” counts: the PMS decides on the comment.',
    })
    const [line] = house.journal(`sync-conflicts/${conflict.id}`)
    assert.equal(line!.type, 'pms.conflict-detected')
    assert.doesNotMatch(JSON.stringify(line), /Kern|There/)
  })

  it('is over when somebody agrees, who may change his mind', async () => {
    const id = await disagreed('A2')
    await choose(first(id).id)
    assert.equal(first(id).state, 'accepted')
    assert.equal(house.recordOf(id).state, 'Synced')
    assert.equal(house.journal(`sync-conflicts/${first(id).id}`).at(-1)!.type, 'pms.conflict-resolved')
    await choose(first(id).id, 'Local')
    assert.deepEqual([first(id).state, comment(id)], ['reversed', 'Here.'])
    await choose(first(id).id, 'Pms')
    assert.deepEqual([first(id).state, comment(id)], ['accepted', 'There.'])
  })

  it('is settled by a further one about the same, and nothing is left to choose in it', async () => {
    const id = await disagreed('A4')
    await house.change(id, { comment: 'Here again.' })
    await house.report(named('A4', { ...free, comment: 'There again.' }))
    const [old, next] = house.conflictsOf(id)
    assert.deepEqual([old!.state, next!.state], ['settled', 'open'])
    await assert.rejects(choose(old!.id, 'Local'), refusal('conflict-resolved'))
  })

  it('undoes nothing that somebody has said later: a second desk chooses in vain', async () => {
    const id = await disagreed('A7')
    await choose(first(id).id, 'Local')
    await house.change(id, { comment: 'A third word.' })
    await assert.rejects(choose(first(id).id, 'Pms'), refusal('conflict-resolved'))
    assert.equal(comment(id), 'A third word.')
  })

  it('undoes nothing that the PMS has said later', async () => {
    const id = await disagreed('A8')
    await choose(first(id).id)
    await house.report(named('A8', { ...free, comment: 'There again.' }))
    await assert.rejects(choose(first(id).id, 'Local'), refusal('conflict-resolved'))
    assert.equal(comment(id), 'There again.')
  })

  it('is turned round by whoever chooses the other side, and that is offered', async () => {
    const id = await disagreed('A3')
    await choose(first(id).id, 'Local')
    assert.equal(comment(id), 'Here.')
    assert.equal(first(id).state, 'reversed')
    assert.partialDeepStrictEqual(house.recordOf(id), { state: 'Pending', pending: true })
    assert.equal(differences(house.recordOf(id).base!, house.offered(id)).length, 1)
  })

  it('in which a card stands against it is refused, and stays open', async () => {
    const id = await house.arrives(named('B1', { units: [{ unitTypeCode: 'DBL', unitName: '212' }] }))
    await house.cardFor(house.staysOf(id)[0]!.id, '212')
    await house.report(named('B1', { units: [{ unitTypeCode: 'DBL', unitName: '211' }] }))
    await assert.rejects(choose(first(id).id, 'Pms'), refusal('unit-change-refused', '/units/0/unitId'))
    assert.equal(first(id).state, 'open')
  })

  it('over a stay that the PMS took away brings it back', async () => {
    const id = await house.arrives(named('C1', { ...free, comment: 'Before.' }))
    await house.change(id, { comment: 'Here.' })
    await house.report(null, { externalId: 'C1' })
    assert.equal(house.row(id).status, 'Canceled')
    await choose(first(id).id, 'Local')
    assert.equal(house.row(id).status, 'Confirmed')
  })
})

describe('An offer', () => {
  it('of several things that the PMS does not want names each of them in words', async () => {
    const id = await house.arrives(named('G1', { ...free, comment: 'Before.' }))
    const units = [{ unitTypeId: house.typeIds.DBL!, unitId: house.unitIds['213'] }]
    await house.change(id, { comment: 'Here.', units })
    await house.answer((await house.message(id))!, { is: 'refused', reason: '213 is given to R9.' })
    assert.match(first(id).sentence, /\(.*\b213\b.*\): 213 is given to R9\. There it is .*no room/)
    assert.match(first(id).sentence, /“Here\.”/)
  })

  it('that the PMS does not want does not name what the PMS has never said anything of', async () => {
    const id = await house.arrives(named('G2', { ...free, comment: 'Before.' }))
    const { profileType } = house.offered(id).stays[0]!.guests![0]!
    assert.equal(profileType, undefined)
    await house.change(id, { comment: 'Here.' })
    await house.answer((await house.message(id))!, { is: 'refused', reason: 'No.' })
    assert.match(first(id).sentence, /\(“Here\.”\): No\. There it is “Before\.”/)
  })

  it('that the PMS has taken is what both have, under its names', async () => {
    const id = await house.arrives(named('D1', free))
    await house.change(id, { comment: 'Here.' })
    const offer = (await house.message(id))!
    await house.answer(offer, { is: 'accepted', externalId: 'D1', revision: 1_000 })
    assert.equal(await house.message(id), null)
    assert.partialDeepStrictEqual(house.recordOf(id), { state: 'Synced', upstreamRevision: 1_000 })
    assert.deepEqual(differences(house.recordOf(id).base!, house.offered(id)), [])
  })

  it('of what was made here gives it the names of the PMS, and folds the twin that it has reported before', async () => {
    const made = await house.write(house.reservations.createReservation, {
      attributes: { integrationId: house.configurationId },
      stays: [
        {
          startDate: '2026-11-01',
          endDate: '2026-11-03',
          status: 'Confirmed',
          personCount: { adults: 1 },
          reservationIds: [],
          units: [{ unitTypeId: house.typeIds.DBL! }],
          profiles: [{ role: 'PrimaryGuest', profile: { firstName: 'Anna', lastName: 'Kern-E1' } }],
        },
      ],
      source: 'Kiosk',
    })
    const offer = (await house.message(made.id))!
    const echo = named('E1', { ...free, startDate: '2026-11-01', endDate: '2026-11-03', externalId: 'E1-S' })
    const twin = await house.arrives(echo)
    const { value } = offer
    await house.answer(offer, {
      is: 'accepted',
      externalId: 'E1',
      revision: 2_000,
      value: { ...value, externalId: 'E1', stays: [{ ...value.stays[0]!, externalId: 'E1-S' }] },
    })
    assert.equal(house.reader.idOf(house.resource('reservation'), twin), null)
    assert.equal(house.row(made.id).externalId, 'E1')
    assert.equal(house.staysOf(made.id)[0]!.externalId, 'E1-S')
    assert.equal(house.recordOf(made.id).state, 'Synced')
  })

  it('of what the PMS knows as another reservation, whose guest is in house, is for the desk, and is not sent again', async () => {
    const made = await house.write(house.reservations.createReservation, {
      attributes: { integrationId: house.configurationId },
      stays: [
        {
          startDate: '2026-11-01',
          endDate: '2026-11-03',
          status: 'Confirmed',
          personCount: { adults: 1 },
          reservationIds: [],
          units: [{ unitTypeId: house.typeIds.DBL! }],
          profiles: [{ role: 'PrimaryGuest', profile: { firstName: 'Anna', lastName: 'Kern-E2' } }],
        },
      ],
      source: 'Kiosk',
    })
    const offer = (await house.message(made.id))!
    const twin = await house.arrives(named('E2', { units: [{ unitTypeCode: 'DBL', unitName: '214' }] }))
    await house.change(twin, { status: 'InHouse' })
    const is = await house.answer(offer, { is: 'accepted', externalId: 'E2', revision: 2_000 })
    assert.equal(is, 'refused')
    assert.match(first(made.id).sentence, /as E2, and that one is used here\. Delete one of the two\./)
    assert.equal(house.staysOf(twin)[0]!.status, 'InHouse')
    assert.equal(await house.message(made.id), null)
  })

  it('that the PMS does not want stays here, with its reason', async () => {
    const id = await house.arrives(named('F1', free))
    await house.change(id, { endDate: '2026-07-09' })
    await house.answer((await house.message(id))!, {
      is: 'refused',
      reason: 'The hotel is closed from 5 July.',
    })
    assert.match(first(id).sentence, /2026-07-09.*The hotel is closed from 5 July\./)
    assert.equal(house.recordOf(id).state, 'Conflict')
    await choose(first(id).id, 'Pms')
    assert.equal(house.staysOf(id)[0]!.endDate, '2026-07-04')
    assert.deepEqual(differences(house.recordOf(id).base!, house.offered(id)), [])
  })
})
