import type { Key } from '../../resources/key.ts'

/** What is known at one unit when a key for it is asked. "Others" are stays outside the party of the key's stay. */
export interface AtDoor {
  usage?: Key['usage'] | undefined
  original: boolean
  /** The stay of the key is Confirmed or InHouse, and has the unit. */
  holds: boolean
  /** It is in house in the unit. */
  isIn: boolean
  /** The key names no stay that is stored here, or one without a unit yet: it may turn out to have this one. */
  mayHold: boolean
  /** How many others are in house in the unit, and how many of them belong to the reservation of the key. */
  others: number
  companions: number
  /** How many live keys others in house have of a door without a unit, such as a locker. */
  keysOfOthers: number
  /**
   * Others in house who have another unit, and a live key of this one from before the stay of the key checked in: they
   * may not have moved yet. 0 for a key that ends no key.
   */
  leaving: number
  /** The key opens only after every other guest in house should have left, and locks keep such keys side by side. */
  isLater: boolean
  /** Another stay has the unit at the time of the key's stay. */
  isDoubleBooked: boolean
  /** The key would end a live key of another stay that is not over. */
  endsPromisedKey: boolean
  /** The key would end a live key of a guest who shares the unit. */
  endsSharersKey: boolean
  /** A spare would end a live key. */
  spareEndsKey: boolean
}

/** A rule, and what it needs besides the scope of the request. `detail` says why a request without it is refused. */
type Rule = { when(at: AtDoor): boolean } & (
  | { needed: 'nothing' }
  | { needed: 'confirmation' | 'override'; detail: string }
)

const inHouse = 'Another guest is in house in the unit.'

/**
 * Who may get a key of a unit. The first rule that fits decides. The rules ask who is in house, not which keys are live: a
 * key that has ended empties no room.
 */
export const guardRules: readonly Rule[] = [
  {
    when: ({ spareEndsKey }) => spareEndsKey,
    needed: 'override',
    detail:
      'The lock system treats a spare card as a new key: its first use would end the live key of the unit.',
  },
  // These end no key. They open the door of a guest.
  {
    when: ({ others, usage }) => others > 0 && (usage === 'OneShot' || usage === 'Spare'),
    needed: 'confirmation',
    detail: inHouse,
  },
  {
    when: ({ keysOfOthers, usage }) => keysOfOthers > 0 && (usage === 'OneShot' || usage === 'Spare'),
    needed: 'confirmation',
    detail: 'Another guest in house has a live key of this door.',
  },
  {
    when: ({ leaving }) => leaving > 0,
    needed: 'override',
    detail: 'A guest who was given another unit still has a live key of this one.',
  },
  {
    when: ({ endsSharersKey }) => endsSharersKey,
    needed: 'confirmation',
    detail: 'Another guest shares the unit and has a live key of it, which this key would end.',
  },
  // A guest who is in house keeps the unit, whatever was reported for others.
  { when: (at) => at.others === 0 && at.isIn, needed: 'nothing' },
  // A copy has the number of its original, and so ends no key.
  { when: (at) => !at.original && at.isIn, needed: 'nothing' },
  { when: (at) => at.others > 0 && at.isLater && (at.holds || at.mayHold), needed: 'nothing' },
  { when: (at) => at.others > 0 && !at.original && at.mayHold, needed: 'confirmation', detail: inHouse },
  {
    when: (at) => at.others > 0 && at.companions === at.others,
    needed: 'confirmation',
    detail: 'Another stay of the reservation is in house in the unit.',
  },
  { when: (at) => at.others > 0, needed: 'override', detail: inHouse },
  {
    when: ({ endsPromisedKey }) => endsPromisedKey,
    needed: 'confirmation',
    detail: 'Another stay has a live key of the unit, which this key would end.',
  },
  {
    when: ({ isDoubleBooked }) => isDoubleBooked,
    needed: 'confirmation',
    detail: 'Another stay has the unit too. Decide the conflict before a key is made.',
  },
  { when: () => true, needed: 'nothing' },
]
