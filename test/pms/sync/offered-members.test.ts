import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { SharedReservation, SharedStay } from '../../../src/pms/sync/shared-reservation.ts'
import { eventually, type LinkedHouse, openLinkedHouse } from './linked-house.ts'
import { playedPms } from './played-pms.ts'

/** A PMS that keeps who comes when, and nothing else. */
function sparse(externalId: string, more: Partial<SharedStay> = {}): SharedReservation {
  return {
    externalId,
    stays: [
      {
        externalId: `${externalId}/1`,
        startDate: '2026-07-01',
        endDate: '2026-07-03',
        units: [{ unitTypeCode: 'DBL' }],
        guests: [
          { externalId: `${externalId}/G`, role: 'PrimaryGuest', firstName: 'Ada', lastName: 'Byron' },
        ],
        ...more,
      },
    ],
  }
}

async function bookedThere(house: LinkedHouse, externalId: string, more?: Partial<SharedStay>) {
  house.pms.report(externalId, sparse(externalId, more))
  await house.synchronise('pull')
  const found = (await house.reservation(externalId))!
  const stay = (await house.attributes(`/api/v2/reservations/${found.id}`)).stays[0]
  const reservation = `/api/v2/reservations/${found.id}`
  return { id: found.id, reservation, stay: `${reservation}/stays/${stay.id}` }
}

async function patch(house: LinkedHouse, path: string, body: object): Promise<void> {
  const reply = await house.ask('PATCH', path, { body })
  assert.equal(reply.status, 204, reply.text)
}

const emptied = (house: LinkedHouse) =>
  eventually('an empty outbox', async () => (await house.state()).outbox === 0)

const offersOf = (house: LinkedHouse, id: string) => house.pms.offered.filter(({ localId }) => localId === id)

describe('An offer to a PMS that keeps few members', () => {
  let house: LinkedHouse
  before(async () => {
    house = await openLinkedHouse()
    await house.rooms(5)
  })
  after(() => house.stop())

  it('holds what the PMS has reported and what was changed here, and no other member', async () => {
    const { id, stay } = await bookedThere(house, 'S1')
    await patch(house, stay, { endDate: '2026-07-04' })
    await eventually('the offer', () => offersOf(house, id).length > 0)
    const { value, changed } = offersOf(house, id)[0]!
    const [sent] = value.stays
    assert.deepEqual(changed, ['/stays/0/endDate'])
    assert.deepEqual(Object.keys(value).sort(), ['externalId', 'localId', 'stays'])
    assert.deepEqual(Object.keys(sent!).sort(), [
      'endDate',
      'externalId',
      'guests',
      'localId',
      'startDate',
      'units',
    ])
    assert.deepEqual(Object.keys(sent!.guests![0]!).sort(), [
      'externalId',
      'firstName',
      'lastName',
      'localId',
      'role',
    ])
    await emptied(house)
  })

  it('holds a member that the PMS has never reported once it was changed here', async () => {
    const { id, stay } = await bookedThere(house, 'S2')
    await patch(house, stay, { comment: 'Late.' })
    await eventually('the offer', () => offersOf(house, id).length > 0)
    const { value, changed } = offersOf(house, id)[0]!
    assert.deepEqual(changed, ['/stays/0/comment'])
    assert.equal(value.stays[0]?.comment, 'Late.')
    assert.ok(!('status' in value.stays[0]!))
    assert.ok(!('guestComment' in value.stays[0]!))
    await emptied(house)
    // What it has received it has: the next message contains it as well.
    await patch(house, stay, { comment: null })
    await eventually('the next', () => offersOf(house, id).length > 1)
    assert.equal(offersOf(house, id)[1]?.value.stays[0]?.comment, null)
    await emptied(house)
  })

  it('holds a change that was made here before the PMS reported something else', async () => {
    const { id, stay } = await bookedThere(house, 'S3')
    house.pms.cut()
    await patch(house, stay, { comment: 'While it was away.' })
    house.pms.report('S3', sparse('S3', { endDate: '2026-07-05' }))
    house.pms.mend()
    await eventually('the comment', () => house.pms.value('S3')?.stays[0]?.comment === 'While it was away.')
    const last = offersOf(house, id).at(-1)!
    assert.deepEqual([last.changed, last.value.stays[0]?.endDate], [['/stays/0/comment'], '2026-07-05'])
    await emptied(house)
  })

  it('reports that a guest does not come, though the PMS has never reported a status', async () => {
    const { id, stay } = await bookedThere(house, 'S4')
    await patch(house, stay, { status: 'Canceled' })
    await eventually('the status', () => house.pms.value('S4')?.stays[0]?.status === 'Canceled')
    assert.deepEqual(offersOf(house, id)[0]?.changed, ['/stays/0/status'])
    await emptied(house)
  })

  it('reports that a stay was deleted here, though the PMS has never reported a status', async () => {
    const { reservation } = await bookedThere(house, 'S5')
    assert.equal((await house.ask('DELETE', reservation)).status, 204)
    await eventually('the end', () => house.pms.value('S5')?.stays[0]?.status === 'Canceled')
    await emptied(house)
  })

  it('holds nothing of a change that was taken back before it was offered', async () => {
    const { id, stay } = await bookedThere(house, 'S6')
    house.pms.cut()
    await patch(house, stay, { comment: 'No.' })
    await patch(house, stay, { comment: null })
    house.pms.mend()
    await house.synchronise('push')
    await emptied(house)
    assert.deepEqual(offersOf(house, id), [])
  })
})

describe('A PMS that takes dates, units and status alone', () => {
  let house: LinkedHouse
  before(async () => {
    const pms = playedPms()
    pms.sync.accepts = ['dates', 'units', 'status']
    house = await openLinkedHouse({ pms })
    await house.rooms(5)
  })
  after(() => house.stop())

  const conflicts = async () => (await house.state()).conflicts

  it('is not offered anything else, which is kept here and is no conflict', async () => {
    const { id, reservation, stay } = await bookedThere(house, 'T1', {
      comment: 'Theirs.',
      amount: { currency: 'EUR', amountWithTax: 90 },
    })
    await patch(house, stay, { comment: 'Ours.' })
    const [guest] = (await house.attributes(stay)).profiles
    await patch(house, `/api/v2/profiles/${guest.id}`, { lastName: 'Lovelace' })
    const paid = await house.ask('POST', `${stay}/actions/record-payment`, {
      body: { currency: 'EUR', amount: 4_550, brand: 'Visa' },
    })
    assert.equal(paid.status, 201, paid.text)
    await house.synchronise('push')
    await emptied(house)
    assert.deepEqual(offersOf(house, id), [])
    assert.equal(await conflicts(), 0)
    assert.partialDeepStrictEqual((await house.attributes(reservation)).sync, { state: 'Synced' })
  })

  it('does not undo it by telling again what it had', async () => {
    const { id, stay } = await bookedThere(house, 'T2', { comment: 'Theirs.' })
    await patch(house, stay, { comment: 'Ours.' })
    const [guest] = (await house.attributes(stay)).profiles
    await patch(house, `/api/v2/profiles/${guest.id}`, { lastName: 'Lovelace' })
    await patch(house, stay, { endDate: '2026-07-04' })
    await eventually('the date', () => house.pms.value('T2')?.stays[0]?.endDate === '2026-07-04')
    await emptied(house)
    const { value, changed } = offersOf(house, id).at(-1)!
    assert.deepEqual(changed, ['/stays/0/endDate'])
    assert.deepEqual(
      [value.stays[0]?.comment, value.stays[0]?.guests?.[0]?.lastName, value.payments],
      ['Theirs.', 'Byron', undefined],
    )
    house.pms.report('T2', { ...house.pms.value('T2')!, channel: 'Phone' })
    await house.synchronise('pull')
    const { lastName } = await house.attributes(`/api/v2/profiles/${guest.id}`)
    assert.deepEqual([(await house.attributes(stay)).comment, lastName], ['Ours.', 'Lovelace'])
    assert.equal(await conflicts(), 0)
    await emptied(house)
  })
})
