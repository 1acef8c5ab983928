import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import {
  blankCards,
  type SimulatedCard,
  type Technology,
} from '../../src/simulators/devices/simulated-card.ts'
import type { Reply } from '../appliance.ts'
import { dispensers, type FaultHouse, type FaultLobby, faultLobby } from './faults-lobby.ts'
import { eachCell, type FaultTable } from './faults-table.ts'
import { idle, settledKey, until } from './house-with-doors.ts'

/** Where a card's way may end: where the card is, what its key is once all is well, and the unit's key of before. */
const outcomes: Record<string, string> = {
  nothing: 'none null live',
  'not fed': 'none failed live',
  captured: 'bin failed live',
  revoked: 'bin removed live',
  unerased: 'bin blocked live',
  served: 'taken live superseded',
}

const units = Array.from({ length: 16 }, (_, index) => String(201 + index))
let stays = 0
let turn = 0

/** What the lobby of a grid is made of; `classic` cards unless said. */
interface LobbyModels {
  dispenser: keyof typeof dispensers
  encoder: Parameters<typeof faultLobby>[1]
  technology?: Technology
}

/**
 * A test for each cell of the tables, each in the next unit of a lobby that stands for them all. The lobby is there when
 * the tests run.
 */
export function playTables(
  { dispenser, encoder, technology = 'classic' }: LobbyModels,
  tablesOf: (lobby: () => FaultLobby) => Record<string, FaultTable>,
): void {
  let lobby: FaultLobby
  before(async () => {
    const machine = dispensers[dispenser]()
    machine.cards.stack.push(...blankCards(10, null, technology))
    lobby = await faultLobby(machine, encoder, technology)
  })
  after(() => lobby.stop())
  for (const [name, table] of Object.entries(tablesOf(() => lobby)))
    describe(name, () => {
      eachCell(table, (wrong, cell) => playInLobby(lobby, units[turn++ % units.length]!, wrong, cell))
    })
}

/** Has the dispenser start again. */
export function startAnew({ house }: FaultLobby): Promise<Reply> {
  return house.ask('POST', `/api/v2/access/dispensers/${house.dispenserId}/reset-cache`)
}

/**
 * Plays one row: a guest has a key of the unit, the next one's is asked for while `wrong` happens, and then asked for
 * again with the same request. `cell` is the answer, with a `?` when its outcome is unknown, and the outcome's name.
 */
export async function playInLobby(
  lobby: FaultLobby,
  unitName: string,
  wrong: () => Promise<void>,
  cell: string,
): Promise<void> {
  const { house, dispenser, technology } = lobby
  const { cards } = dispenser
  const earlier = await servedStay(lobby, newStay(), unitName)
  const piles = [cards.bin, cards.taken]
  for (const pile of piles) pile.length = 0
  cards.stack.push(...blankCards(3, null, technology))

  const stay = newStay()
  await wrong()
  const reply = await lobby.put(stay, unitName)
  await expectTrue(lobby, stay, unitName, reply)
  if (reply.status === 200) await idle(house)
  heal(lobby)
  await idle(house)
  const row = await keyOf(lobby, stay)
  const status = row ? (await settledKey(house, row.id)).status : null
  const place = cards.taken.length > 0 ? 'taken' : cards.bin.length > 0 ? 'bin' : 'none'
  const seen = `${place} ${status} ${(await house.key(earlier.id)).status}`
  const name = Object.keys(outcomes).find((each) => outcomes[each] === seen) ?? seen
  // An encoder that is back too late cannot erase: the more careful end, and as true.
  const isCareful = name === 'unerased' && cell.endsWith('? captured')
  assert.equal(`${said(reply)} ${isCareful ? 'captured' : name}`, cell, reply.text)
  assert.ok(cards.taken.length <= 1 && cards.bin.length <= 1, 'more than one card was fed')
  await expectHonest(lobby, stay, unitName, earlier)

  const late = [...cards.bin]
  const next = await servedStay(lobby, stay, unitName)
  if (place === 'taken') assert.equal(next.id, row?.id)
  await expectOne(lobby, stay, unitName, next)
  for (const card of [earlier.card, ...late]) assert.doesNotMatch(house.present(card, unitName), /^opened/)
}

/** Has the key of a stay made, as a kiosk that asks again while a device starts. The guest has been at his door then. */
export async function servedStay(
  lobby: FaultLobby,
  stay: string,
  unitName: string,
): Promise<{ id: string; card: SimulatedCard }> {
  const { house, dispenser } = lobby
  await idle(house)
  const reply = await until(
    'a card',
    () => lobby.put(stay, unitName),
    ({ status }) => status !== 502,
  )
  assert.equal(reply.status, 200, reply.text)
  await idle(house)
  const card = dispenser.cards.taken.at(-1)!
  assert.equal(house.present(card, unitName), 'opened-newer')
  return { id: String(reply.body.data.id), card }
}

/** The moment that the answer is there: nothing within reach opens without a proven key, and a plain no is proven. */
async function expectTrue(lobby: FaultLobby, stay: string, unitName: string, reply: Reply): Promise<void> {
  const { house, dispenser } = lobby
  const row = await keyOf(lobby, stay)
  const { at, card, taken, bin } = dispenser.cards
  const reached = [...taken, ...(at === 'gate' && card ? [card] : [])]
  assert.ok(reached.length <= 1, 'two cards are within reach')
  for (const each of reached) {
    assert.deepEqual([row?.status, row?.verified], ['live', true], 'a card within reach is not proven')
    assert.equal(house.present(each, '101'), 'other-door')
  }
  if (reply.status !== 502 || reply.body.meta.outcomeUnknown) return
  for (const each of [...bin, ...(card ? [card] : [])])
    assert.doesNotMatch(house.present(each, unitName), /^opened/)
}

/** Whatever opens the door has a key that may. */
async function expectHonest(
  lobby: FaultLobby,
  stay: string,
  unitName: string,
  earlier: { id: string; card: SimulatedCard },
): Promise<void> {
  const { house, dispenser } = lobby
  const { bin, taken } = dispenser.cards
  assert.equal(house.present(earlier.card, unitName), 'opened', 'nobody used a newer card at the door')
  assert.equal((await house.key(earlier.id)).mayOpen, true)
  const row = await keyOf(lobby, stay)
  for (const card of bin)
    assert.ok(row?.mayOpen || !house.present(card, unitName).startsWith('opened'), 'a key that is gone opens')
  if (taken.length > 0) assert.equal(row?.mayOpen, true)
}

/** However often it is asked for, there is one key of the stay, and one card that opens. */
async function expectOne(
  lobby: FaultLobby,
  stay: string,
  unitName: string,
  next: { id: string; card: SimulatedCard },
): Promise<void> {
  const { house, dispenser } = lobby
  const stocked = dispenser.cards.stack.length
  const more = await lobby.put(stay, unitName)
  assert.deepEqual([more.status, more.body.data?.id], [200, next.id], more.text)
  const found = `/api/v2/access/keys?filter[externalId]=${stay}&filter[status]=live`
  assert.equal((await house.ask('GET', found)).body.data.length, 1)
  assert.deepEqual(
    [dispenser.cards.card, dispenser.cards.stack.length],
    [null, stocked],
    'another card was fed',
  )
  assert.equal(house.present(next.card, unitName), 'opened')
}

export function heal({ encoder, ...more }: FaultHouse & Partial<Pick<FaultLobby, 'dispenser'>>): void {
  encoder.misbehaviours.length = 0
  if (more.dispenser) more.dispenser.misbehaviours.length = 0
}

export function newStay(): string {
  return `FAULT-${++stays}`
}

/** The answer in a word: its status, or the 502's errorCode, with a `?` when its outcome is unknown. */
export function said({ status, body }: Reply): string {
  if (status !== 502) return String(status)
  const { errorCode, outcomeUnknown } = body.meta
  return `${errorCode}${outcomeUnknown ? '?' : ''}`
}

/** The newest key of a stay, whatever became of it; null when none was begun. */
export async function keyOf(
  { house }: { house: Pick<FaultHouse['house'], 'ask'> },
  stay: string,
): Promise<{ id: string; status: string; verified: boolean; mayOpen: boolean } | null> {
  const { body } = await house.ask('GET', `/api/v2/access/keys?filter[externalId]=${stay}&sort=-id`)
  const [row] = body.data
  return row ? { id: String(row.id), ...row.attributes } : null
}
