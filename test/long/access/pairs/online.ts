import assert from 'node:assert/strict'
import { blankCards } from '../../../../src/simulators/devices/simulated-card.ts'
import { type CardPath, take } from '../../../../src/simulators/devices/simulated-card-path.ts'
import type { OnlineSystem } from '../../../access/faults-online.ts'
import { until } from '../../../access/house-with-doors.ts'
import type { Ask } from '../../../appliance.ts'
import fc from '../../../seed.ts'
import { uidOf } from './doors.ts'
import {
  datesFrom,
  expectCovered,
  expectLive,
  guests,
  type KeyRow,
  lastGuest,
  type Opening,
  playedKeys,
  served,
  unitsOf,
} from './keys.ts'
import { settled } from './lobby.ts'
import { type Play, playsOf, type Running, type Scene, type Wired, type World, type Wrong } from './play.ts'

/** What people do with cards that a lock system writes. `take` is for a dispenser. */
export type OnlineDeed =
  | { do: 'issue'; guest: number; unit: number; nights: number }
  | { do: 'one-shot'; unit: number }
  | { do: 'block' | 'reencode' | 'end'; guest: number }
  | { do: 'wait'; how: 'short' | 'long' }
  | { do: 'take' | 'read' | 'restart' }

/** A lock system with an encoder: at a desk, where a new card lies for each key, or in a dispenser. */
export interface OnlinePlace extends Running {
  ask: Ask
  system: Pick<OnlineSystem, 'commands' | 'misbehaviours' | 'opening'>
  controllerId: string
  dispenser: { id: string; device: CardPath & Wired } | null
  now(): number
}

const unitNames = ['101', '102']
const unit = fc.nat({ max: unitNames.length - 1 })
const guest = fc.nat({ max: guests - 1 })
const word = <Word extends string>(...words: Word[]) => fc.constantFrom(...words)
const issue = fc.record({ do: word('issue'), guest, unit, nights: fc.constantFrom(2, 4) })

/** Some deeds with cards of a lock system, of which the first makes one. */
export function onlinePlays(
  place: 'desk' | 'dispenser',
  { kills }: { kills: boolean },
): fc.Arbitrary<Play<OnlineDeed>> {
  const wrong = word<Wrong['does']>('silence', 'late', 'garble', 'close', 'refuse', 'down')
  const killing = fc.constant<Wrong['does']>('kill')
  return playsOf<OnlineDeed>({
    first: issue,
    deed: fc.oneof(
      { weight: 6, arbitrary: issue },
      { weight: 3, arbitrary: fc.record({ do: word('block', 'reencode', 'end'), guest }) },
      { weight: 1, arbitrary: fc.record({ do: word('one-shot'), unit }) },
      { weight: 2, arbitrary: fc.record({ do: word('wait'), how: word('short', 'long') }) },
      { weight: 4, arbitrary: fc.record({ do: word('take', 'take', 'read', 'restart') }) },
    ),
    // Most of what passes there is the dispenser's.
    wires: place === 'desk' ? ['system'] : ['system', 'dispenser'],
    wrongs: fc.record({ does: kills ? fc.oneof({ weight: 3, arbitrary: killing }, wrong) : wrong }),
    reach: kills ? 3 : 5,
  })
}

/** The place as a world of plays. */
export function onlineWorld(place: OnlinePlace): World<OnlineDeed> {
  const { system, dispenser } = place
  const wires = { system, ...(dispenser && { dispenser: dispenser.device }) }
  return { ...place, wires, begin: (name) => sceneAt(place, name) }
}

function sceneAt(place: OnlinePlace, name: string): Scene<OnlineDeed> {
  const { system, controllerId, dispenser } = place
  const keys = playedKeys(place, name, () => ({ type: 'keyCard', ...datesFrom(place.now(), 0, 2) }))
  const cards = dispenser?.device ?? null
  cards?.stack.splice(0, cards.stack.length, ...blankCards(30, null, 'classic'))
  const one = `/api/v2/access/controllers/${controllerId}`

  return {
    async carryOut(deed) {
      const { asked, tell } = keys
      const unitName = 'unit' in deed ? unitNames[deed.unit]! : ''
      switch (deed.do) {
        case 'issue': {
          const dates = datesFrom(place.now(), 0, deed.nights)
          return void (await keys.put(deed.guest, unitName, dates).catch(() => null))
        }
        case 'one-shot':
          return void (await asked('POST', `${one}/one-shot-key`, { unitName }))
        case 'block':
        case 'reencode':
        case 'end':
          return tell(deed.guest, deed.do)
        case 'take':
          return void (cards && take(cards))
        case 'read':
          return void (await asked('GET', `${one}/key`))
        case 'wait':
          return place.pass(deed.how)
        case 'restart':
          return place.restart()
      }
    },
    settled: () => (dispenser ? settled({ ...place, dispenserId: dispenser.id }) : place.pass('long')),
    async expectTrue() {
      const rows = await keys.ofGuests()
      await expectCovered(keys, openings(), inDoubt)
      expectLive(rows, expectOpens)
    },
    async expectServed() {
      const { body, text } = await served(() => keys.put(lastGuest, unitNames[0]!), place.pass)
      if (cards) await taken(cards)
      const row: KeyRow = { id: body.data.id, ...body.data.attributes }
      expectOpens(row)
      // Whatever was in doubt there opens no more.
      assert.deepEqual(system.opening(unitNames[0]!), [row.uid], text)
      await place.pass('short')
      if (cards) cards.bin.length = cards.taken.length = 0
    },
  }

  function openings(): Opening[] {
    return unitNames.flatMap((unitName) => system.opening(unitName).map((uid) => ({ uid, unitName })))
  }

  /** Keys whose cards the lock system may have made without telling their serial numbers. */
  async function inDoubt(unitName: string): Promise<KeyRow[]> {
    const newest = await keys.rows(`filter[unitName]=${unitName}&filter[mayOpen]=true&sort=-id`)
    return newest.filter(({ uid }) => uid === null)
  }

  function expectOpens(row: KeyRow): void {
    const { uid } = row
    const isOpening = uid !== null && unitsOf(row).some((unitName) => system.opening(unitName).includes(uid))
    assert.ok(isOpening || mayBeReplaced(row, system), `a live key does not open: ${JSON.stringify(row)}`)
    const isInHand = !cards || cards.taken.some((card) => uidOf(card) === row.uid)
    assert.ok(isInHand, `a live key is on no card in a hand: ${JSON.stringify(row)}`)
  }
}

/**
 * Whether a card may have been ended where it was perhaps moved to: the move is stored as unknown, and since then another
 * guest has got an original of that unit.
 */
function mayBeReplaced({ uid, pendingChange }: KeyRow, system: OnlinePlace['system']): boolean {
  return pendingChange !== null && system.opening(pendingChange.unitName).some((other) => other !== uid)
}

async function taken(cards: CardPath): Promise<void> {
  await until(
    'his card at the gate',
    () => cards.at,
    (at) => at === 'gate',
  )
  take(cards)
}
