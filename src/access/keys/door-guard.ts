import { noStay, staysInHouse, staysSharing } from '../../reservation/assignment/unit-occupancy.ts'
import { type Stay, stay } from '../../reservation/resources/stay.ts'
import { unit } from '../../reservation/resources/unit.ts'
import { isLive } from '../../reservation/stays/status-rules.ts'
import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Key } from '../resources/key.ts'
import { keysOf, meet, supersedesOthers } from './pending/lock-order.ts'
import { stayIdOf } from './stay/stay-of-key.ts'

/** The caller's word that a key is right although it concerns another guest. */
export interface Confirmation {
  /** The audit shows it; events do not, because it may name a guest. */
  reason: string
  /** The caller has the scope keys.override. Without it, a confirmation is for keys that end no card of a guest in house. */
  mayOverride: boolean
}

/** The fields of a key, or of an order, that the guard reads. */
type Read = 'unitName' | 'extraUnits' | 'usage' | 'externalId' | 'stayId' | 'validFrom' | 'validUntil'

/** A key that would open doors from now on. */
export type WantedKey = Pick<Key, 'providerId' | 'keyType' | 'original'> & {
  [Name in Read]?: Key[Name] | undefined
} & {
  /** Null for a key that is not stored yet. */
  id: string | null
  /** See `KeyOrder`. */
  countsItself: boolean
  confirmed: Confirmation | null
}

/** What is known at one unit when a key for it is asked. */
interface AtDoor {
  usage: WantedKey['usage']
  original: boolean
  /** The stay of the key is Confirmed or InHouse, and has the unit. */
  holds: boolean
  /** The stay of the key is in house in the unit. */
  isIn: boolean
  /** The key names a stay that is stored here. */
  namesStay: boolean
  /** How many other stays are in house in the unit, and how many of them belong to the reservation of the key. */
  others: number
  companions: number
  /** The key opens only after every other guest in house will have left, and locks keep such keys side by side. */
  isLater: boolean
  /** Two stays have the unit at one time. */
  isDoubleBooked: boolean
  /** Another open stay has a live key that this one would end. */
  endsPromisedKey: boolean
  /** A spare would end a live key. */
  spareEndsKey: boolean
}

/** What a request needs, besides its scope, before a key is made. */
type Needed = 'nothing' | 'confirmation' | 'override'

interface Rule {
  when(at: AtDoor): boolean
  needed: Needed
  /** Why a request without it is refused. */
  detail?: string
}

const inHouse = 'Another guest is in house in the unit.'

/**
 * Who may get a key of a unit. The first rule that fits decides. The rules ask who is in house, not which keys are live: a
 * key that has ended empties no room.
 */
const rules: readonly Rule[] = [
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
  // A guest who is in house keeps the unit, whatever was reported for others.
  { when: (at) => at.others === 0 && at.isIn, needed: 'nothing' },
  {
    when: (at) => at.others === 0 && at.isDoubleBooked,
    needed: 'confirmation',
    detail: 'Another stay has the unit too. Decide the conflict before a key is made.',
  },
  { when: (at) => at.others === 0 && at.holds, needed: 'nothing' },
  // A copy has the number of its original, and so ends no key.
  { when: (at) => !at.original && (at.isIn || (!at.namesStay && at.others === 1)), needed: 'nothing' },
  { when: (at) => at.isLater && (at.holds || !at.namesStay), needed: 'nothing' },
  {
    when: (at) => at.others > 0 && at.companions === at.others,
    needed: 'confirmation',
    detail: 'Another stay of the reservation is in house in the unit.',
  },
  { when: (at) => at.others > 0, needed: 'override', detail: inHouse },
  {
    when: (at) => at.endsPromisedKey,
    needed: 'confirmation',
    detail: 'Another stay has a live key of the unit, which this key would end.',
  },
  { when: () => true, needed: 'nothing' },
]

/**
 * Throws unit-occupied when the key would open the unit of another guest, or end that guest's key, and the request does
 * not confirm it with the scope that is needed. It is asked for every unit of the key but those in `had`, which the key
 * opens already. Returns the id of a live key of such a guest; null where there is none.
 */
export function guardDoors(tx: Transaction, wanted: WantedKey, had: readonly string[] = []): string | null {
  const { unitName, extraUnits } = wanted
  const doors = [
    [unitName, '/unitName'] as const,
    ...(extraUnits ?? []).map((name) => [name, '/extraUnits'] as const),
  ]
  const others = doors.map(([name, pointer]) =>
    name == null || had.includes(name) ? null : guardDoor(tx, wanted, name, pointer),
  )
  return others.find((id) => id !== null) ?? null
}

function guardDoor(tx: Transaction, wanted: WantedKey, unitName: string, pointer: string): string | null {
  const { confirmed } = wanted
  const { at, stayIds, keyId } = seenAt(tx, wanted, unitName)
  const { needed, detail } = rules.find(({ when }) => when(at))!
  if (needed === 'nothing') return null
  if (confirmed !== null && (needed === 'confirmation' || confirmed.mayOverride)) return keyId
  throw new Problem('unit-occupied', detail!, {
    pointer,
    meta: { scope: needed === 'override' ? 'keys.override' : 'keys.issue', stayIds, keyId },
  })
}

/** The facts at a unit, the other stays that they concern, and a live key of theirs. */
function seenAt(tx: Transaction, wanted: WantedKey, unitName: string) {
  const own = stayOf(tx, wanted)
  const isOthers = (id: string | null | undefined) => !!id && id !== own?.id
  const [door] = tx.select(unit, [{ path: 'name', operator: 'eq', value: unitName }], [], 1)
  const holds = own !== null && isLive(own.status) && own.units.some(({ unitId }) => unitId === door?.id)
  const inside = door
    ? staysInHouse(tx, door.id, own?.id ?? noStay).map((id) => tx.find(stay, id) as Stay)
    : []
  const live = keysOf(tx, { unitName, providerId: wanted.providerId }, 'live')
  const ended = live.filter((each) => isRival(each, wanted))
  const promised = ended.filter(
    ({ stayId }) => isOthers(stayId) && isLive((tx.find(stay, stayId!) as Stay).status),
  )
  const spareEnds = wanted.usage === 'Spare' && wanted.countsItself ? ended.find(supersedesOthers) : undefined
  const at: AtDoor = {
    usage: wanted.usage,
    original: wanted.original,
    holds,
    isIn: holds && own.status === 'InHouse',
    namesStay: own !== null,
    others: inside.length,
    companions: inside.filter(({ reservationId }) => reservationId === own?.reservationId).length,
    isLater: isLater(wanted, inside, tx.now),
    isDoubleBooked: holds && staysSharing(tx, own.id).some(({ unitId }) => unitId === door?.id),
    endsPromisedKey: supersedesOthers({ ...wanted, usage: wanted.usage ?? 'Guest' }) && promised.length > 0,
    spareEndsKey: spareEnds !== undefined,
  }
  const stayIds = inside.map(({ id }) => id)
  const theirs = spareEnds ?? live.find(({ stayId }) => stayIds.includes(stayId ?? '')) ?? promised[0]
  return { at, stayIds, keyId: theirs?.id ?? null }
}

/** The stay of a key. A key that was made before its stay was stored finds it by its externalId. */
function stayOf(tx: Transaction, { stayId, externalId }: WantedKey): Stay | null {
  const id = stayId ?? stayIdOf(tx, externalId ?? null)
  return id === null ? null : (tx.find(stay, id) as Stay)
}

/** Whether an original for the same door would end the key. PINs whose windows do not overlap are live side by side. */
function isRival(row: Key, wanted: WantedKey): boolean {
  if (row.id === wanted.id || row.keyType !== wanted.keyType) return false
  return wanted.keyType === 'keyCard' || meet(row, wanted)
}

/**
 * Whether a PIN opens only later, after the planned end of every guest inside. A card is never later: the lock would end
 * the cards of the guests inside.
 */
function isLater({ keyType, validFrom }: WantedKey, inside: readonly Stay[], now: number): boolean {
  const from = validFrom ?? 0
  if (keyType === 'keyCard' || inside.length === 0 || from <= now) return false
  return inside.every(({ plannedEndsAt }) => (plannedEndsAt ?? Number.POSITIVE_INFINITY) <= from)
}

/** Journals that a key was made with a confirmation, and why. The audit shows the reason. */
export function noteConfirmation(
  tx: Transaction,
  id: string,
  confirmed: Confirmation | null,
  otherKeyId: string | null,
): void {
  if (confirmed !== null)
    tx.journal('key.override-used', `access/keys/${id}`, { reason: confirmed.reason, otherKeyId })
}
