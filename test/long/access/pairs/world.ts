import assert from 'node:assert/strict'
import { blankCards, type SimulatedCard, type Technology } from '../../../../src/devices/simulated-card.ts'
import { type CardPath, insert, take } from '../../../../src/devices/simulated-card-path.ts'
import type { Player } from '../../../access/faults-lobby.ts'
import { until } from '../../../access/house-with-doors.ts'
import type { Ask, Reply } from '../../../appliance.ts'
import type { Deed, Fault, Play } from './deeds.ts'
import { doorsOfUnits } from './doors.ts'

/** A lobby in which plays are played, one after the other. */
export interface World {
  ask: Ask
  dispenserId: string
  controllerId: string
  cards: CardPath
  technology: Technology
  dispenser: Player
  encoder: Player
  now(): number
  /** Lets time go by: some looks of a watcher, or longer than a card is left at the gate. */
  pass(how: 'short' | 'long'): Promise<void>
  restart(): Promise<void>
  /** Ends the program where it stands. */
  kill(): void
  /** Starts it again if it was killed. */
  revive(): Promise<void>
}

interface KeyRow {
  id: string
  status: string
  uid: string | null
  unitName: string
  mayOpen: boolean
  verified: boolean
  proof: string | null
}

const unitNames = ['101', '102']
let plays = 0

/** Plays it, and answers how many of its faults have struck. Holds what is then in hands, bin and machine against what the store says of it. */
export async function play(world: World, { deeds, faults }: Play): Promise<number> {
  const number = ++plays
  const stay = (guest: number) => `PLAY-${number}-${guest}`
  const doors = doorsOfUnits(world.now)
  const { cards } = world
  /** Cards of this play, wherever they are. */
  const all = new Set<SimulatedCard>()
  cards.stack.splice(0, cards.stack.length, ...blankCards(30, null, world.technology))
  for (const card of cards.stack) all.add(card)

  const begun: Promise<void>[] = []
  for (const [index, { deed, together }] of deeds.entries()) {
    // Whatever is still to go wrong may go wrong as it recovers.
    await world.revive()
    for (const fault of faults) if (fault.before === index) strike(world, fault)
    const done = carryOut(deed)
    begun.push(done)
    // One program at a time.
    if (!together || deed.do === 'restart') await done
  }
  const struck = 2 - waiting(world)
  await settled(world, begun)
  await expectTrue()
  await expectServed()
  await clear(world)
  return struck

  async function carryOut(deed: Deed): Promise<void> {
    const { ask, dispenserId, controllerId } = world
    const machine = `/api/v2/access/dispensers/${dispenserId}`
    // The program may die while it is asked.
    const asked = (method: string, path: string, body?: object) =>
      ask(method, path, body ? { body } : {}).catch(() => null)
    switch (deed.do) {
      case 'issue':
        return void (await put(stay(deed.guest), unitNames[deed.unit]!).catch(() => null))
      case 'one-shot': {
        const body = { unitName: unitNames[deed.unit] }
        return void (await asked('POST', `/api/v2/access/controllers/${controllerId}/one-shot-key`, body))
      }
      case 'block': {
        const [newest] = await keysOf(`filter[externalId]=${stay(deed.guest)}&sort=-id`).catch(() => [])
        if (newest) await asked('POST', `/api/v2/access/keys/${newest.id}/actions/block`)
        return
      }
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

  function put(externalId: string, unitName: string): Promise<Reply> {
    const dates = { startDate: '2026-06-01', endDate: '2026-06-03' }
    const path = `/api/v2/access/controllers/${world.controllerId}/keys/by-reservation/${externalId}`
    return world.ask('PUT', path, { body: { type: 'keyCard', unitName, original: true, ...dates } })
  }

  async function keysOf(filter: string): Promise<KeyRow[]> {
    const { body } = await world.ask('GET', `/api/v2/access/keys?${filter}&page[size]=100`)
    return body.data.map(({ id, attributes }: { id: string; attributes: object }) => ({ id, ...attributes }))
  }

  /** What comes into a hand and opens a door was proven before. */
  async function expectProven(card: SimulatedCard): Promise<void> {
    const opened = unitNames.filter((unitName) => doors.opens(card, unitName))
    if (opened.length === 0) return
    const rows = await keysOf(`filter[uid]=${uidOf(card)}`).catch(() => null)
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
    for (const card of all)
      for (const unitName of unitNames.filter((each) => doors.opens(card, each))) {
        const rows = await keysOf(`filter[uid]=${uidOf(card)}`)
        const covers = rows.some((row) => row.unitName === unitName && row.mayOpen)
        assert.ok(covers, `a card opens ${unitName}, and its keys are ${JSON.stringify(rows)}`)
      }
    for (const guest of [0, 1]) {
      for (const row of await keysOf(`filter[externalId]=${stay(guest)}`)) {
        assert.ok(row.status !== 'pendingWrite', `a key is left half made: ${JSON.stringify(row)}`)
        if (row.status === 'live') expectInHand(row)
        if (row.proof !== null) assert.equal(row.mayOpen, false)
      }
    }
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
      () => put(stay(9), '103'),
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
  }
}

/** Faults that have not met their command. */
function waiting({ dispenser, encoder }: World): number {
  return new Set([...dispenser.misbehaviours, ...encoder.misbehaviours]).size
}

function strike(world: World, { device, command, skip, does }: Fault): void {
  const player = world[device]
  const at = command === null ? '*' : player.commands[command % player.commands.length]!
  const then = world.kill
  if (does === 'kill') player.misbehaviours.push({ at, skip, does: 'pass', then })
  else player.misbehaviours.push({ at, skip, does })
}

/** All is well again, and what is under way has ended: a card at the gate is left there until its time is over. */
async function settled(world: World, begun: Promise<void>[]): Promise<void> {
  for (const { misbehaviours } of [world.dispenser, world.encoder]) misbehaviours.length = 0
  await Promise.all(begun)
  await world.revive()
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

/** For the next play: no card is left anywhere. */
async function clear({ cards }: World): Promise<void> {
  cards.bin.length = cards.taken.length = 0
  assert.equal(cards.card, null)
}

function uidOf(card: SimulatedCard): string {
  return Buffer.from(card.uid).toString('hex').toUpperCase()
}
