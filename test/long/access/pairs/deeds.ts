import fc from 'fast-check'
import type { Misbehaviour } from '../../../../src/devices/misbehaviour.ts'

/** What people do at a dispenser, one thing after the other. */
export type Deed =
  | { do: 'issue'; guest: number; unit: number }
  | { do: 'block'; guest: number }
  | { do: 'one-shot'; unit: number }
  | { do: 'wait'; how: 'short' | 'long' }
  | { do: 'place'; position: 'encoder' | 'front' | 'capture' | 'hold' }
  | { do: 'state'; state: 'initialize' | 'inactive' | 'active' }
  | { do: 'take' | 'use-door' | 'push-in' | 'hand-back' | 'read' | 'reset-cache' | 'restart' }

/** Something that goes wrong from a deed on. `kill`: the program dies as a device hears the command. */
export interface Fault {
  /** The deed before which it is set up. */
  before: number
  device: 'dispenser' | 'encoder'
  /** Which command of the device, as a number that is taken modulo how many there are; null is any. */
  command: number | null
  /** How many of these pass before. */
  skip: number
  does: Misbehaviour['does'] | 'kill'
}

export interface Play {
  /** Each with whether it is begun together with the next. */
  deeds: { deed: Deed; together: boolean }[]
  faults: [Fault, Fault]
}

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

const named = fc.record({ command: fc.nat({ max: 1_000 }), skip: number(3) })
/** The next command, or one of those that follow: making a card takes some twenty of each device. */
const anyCommand = fc.record({ command: fc.constant(null), skip: number(14) })

const fault = (length: number, kills: boolean): fc.Arbitrary<Fault> =>
  fc
    .record({
      before: number(length),
      device: word('dispenser', 'encoder'),
      which: fc.oneof({ weight: 3, arbitrary: anyCommand }, named),
      does: kills
        ? fc.oneof({ weight: 3, arbitrary: fc.constant('kill' as const) }, word('late', 'silence', 'close'))
        : word('silence', 'late', 'garble', 'close', 'refuse'),
    })
    .map(({ which, ...more }) => ({ ...more, ...which }))

/** Some deeds at one dispenser, of which the first makes a card, and in which two things go wrong. */
export function plays({ kills }: { kills: boolean }): fc.Arbitrary<Play> {
  const begun = fc.record({ deed: issue, together: fc.boolean() })
  const then = fc.array(fc.record({ deed, together: fc.boolean() }), { minLength: 1, maxLength: 5 })
  const deeds = fc.tuple(begun, then).map(([first, others]) => [first, ...others])
  return deeds.chain((some) =>
    fc.record({
      deeds: fc.constant(some),
      faults: fc.tuple(fault(1, kills), fault(Math.min(3, some.length), kills)),
    }),
  )
}
