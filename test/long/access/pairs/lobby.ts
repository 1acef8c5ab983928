import assert from 'node:assert/strict'
import {
  blankCards,
  type SimulatedCard,
  type Technology,
} from '../../../../src/simulators/devices/simulated-card.ts'
import { type CardPath, insert, take } from '../../../../src/simulators/devices/simulated-card-path.ts'
import type { Player } from '../../../access/faults-lobby.ts'
import { until } from '../../../access/house-with-doors.ts'
import type { Ask } from '../../../appliance.ts'
import type { Deed } from './deeds.ts'
import { doorsOfUnits, uidOf } from './doors.ts'
import { datesFrom, expectCovered, expectLive, type KeyRow, lastGuest, playedKeys } from './keys.ts'
import type { Running, Scene, World } from './play.ts'

/** A lobby in which plays are played, one after the other. */
export interface Lobby extends Running {
  ask: Ask
  dispenserId: string
  controllerId: string
  cards: CardPath
  technology: Technology
  dispenser: Player
  encoder: Player
  now(): number
}

const unitNames = ['101', '102']

/** The lobby as a world of plays. */
export function lobbyWorld(lobby: Lobby): World<Deed> {
  const { dispenser, encoder } = lobby
  return { ...lobby, wires: { dispenser, encoder }, begin: (name) => sceneIn(lobby, name) }
}

function sceneIn(world: Lobby, name: string): Scene<Deed> {
  const keys = playedKeys(world, name, () => ({ type: 'keyCard', ...datesFrom(world.now(), -1, 3) }))
  const doors = doorsOfUnits(world.now)
  const { cards } = world
  /** Cards of this play, wherever they are. */
  const all = new Set<SimulatedCard>()
  cards.stack.splice(0, cards.stack.length, ...blankCards(30, null, world.technology))
  for (const card of cards.stack) all.add(card)
  return { carryOut, settled: () => settled(world), expectTrue, expectServed }

  async function carryOut(deed: Deed): Promise<void> {
    const { dispenserId, controllerId } = world
    const { asked } = keys
    const machine = `/api/v2/access/dispensers/${dispenserId}`
    switch (deed.do) {
      case 'issue':
        // The program may die while it is asked.
        return void (await keys.put(deed.guest, unitNames[deed.unit]!).catch(() => null))
      case 'one-shot': {
        const body = { unitName: unitNames[deed.unit] }
        return void (await asked('POST', `/api/v2/access/controllers/${controllerId}/one-shot-key`, body))
      }
      case 'block':
        return keys.tell(deed.guest, 'block')
      case 'place':
        return void (await asked('PUT', `${machine}/place-card/${deed.position}`))
      case 'state':
        return void (await asked('PUT', `${machine}/status/${deed.state}`))
      case 'reset-cache':
        return void (await asked('POST', `${machine}/reset-cache`))
      case 'read':
        return void (await asked('GET', `/api/v2/access/controllers/${controllerId}/key`))
      case 'hand-back': {
        await asked('PUT', `${machine}/status/accepting`)
        const card = cards.taken.at(-1)
        if (card && insert(cards, card)) cards.taken.pop()
        return
      }
      case 'push-in': {
        const card = cards.taken.at(-1)
        if (!card || cards.card || cards.at !== 'none') return
        cards.taken.pop()
        return void Object.assign(cards, { card, at: 'gate' })
      }
      case 'use-door': {
        const card = cards.taken.at(-1)
        if (card) for (const unitName of unitNames) doors.use(card, unitName)
        return
      }
      case 'take':
        if (cards.at === 'gate') await expectProven(cards.card!)
        return void take(cards)
      case 'wait':
        return world.pass(deed.how)
      case 'restart':
        return world.restart()
    }
  }

  /** What comes into a hand and opens a door was proven before. */
  async function expectProven(card: SimulatedCard): Promise<void> {
    const opened = unitNames.filter((unitName) => doors.opens(card, unitName))
    if (opened.length === 0) return
    const rows = await keys.rows(`filter[uid]=${uidOf(card)}`).catch(() => null)
    // The program is dead, and was asked nothing.
    if (!rows) return
    for (const unitName of opened)
      assert.ok(
        rows.some((row) => row.unitName === unitName && row.verified && row.mayOpen),
        `an unproven card for ${unitName} is within reach: ${JSON.stringify(rows)}`,
      )
  }

  /** No dead key opens; every key that is live is on a card in a hand that opens its door. */
  async function expectTrue(): Promise<void> {
    await expectCovered(keys, doors.openings(all, unitNames))
    expectLive(await keys.ofGuests(), expectInHand)
  }

  function expectInHand(row: KeyRow): void {
    const card = cards.taken.find((each) => uidOf(each) === row.uid)
    assert.ok(card, `a live key is on no card in a hand: ${JSON.stringify(row)}, ${whereIs(row.uid)}`)
    assert.ok(doors.opens(card, row.unitName), `a live key does not open: ${JSON.stringify(row)}`)
  }

  function whereIs(uid: string | null): string {
    const isIt = (card: SimulatedCard | null) => card !== null && uidOf(card) === uid
    return isIt(cards.card)
      ? `it is at ${cards.at}`
      : cards.bin.some(isIt)
        ? 'it is in the bin'
        : 'it is nowhere'
  }

  /** Whoever comes next gets a card that opens. */
  async function expectServed(): Promise<void> {
    const reply = await until(
      'a card for the next guest',
      () => keys.put(lastGuest, '103'),
      ({ status }) => status === 200,
    )
    const before = cards.taken.length
    await until(
      'his card at the gate',
      () => cards.at,
      (place) => place === 'gate',
    )
    take(cards)
    const card = cards.taken[before]!
    assert.ok(doors.opens(card, '103'), `the next guest's card opens nothing: ${reply.text}`)
    await world.pass('short')
    // For the next play: no card is left anywhere.
    cards.bin.length = cards.taken.length = 0
    assert.equal(cards.card, null)
  }
}

/** Resolves when the dispenser is at rest: a card at the gate is left there until its time is over. */
export async function settled(world: Pick<Lobby, 'ask' | 'dispenserId' | 'pass'>): Promise<void> {
  const machine = `/api/v2/access/dispensers/${world.dispenserId}`
  await until(
    'service',
    () => world.ask('PUT', `${machine}/status/active`),
    ({ status }) => status === 204,
  )
  await world.pass('long')
  await until(
    'a machine at rest',
    async () => (await world.ask('GET', `${machine}/status`)).body.data.attributes,
    ({ state, online, cardPosition, guestWaiting }) =>
      state === 'active' && online === true && cardPosition !== 'gate' && guestWaiting === null,
  )
}
