import assert from 'node:assert/strict'
import { blankCards, type SimulatedCard } from '../../../../src/simulators/devices/simulated-card.ts'
import type { Player } from '../../../access/faults-lobby.ts'
import type { Ask } from '../../../appliance.ts'
import fc from '../../../seed.ts'
import { doorsOfUnits, uidOf } from './doors.ts'
import {
  datesFrom,
  expectCovered,
  expectLive,
  guests,
  type KeyRow,
  lastGuest,
  playedKeys,
  served,
} from './keys.ts'
import { type Play, playsOf, type Running, type Scene, type World } from './play.ts'

/** What people do at a desk. `lay`: a new card in place of what lies on the encoder; `lay-back`: one of a guest. */
export type DeskDeed =
  | { do: 'issue'; guest: number; unit: number }
  | { do: 'one-shot'; unit: number }
  | { do: 'block' | 'reencode' | 'end'; guest: number }
  | { do: 'wait'; how: 'short' | 'long' }
  | { do: 'lay' | 'lay-back' | 'lift' | 'use-door' | 'read' | 'erase' | 'restart' }

/** A desk with an encoder, on which hands lay cards down. */
export interface Desk extends Running {
  ask: Ask
  controllerId: string
  encoder: Player
  /** What lies on it, at most one card. */
  lying: SimulatedCard[]
  now(): number
}

const unitNames = ['101', '102']
const unit = fc.nat({ max: unitNames.length - 1 })
const guest = fc.nat({ max: guests - 1 })
const word = <Word extends string>(...words: Word[]) => fc.constantFrom(...words)
const issue = fc.record({ do: word('issue'), guest, unit })

/** Some deeds at a desk, of which the first makes a card. */
export function deskPlays(): fc.Arbitrary<Play<DeskDeed>> {
  return playsOf<DeskDeed>({
    first: issue,
    deed: fc.oneof(
      { weight: 6, arbitrary: issue },
      { weight: 4, arbitrary: fc.record({ do: word('lay', 'lay-back', 'lift') }) },
      { weight: 2, arbitrary: fc.record({ do: word('block', 'reencode', 'end'), guest }) },
      { weight: 1, arbitrary: fc.record({ do: word('one-shot'), unit }) },
      { weight: 1, arbitrary: fc.record({ do: word('wait'), how: word('short', 'long') }) },
      { weight: 3, arbitrary: fc.record({ do: word('use-door', 'read', 'erase', 'restart') }) },
    ),
    wires: ['encoder'],
    wrongs: fc.record({ does: word('silence', 'late', 'garble', 'close', 'refuse', 'down') }),
    reach: 30,
  })
}

/** The desk as a world of plays. */
export function deskWorld(desk: Desk): World<DeskDeed> {
  return { ...desk, wires: { encoder: desk.encoder }, begin: (name) => sceneAt(desk, name) }
}

function sceneAt(desk: Desk, name: string): Scene<DeskDeed> {
  const { lying, controllerId } = desk
  const keys = playedKeys(desk, name, () => ({ type: 'keyCard', ...datesFrom(desk.now(), -1, 3) }))
  const doors = doorsOfUnits(desk.now)
  const one = `/api/v2/access/controllers/${controllerId}`
  /** Cards of this play; those that were lifted are in hands. */
  const all: SimulatedCard[] = []
  lay()

  function lay(card = blankCards(1, null, 'classic')[0]!): SimulatedCard {
    if (!all.includes(card)) all.push(card)
    lying.splice(0, 1, card)
    return card
  }

  return {
    async carryOut(deed) {
      const { asked, tell } = keys
      const unitName = 'unit' in deed ? unitNames[deed.unit]! : ''
      switch (deed.do) {
        case 'issue':
          return void (await keys.put(deed.guest, unitName).catch(() => null))
        case 'one-shot':
          return void (await asked('POST', `${one}/one-shot-key`, { unitName }))
        case 'block':
        case 'reencode':
        case 'end':
          return tell(deed.guest, deed.do)
        case 'lay':
          return void lay()
        case 'lay-back':
          return void lay(all[0])
        case 'lift':
          return void lying.splice(0, 1)
        case 'use-door':
          for (const each of unitNames) doors.use(all.at(-1)!, each)
          return
        case 'read':
          return void (await asked('GET', `${one}/key`))
        case 'erase':
          return void (await asked('DELETE', `${one}/key`))
        case 'wait':
          return desk.pass(deed.how)
        case 'restart':
          return desk.restart()
      }
    },
    settled: () => desk.pass('long'),
    async expectTrue() {
      await expectCovered(keys, doors.openings(all, unitNames))
      expectLive(await keys.ofGuests(), expectOpens)
    },
    async expectServed() {
      const card = lay()
      const reply = await served(() => keys.put(lastGuest, '103'), desk.pass)
      assert.ok(doors.opens(card, '103'), `the next guest's card opens nothing: ${reply.text}`)
    },
  }

  function expectOpens(row: KeyRow): void {
    const card = all.find((each) => uidOf(each) === row.uid)
    assert.ok(card && doors.opens(card, row.unitName), `a live key does not open: ${JSON.stringify(row)}`)
  }
}
