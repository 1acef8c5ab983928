import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { DeviceFault } from '../../../src/devices/fault.ts'
import type { Offer, OfferAnswer } from '../../../src/pms/sync-contract.ts'
import { isLive } from '../../../src/reservation/stays/status-rules.ts'
import { aStay } from '../../reservation/api/house.ts'
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
/** What is done here is looked at a moment later: until then all is at rest as well. */
async function becomes(what: () => unknown, expected: unknown): Promise<void> {
  await eventually(`${JSON.stringify(expected)}`, () => isDeepStrictEqual(what(), expected))
  await settled()
}
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
    const isDayUse = its.startDate === stay.startDate
    const isSameTime = isDayUse || (its.startDate < stay.endDate && stay.startDate < its.endDate)
    return isSameTime && (its.units as SharedUnits | undefined)?.[0]?.unitName === name
  })
  return isTaken ? refusals() : null
}

const isWithout = ({ value }: Offer) => !value.stays[0]?.units?.[0]?.unitName

interface Booked {
  path: string
  externalId: string
}

/** So many guests on the same nights, each in a room of his own on both sides; the line is cut, and the house knows it. */
async function guests(count: number, more: (at: number) => Record<string, unknown> = () => ({})) {
  const { unitTypeId, unitIds } = await house.rooms(count)
  const all: Booked[] = []
  for (const [at, unitId] of unitIds.entries()) {
    const made = await house.stay({ units: [{ unitTypeId, unitId }], ...more(at) })
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
  return {
    all,
    unitTypeId,
    unitIds,
    names,
    movedOn,
    moveOn,
    gives,
    there: () => all.map(({ externalId }) => roomThere(externalId)),
  }
}

interface Conflict {
  id: string
  attributes: { sentence: string; reason: string }
}

async function openConflicts(): Promise<Conflict[]> {
  return (await house.ask('GET', '/api/config/v1/sync-conflicts?filter[state]=open')).body.data
}

async function policyIs(conflictPolicy: Record<string, string>) {
  const reply = await house.ask('PATCH', house.configuration, { body: { conflictPolicy } })
  assert.equal(reply.status, 204, reply.text)
}

describe('Rooms that a desk has given round while there was no line, at a PMS that takes one offer after the other', () => {
  it('are those of three guests there as well, of whom one is without a room for a moment', async () => {
    const { all, movedOn, moveOn, there } = await guests(3)
    house.pms.cut()
    await moveOn()
    const before = house.pms.offered.length
    house.pms.mend()
    await becomes(there, movedOn)
    const without = house.pms.offered.slice(before).filter(isWithout)
    assert.equal(without.length, 1)
    for (const { path } of all) assert.ok((await house.attributes(path)).units[0].unitId)
  })

  it('wait for the desk where the PMS will not let go of one either, and nothing is told for ever', async () => {
    const { all, names, movedOn, moveOn, there } = await guests(2)
    house.pms.decide((offer) => (isWithout(offer) ? refusals() : inTurn(offer)))
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
    for (const { attributes } of await openConflicts())
      assert.match(attributes.sentence, /That room is taken/)
    const headers = { 'Accept-Language': 'de' }
    const [conflict] = await openConflicts()
    const path = `/api/config/v1/sync-conflicts/${conflict!.id}`
    const { sentence, messages } = (await house.ask('GET', path, { headers })).body.data.attributes
    assert.match(sentence, /^Das PMS hat nicht angenommen, .*That room is taken/)
    assert.doesNotMatch(sentence, /[{}]|undefined/)
    assert.partialDeepStrictEqual(messages, [
      { code: 'conflict-refused', values: { refusal: 'That room is taken.' }, text: sentence },
    ])

    house.pms.decide(inTurn)
    await house.errand('push')
    await becomes(there, movedOn)
  })

  it('are those of guests who stay for some hours, and who have the same room on other nights', async () => {
    const hours = { startDate: '2026-07-10', endDate: '2026-07-10', startTime: '10:00', endTime: '16:00' }
    const ofHours = await guests(2, () => hours)
    const [before, after] = [
      { startDate: '2026-07-01', endDate: '2026-07-03' },
      { startDate: '2026-07-03', endDate: '2026-07-05' },
    ]
    const { all, names, there, unitTypeId, unitIds, gives } = await guests(2, (at) =>
      at === 0 ? before : after,
    )
    const [one, other] = [all[0]!, all[1]!]
    const changes = async ({ path }: Booked, body: object) => {
      const reply = await house.ask('PATCH', path, { body })
      assert.equal(reply.status, 204, reply.text)
    }
    await gives(other, unitIds[0]!)
    await becomes(there, [names[0], names[0]])
    house.pms.cut()
    await ofHours.moveOn()
    await gives(one, null)
    await changes(other, before)
    await changes(one, { ...after, units: [{ unitTypeId, unitId: unitIds[0]! }] })
    house.pms.mend()
    await becomes(ofHours.there, ofHours.movedOn)
    const arrivals = () =>
      [one, other].map(({ externalId }) => house.pms.value(externalId)?.stays[0]?.startDate)
    await becomes(arrivals, [after.startDate, before.startDate])
  })

  it('leave a guest of the same reservation who has left in the room to which he was moved', async () => {
    const { all, movedOn, moveOn, there } = await guests(2, (at) => (at === 0 ? { status: 'InHouse' } : {}))
    const [, { path, externalId }] = all as [Booked, Booked]
    const stays = path.slice(0, path.lastIndexOf('/'))
    const { unitTypeId, unitIds } = await house.rooms(2)
    const [had, moved] = unitIds.map((unitId) => [{ unitTypeId, unitId }])
    const other = await house.make(stays, { ...aStay, status: 'InHouse', units: had })
    const otherThere = () => house.pms.value(externalId)?.stays[1]?.status
    await becomes(otherThere, 'InHouse')
    house.pms.cut()
    await moveOn()
    for (const body of [{ units: moved }, { status: 'CheckedOut' }]) {
      const reply = await house.ask('PATCH', `${stays}/${other}`, { body })
      assert.equal(reply.status, 204, reply.text)
    }
    const before = house.pms.offered.length
    house.pms.mend()
    await becomes(there, movedOn)
    const without = house.pms.offered.slice(before).filter(isWithout)
    assert.equal(without.length, 1)
    for (const { value } of without) assert.ok(value.stays[1]?.units?.[0]?.unitName)
  })

  for (const units of ['Pms', 'Local']) {
    it(`are refused and no more where it takes that and keeps the room all the same, whoever decides on rooms: ${units}`, async () => {
      await policyIs({ units })
      const { all, names, moveOn, there } = await guests(2)
      let without = 0
      house.pms.decide((offer) => {
        if (!isWithout(offer)) return inTurn(offer)
        if (++without > 10) return refusals()
        const { externalId } = offer as { externalId: string }
        const { units } = house.pms.value(externalId)!.stays[0]!
        const value = {
          ...offer.value,
          stays: offer.value.stays.map((stay) => ({ ...stay, ...(units && { units }) })),
        }
        const { revision } = house.pms.tell(externalId, value)
        return { is: 'accepted', externalId, revision, value }
      })
      house.pms.cut()
      await moveOn()
      house.pms.mend()
      await eventually('two conflicts', async () => (await openConflicts()).length === 2)
      await house.errand('pull')
      assert.ok(without >= 1 && without <= all.length, `${without} offers without a room`)
      assert.deepEqual(there(), names)
      const reasons = (await openConflicts()).map(({ attributes }) => attributes.reason)
      assert.deepEqual(reasons, ['refused-by-pms', 'refused-by-pms'])
      house.pms.decide(inTurn)
      await house.errand('push')
      await settled()
      await policyIs({})
    })
  }

  it('are offered so again where the PMS has changed something else meanwhile', async () => {
    const { movedOn, moveOn, there } = await guests(2, (at) => (at === 0 ? { status: 'InHouse' } : {}))
    let changes = 1
    house.pms.decide((offer) => {
      const { externalId } = offer as { externalId: string }
      if (isWithout(offer) && changes-- > 0) {
        house.pms.tell(externalId, { ...house.pms.value(externalId)!, comment: 'With a cot.' })
      }
      return inTurn(offer)
    })
    house.pms.cut()
    await moveOn()
    house.pms.mend()
    await becomes(there, movedOn)
    assert.ok(changes < 0)
  })

  it('are told to the desk as what it gave, also where it goes on meanwhile', async () => {
    const { all, moveOn } = await guests(2)
    const reason = 'Never without a room.'
    house.pms.decide((offer) => (isWithout(offer) ? { is: 'refused', reason } : inTurn(offer)))
    const { push } = house.pms.sync
    house.pms.sync.push = async (offers, call) => {
      if (!offers.some(isWithout)) return push!(offers, call)
      house.pms.sync.push = push!
      for (const { path } of all) await house.ask('PATCH', path, { body: { comment: 'Comes late.' } })
      throw new DeviceFault('adapter-timeout', 'No answer.')
    }
    house.pms.cut()
    await moveOn()
    house.pms.mend()
    await eventually('an offer without an answer', () => house.pms.sync.push === push)
    await house.errand('pull')
    const { data } = (await house.ask('GET', '/api/config/v1/sync-conflicts?page[size]=100')).body
    const sentences = data.map(({ attributes }: Conflict) => attributes.sentence)
    assert.ok(house.pms.offered.some(isWithout))
    assert.deepEqual(
      sentences.filter((each: string) => each.includes(reason)),
      [],
    )
    house.pms.decide(inTurn)
    await house.errand('push')
    await settled()
  })

  it('are not taken from guests who are in them', async () => {
    const { names, moveOn, there, all } = await guests(2, () => ({ status: 'InHouse' }))
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
