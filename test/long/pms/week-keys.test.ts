import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seed } from '../../seed.ts'
import {
  type Conflict,
  type KeysWeek,
  liveApart,
  makeCard,
  openKeysWeek,
  patchStay,
  roomOf,
  stayIn,
} from './week/keys-week.ts'
import { httpLine, mqttLine } from './week/line.ts'
import type { Plain } from './week/plain.ts'
import { expectNobodyShares } from './week/week.ts'

/** Another one: `TEST_SEED=7 node --test test/long/pms/week-keys.test.ts`. */

type Book = ReadonlyMap<string, Plain>

describe(`guests who get their cards while there is no line, with seed ${seed}`, () => {
  for (const [name, line] of [
    ['HTTP', httpLine],
    ['MQTT', mqttLine],
  ] as const) {
    it(`keep the rooms that their cards open, over ${name}, whatever the PMS has done with them`, async (t) => {
      const week = await openKeysWeek(t, { seed, line })
      await week.line.cut()
      await liveApart(week)
      const [before, wanted] = [await week.book(), wantedThere(week)]
      const keyed = await keyedIn(week)
      await week.line.mend()
      await week.rest()
      t.diagnostic(JSON.stringify(week.did))

      const after = await week.book()
      const shared = await week.conflicts('&filter[reason]=double-booked&filter[state]=open')
      assert.ok(shared.length > 0, 'the PMS has given somebody else a room that a card opens')
      expectPhysicalFacts(keyed, before, after, new Set(shared.map(({ stayId }) => stayId)))
      await expectKeysOfTheirOwn(week, after)
      await expectListed(week, { keyed, before, after, wanted })
      await expectNothingMore(week)
      await expectNobodyMovedByChoice(week)
      await agreeToAll(week)
      const agreed = await week.book()
      expectPhysicalFacts(keyed, before, agreed)
      assert.deepEqual([...week.differing(agreed)], [])
      await expectNewGuestsAlone(week, agreed)
      await movesWhenTheKeyIsEnded(week)
    })
  }
})

/** Stays of which a card is out, as the PMS calls the reservation, with the room that it opens. */
async function keyedIn(week: KeysWeek): Promise<Map<string, string>> {
  const book = await week.book()
  const keyed = new Map<string, string>()
  for (const { keyId, unitName, of } of week.issued) {
    if ((await week.statusOf(keyId)) !== 'live') continue
    const [name] = [...book].find(([, { stays }]) => stays[0]!.externalId === of)!
    keyed.set(name, unitName)
  }
  assert.ok(keyed.size > 4, `${keyed.size} cards are out`)
  return keyed
}

/** What the PMS has made of its guests by itself. */
function wantedThere({ pms, names }: KeysWeek) {
  return new Map(names.map((name) => [name, pms.book.reservations.get(name)!.value?.stays[0] ?? null]))
}

/** Nobody who is in is put out, and nobody is moved while a card of his is out. */
function expectPhysicalFacts(
  keyed: ReadonlyMap<string, string>,
  before: Book,
  after: Book,
  shared: ReadonlySet<string> = new Set(),
): void {
  for (const [name, was] of before) {
    const [had, has] = [was.stays[0]!, stayIn(after, name)]
    if (had.status === 'InHouse' || had.status === 'CheckedOut') assert.equal(has.status, had.status, name)
    if (had.status === 'InHouse') assert.notEqual(roomOf(has), null, name)
    if (keyed.has(name) && has.status !== 'Canceled') assert.equal(roomOf(has), keyed.get(name), name)
  }
  expectNobodyShares(after, shared)
}

/** Of each key that is alive, the stay has the room; of each that is dead, it is known that it may open still. */
async function expectKeysOfTheirOwn(week: KeysWeek, book: Book): Promise<void> {
  const stays = new Map([...book.values()].map(({ stays: [stay] }) => [stay!.externalId, stay!]))
  for (const { keyId, unitName, of } of week.issued) {
    const [status, stay] = [await week.statusOf(keyId), stays.get(of)!]
    if (status === 'live')
      assert.deepEqual([roomOf(stay), ['Confirmed', 'InHouse'].includes(stay.status!)], [unitName, true])
    else assert.ok(['superseded', 'revocationPending'].includes(status), `${of}: ${status}`)
  }
}

interface Listed {
  keyed: ReadonlyMap<string, string>
  before: Book
  after: Book
  wanted: ReturnType<typeof wantedThere>
}

/** What the PMS wanted against a fact is a conflict with a sentence; and the sides differ in nothing that is not one. */
async function expectListed(week: KeysWeek, { keyed, before, after, wanted }: Listed): Promise<void> {
  const conflicts = Map.groupBy(await week.conflicts(), ({ reservationId }) => reservationId)
  const of = (name: string): Conflict[] => conflicts.get(after.get(name)!.localId) ?? []
  let moved = 0
  for (const [name, theirs] of wanted) {
    const had = stayIn(before, name)
    const isMoved = theirs && theirs.status !== 'Canceled' && roomOf(theirs) !== roomOf(had)
    if (isMoved && keyed.has(name)) {
      moved++
      const [conflict] = of(name).filter(({ reason }) => reason === 'key-is-out')
      assert.match(
        conflict?.sentence ?? `${name} has none`,
        new RegExp(`A key for it is out: ${keyed.get(name)} counts`),
      )
    }
    const isOver = !theirs || theirs.status === 'Canceled'
    if (isOver && had.status === 'InHouse')
      assert.match(
        of(name)
          .map(({ sentence }) => sentence)
          .join(),
        /the guest is here, or was/,
      )
  }
  assert.ok(moved > 1, `${moved} with a card were moved`)
  for (const [name, differences] of week.differing(after)) {
    const open = of(name).filter(({ state }) => state === 'open')
    const reasons = open.map(({ reason }) => reason)
    assert.ok(reasons.includes('refused-by-pms') || reasons.includes('unit-taken'), `${name}: ${differences}`)
    const room = roomOf(stayIn(after, name)) ?? roomOf(week.pms.book.reservations.get(name)!.value!.stays[0]!)
    assert.ok(
      open.some(({ sentence }) => sentence.includes(room!)),
      open.map(({ sentence }) => sentence).join(),
    )
  }
}

/** Another round finds nothing to do. */
async function expectNothingMore(week: KeysWeek): Promise<void> {
  const state = async () => [
    await week.book(),
    await week.conflicts(),
    [...week.pms.book.reservations.values()].map(({ externalId, revision }) => [externalId, revision]),
  ]
  const once = await state()
  for (let round = 0; round < 3; round++) await week.synchronise('pull')
  await week.rest()
  assert.deepEqual(await state(), once)
}

async function expectNobodyMovedByChoice(week: KeysWeek): Promise<void> {
  const held = await week.conflicts('&filter[reason]=key-is-out&filter[state]=open')
  for (const { id } of held) {
    const reply = await week.choose(id, 'Pms')
    assert.equal(reply.body.errors?.[0].code, 'unit-change-refused', reply.text)
  }
}

/** Somebody at the desk says of each that what counts shall count. */
async function agreeToAll(week: KeysWeek): Promise<void> {
  for (let round = 0; round < 5; round++) {
    const open = await week.conflicts('&filter[state]=open')
    for (const { id } of open) {
      const reply = await week.house.ask('POST', `/api/config/v1/sync-conflicts/${id}/actions/accept`)
      assert.equal(reply.status, 200, reply.text)
    }
    await week.rest()
    if (open.length === 0) return
  }
  assert.fail('there is always another conflict')
}

/** Who comes into a room of which others have had cards is the only one whose card opens it. */
async function expectNewGuestsAlone(week: KeysWeek, book: Book): Promise<void> {
  const { doors, issued, house } = week
  house.clock.advance(Date.UTC(2026, 5, 3, 19) - house.clock.now())
  const had = new Set(issued.map(({ unitName }) => unitName))
  const inside = [...book.values()].flatMap(({ stays: [stay] }) =>
    stay!.status === 'InHouse' ? roomOf(stay!) : [],
  )
  const coming = [...book.values()].filter(({ stays: [stay] }) => {
    const room = roomOf(stay!)
    return (
      stay!.status === 'Confirmed' &&
      stay!.startDate === '2026-06-03' &&
      room &&
      had.has(room) &&
      !inside.includes(room)
    )
  })
  for (const guest of coming) {
    const room = roomOf(guest.stays[0]!)!
    const others = issued.filter(({ unitName }) => unitName === room)
    await clean(week, room)
    await patchStay(week, guest, { status: 'InHouse' })
    await makeCard(week, guest.stays[0]!)
    assert.match(doors.present(issued.at(-1)!.card, room), /^opened/)
    for (const { card } of others) assert.doesNotMatch(doors.present(card, room), /^opened/, room)
  }
  assert.ok(coming.length > 0, 'somebody comes into a room that was another’s')
}

async function clean({ house }: KeysWeek, unitName: string): Promise<void> {
  const { body } = await house.ask('GET', `/api/v2/units?filter[name]=${unitName}`)
  const { status } = await house.ask('PATCH', `/api/v2/units/${body.data[0].id}`, {
    body: { status: 'Inspected' },
  })
  assert.equal(status, 204)
}

/** When the card is there again, the PMS’s word can be had, and then both have it. */
async function movesWhenTheKeyIsEnded(week: KeysWeek): Promise<void> {
  const book = await week.book()
  const taken = [...book.values()].map(({ stays }) => roomOf(stays[0]!))
  const held = await week.conflicts('&filter[reason]=key-is-out&filter[state]=accepted')
  const free = held.find(({ stayId, upstream }) => {
    const room = roomOf({ units: upstream[`/stays/${stayId}/units`] as never })
    return room && !taken.includes(room)
  })
  assert.ok(free, 'one of them could be moved')
  const [name, { stays }] = [...book].find(([, { localId }]) => localId === free.reservationId)!
  for (const { keyId, of } of week.issued) {
    if (of !== stays[0]!.externalId) continue
    const { status } = await week.house.ask('DELETE', `/api/v2/access/keys/${keyId}`)
    assert.equal(status, 204)
  }
  const reply = await week.choose(free.id, 'Pms')
  assert.equal(reply.status, 200, reply.text)
  await week.rest()
  const after = await week.book()
  assert.notEqual(roomOf(stayIn(after, name)), roomOf(stays[0]!))
  assert.deepEqual([...week.differing(after)], [])
  expectNobodyShares(after)
}
