import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { isLive } from '../../../src/reservation/status.ts'
import type { Offer, OfferAnswer } from '../../../src/upstream/sync-side.ts'
import { eventually, type LinkedHouse, openLinkedHouse } from './linked-house.ts'

let house: LinkedHouse
before(async () => {
  house = await openLinkedHouse()
})
after(() => house.stop())
beforeEach(() => house.pms.decide(inTurn))

type SharedUnits = { unitTypeCode: string; unitName: string | null }[]

const settled = () =>
  eventually('agreement', async () => {
    const { outbox, conflicts } = await house.state()
    return outbox === 0 && conflicts === 0
  })
const roomThere = (externalId: string) => house.pms.value(externalId)?.stays[0]?.units?.[0]?.unitName
const refusals = (): OfferAnswer & { is: 'refused' } => ({ is: 'refused', reason: 'That room is taken.' })

/** Looks at each offer as if it were the only one: a room that another has, with nights in common, cannot be had. */
function inTurn({ externalId, value }: Offer): OfferAnswer | null {
  const [stay] = value.stays
  const name = stay?.units?.[0]?.unitName
  if (stay?.status === 'InHouse' && !name) return { is: 'refused', reason: 'Where is the guest?' }
  const isTaken = [...house.pms.entries].some(([other, { value: theirs }]) => {
    const [its] = theirs?.stays ?? []
    if (!name || !its || other === externalId || !isLive(its.status ?? 'Confirmed')) return false
    const isSameTime = its.startDate < stay.endDate && stay.startDate < its.endDate
    return isSameTime && (its.units as SharedUnits | undefined)?.[0]?.unitName === name
  })
  return isTaken ? refusals() : null
}

interface Booked {
  path: string
  externalId: string
}

/** So many guests on the same nights, each in a room of his own on both sides; the line is cut, and the house knows it. */
async function guests(count: number, more: Record<string, unknown> = {}) {
  const { unitTypeId, unitIds } = await house.rooms(count)
  const all: Booked[] = []
  for (const unitId of unitIds) {
    const made = await house.stay({ units: [{ unitTypeId, unitId }], ...more })
    const nameThere = async () => String((await house.attributes(made.reservation)).externalId)
    await eventually('the room', async () => Boolean(roomThere(await nameThere())))
    all.push({ path: made.path, externalId: await nameThere() })
  }
  await settled()
  const names = all.map(({ externalId }) => roomThere(externalId))
  const gives = async ({ path }: Booked, unitId: string | null) => {
    const reply = await house.ask('PATCH', path, { body: { units: [{ unitTypeId, unitId }] } })
    assert.equal(reply.status, 204, reply.text)
  }
  /** The desk gives each the room of the next. */
  const moveOn = async () => {
    for (const each of all) await gives(each, null)
    for (const [at, each] of all.entries()) await gives(each, unitIds[(at + 1) % count]!)
  }
  const movedOn = names.map((_, at) => names[(at + 1) % count])
  return { all, names, movedOn, moveOn, there: () => all.map(({ externalId }) => roomThere(externalId)) }
}

describe('Rooms that a desk has given round while there was no line, at a PMS that takes one offer after the other', () => {
  it('are those of three guests there as well, of whom one is without a room for a moment', async () => {
    const { all, movedOn, moveOn, there } = await guests(3)
    house.pms.cut()
    await moveOn()
    const before = house.pms.offered.length
    house.pms.mend()
    await settled()
    assert.deepEqual(there(), movedOn)
    const without = house.pms.offered
      .slice(before)
      .filter(({ value }) => value.stays[0]?.units?.[0]?.unitName === null)
    assert.equal(without.length, 1)
    for (const { path } of all) assert.ok((await house.attributes(path)).units[0].unitId)
  })

  it('wait for the desk where the PMS will not let go of one either, and nothing is told for ever', async () => {
    const { all, names, movedOn, moveOn, there } = await guests(2)
    house.pms.decide((offer) => (offer.value.stays[0]?.units?.[0]?.unitName ? inTurn(offer) : refusals()))
    house.pms.cut()
    await moveOn()
    const before = house.pms.offered.length
    house.pms.mend()
    await eventually('two conflicts', async () => Number((await house.state()).conflicts) === 2)
    await house.errand('pull')
    const count = house.pms.offered.length
    assert.ok(count - before <= 2 * all.length, `${count - before} offers`)
    await house.errand('pull')
    assert.equal(house.pms.offered.length, count)
    assert.deepEqual(there(), names)
    const { data } = (await house.ask('GET', '/api/config/v1/sync-conflicts?filter[state]=open')).body
    for (const { attributes } of data) assert.match(attributes.sentence, /That room is taken/)

    house.pms.decide(inTurn)
    await house.errand('push')
    await settled()
    assert.deepEqual(there(), movedOn)
  })

  it('are not taken from guests who are in them', async () => {
    const { names, moveOn, there, all } = await guests(2, { status: 'InHouse' })
    house.pms.cut()
    await moveOn()
    house.pms.mend()
    await eventually('two conflicts', async () => Number((await house.state()).conflicts) === 2)
    await house.errand('pull')
    const without = house.pms.offered.filter(({ value }) => {
      const [stay] = value.stays
      return stay?.status === 'InHouse' && !stay.units?.[0]?.unitName
    })
    assert.deepEqual(without, [])
    assert.deepEqual(there(), names)
    assert.equal(all.length, 2)
  })
})
