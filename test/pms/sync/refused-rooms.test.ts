import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Offer, OfferAnswer } from '../../../src/pms/sync-contract.ts'
import { isLive } from '../../../src/reservation/stays/rules/status-rules.ts'
import { eventually, type LinkedHouse, openLinkedHouse } from './linked-house.ts'

let house: LinkedHouse
before(async () => {
  house = await openLinkedHouse()
})
after(() => house.stop())
beforeEach(() => house.pms.decide(oneByOne))

const roomThere = (externalId: string) => house.pms.value(externalId)?.stays[0]?.units?.[0]?.unitName

/** Judges each change as if it were the only one: a room that another reservation has on the same nights is refused. */
function oneByOne({ externalId, value }: Offer): OfferAnswer | null {
  const [stay] = value.stays
  const name = stay?.units?.[0]?.unitName
  const isTaken = [...house.pms.entries].some(([other, { value: theirs }]) => {
    const [its] = theirs?.stays ?? []
    if (!name || !its || other === externalId || !isLive(its.status ?? 'Confirmed')) return false
    return its.startDate < stay.endDate && stay.startDate < its.endDate && roomThere(other) === name
  })
  return isTaken ? { is: 'refused', reason: 'That room is taken.' } : null
}

/** So many guests on the same nights, each in a room that both sides know; then the line is cut. */
async function guests(count: number) {
  const { unitTypeId, unitIds } = await house.rooms(count + 1)
  const all: { path: string; externalId: string }[] = []
  for (const unitId of unitIds.slice(0, count)) {
    const made = await house.stay({ units: [{ unitTypeId, unitId }] })
    const nameThere = async () => String((await house.attributes(made.reservation)).externalId)
    await eventually('the room', async () => Boolean(roomThere(await nameThere())))
    all.push({ path: made.path, externalId: await nameThere() })
  }
  const names = all.map(({ externalId }) => roomThere(externalId))
  house.pms.cut()
  const gives = async (at: number, unitId: string | null) => {
    const reply = await house.ask('PATCH', all[at]!.path, { body: { units: [{ unitTypeId, unitId }] } })
    assert.equal(reply.status, 204, reply.text)
  }
  return { names, unitIds, gives, there: () => all.map(({ externalId }) => roomThere(externalId)) }
}

const settled = () =>
  eventually('agreement', async () => {
    const { outbox, conflicts } = await house.state()
    return outbox === 0 && conflicts === 0
  })

describe('Rooms that a desk has changed without a line, at a PMS that judges one change after the other', () => {
  it('are accepted as soon as the PMS has the former guest elsewhere', async () => {
    const { unitIds, gives, there, names } = await guests(3)
    await gives(2, unitIds[3]!)
    await gives(1, unitIds[2]!)
    await gives(0, unitIds[1]!)
    house.pms.mend()
    await eventually('the rooms', () => there()[0] === names[1] && there()[1] === names[2])
    await settled()
  })

  it('are listed once each where they go round, until the desk takes one away', async () => {
    const { names, unitIds, gives, there } = await guests(2)
    await gives(0, null)
    await gives(1, unitIds[0]!)
    await gives(0, unitIds[1]!)
    const before = house.pms.offered.length
    house.pms.mend()
    await eventually('two conflicts', async () => Number((await house.state()).conflicts) === 2)
    await house.synchronise('pull')
    assert.deepEqual([there(), house.pms.offered.length - before], [names, 2])
    await gives(0, null)
    await eventually('the room', () => there()[1] === names[0])
    await gives(0, unitIds[1]!)
    await eventually('both', () => there()[0] === names[1])
    await settled()
  })
})
