import fc from '../../../seed.ts'
import { type Play, playsOf } from './play.ts'

/** What people do at a dispenser, one thing after the other. */
export type Deed =
  | { do: 'issue'; guest: number; unit: number }
  | { do: 'block'; guest: number }
  | { do: 'one-shot'; unit: number }
  | { do: 'wait'; how: 'short' | 'long' }
  | { do: 'place'; position: 'encoder' | 'front' | 'capture' | 'hold' }
  | { do: 'state'; state: 'initialize' | 'inactive' | 'active' }
  | { do: 'take' | 'use-door' | 'push-in' | 'hand-back' | 'read' | 'reset-cache' | 'restart' }

const guests = 2
const units = 2
const number = (below: number) => fc.nat({ max: below - 1 })
const word = <Word extends string>(...words: Word[]) => fc.constantFrom(...words)

const issue = fc.record({ do: fc.constant('issue' as const), guest: number(guests), unit: number(units) })

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 8, arbitrary: issue },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('take' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), how: word('short', 'long') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('block' as const), guest: number(guests) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('one-shot' as const), unit: number(units) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      position: word('encoder', 'front', 'capture', 'hold'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('state' as const),
      state: word('initialize', 'inactive', 'active'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: word('use-door', 'push-in', 'hand-back', 'read', 'reset-cache', 'restart') }),
  },
)

const wrongs = (kills: boolean) =>
  fc.record({
    does: kills
      ? fc.oneof({ weight: 3, arbitrary: fc.constant('kill' as const) }, word('late', 'silence', 'close'))
      : word('silence', 'late', 'garble', 'close', 'refuse'),
  })

/** Some deeds at one dispenser, of which the first makes a card: making one takes some twenty commands of each device. */
export function plays({ kills }: { kills: boolean }): fc.Arbitrary<Play<Deed>> {
  return playsOf({ first: issue, deed, wires: ['dispenser', 'encoder'], wrongs: wrongs(kills), reach: 14 })
}
