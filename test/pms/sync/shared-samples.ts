import type { ConflictPolicy } from '../../../src/pms/resources/conflict-policy.ts'
import { tripledStays } from '../../../src/pms/sync/merge/match.ts'
import { merge } from '../../../src/pms/sync/merge/merge.ts'
import type { PhysicalFacts } from '../../../src/pms/sync/merge/merge-stay.ts'
import { differences } from '../../../src/pms/sync/merge/same.ts'
import { knownOf } from '../../../src/pms/sync/merge/shadow-document.ts'
import { type Intents, pointerOf } from '../../../src/pms/sync/outbound/intents.ts'
import type { SharedGuest, SharedReservation, SharedStay } from '../../../src/pms/sync/shared-reservation.ts'
import fc from '../../seed.ts'

export const usual: ConflictPolicy = {
  dates: 'Pms',
  guests: 'Pms',
  rates: 'Pms',
  services: 'Pms',
  units: 'Pms',
  comments: 'Pms',
  status: 'Local',
  payments: 'Local',
}

/** Intents of everything that is otherwise here than in the shadow. */
export function intentsBetween(base: SharedReservation | null, local: SharedReservation): Intents {
  const pointers = base ? differences(base, local).flatMap(({ pointer }) => membersAt(pointer)) : []
  // What the PMS has never reported was changed here where it is not empty.
  for (const stay of base ? local.stays : [])
    for (const [name, value] of Object.entries(stay)) {
      const has = base!.stays.find(({ localId }) => localId === stay.localId)
      if (has && has[name as keyof SharedStay] === undefined && value)
        pointers.push(`/stays/${stay.localId}/${name}`)
    }
  return {
    has: (stayId, member) => pointers.includes(pointerOf(stayId, member)),
    hasAny: (stayId) => pointers.some((each) => each.startsWith(`/stays/${stayId}/`)),
    pointers,
    refused: [],
  }
}

/** A merge in which everything that is otherwise here than in the shadow was changed here. */
export function mergeOf(input: Omit<Parameters<typeof merge>[0], 'intents'>) {
  const { base, local } = input
  const merged = merge({ ...input, intents: intentsBetween(base, local) })
  const upstream = input.upstream ?? { externalId: local.externalId, stays: [] }
  const stays = { base: base?.stays ?? [], local: local.stays, upstream: upstream.stays }
  const known = knownOf(base, upstream, tripledStays(stays))
  return { ...merged, known, keepsLocal: differences(known, merged.result).length > 0 }
}

/** A guest who was added or removed changes the list. */
function membersAt(pointer: string): string[] {
  const [, , stayId, member, guestId, ofGuest] = pointer.split('/')
  return member === 'guests' && guestId !== undefined && ofGuest === undefined
    ? [`/stays/${stayId}/guests`]
    : [pointer]
}

export const nothingHappened: PhysicalFacts = { today: '2026-07-01', locked: {}, leased: {} }

export const guestSample = (more: Partial<SharedGuest> = {}): SharedGuest => ({
  externalId: 'G1',
  localId: 'guest-1',
  role: 'PrimaryGuest',
  firstName: 'Anna',
  lastName: 'Kern',
  title: null,
  ...more,
})

export const staySample = (more: Partial<SharedStay> = {}): SharedStay => ({
  externalId: 'S1',
  localId: 'stay-1',
  status: 'Confirmed',
  startDate: '2026-07-01',
  startTime: null,
  endDate: '2026-07-04',
  endTime: null,
  personCount: { adults: 2, children: 0, infants: 0 },
  units: [{ unitTypeCode: 'DBL', unitName: null }],
  reservationIds: [{ type: 'Confirmation', value: 'C1' }],
  ratePlanCode: 'BAR',
  services: [{ serviceCode: 'BRK', count: 2 }],
  amount: { currency: 'EUR', amountWithTax: 300 },
  guests: [guestSample()],
  comment: 'Quiet.',
  guestComment: null,
  ...more,
})

export const reservationSample = (
  stays: SharedStay[] = [staySample()],
  more: Partial<SharedReservation> = {},
): SharedReservation => ({
  externalId: 'R1',
  localId: 'reservation-1',
  channel: 'Direct',
  purpose: 'Leisure',
  comment: null,
  guestComment: null,
  stays,
  payments: [],
  ...more,
})

type Edit = (value: SharedReservation) => void
const firstStay = (value: SharedReservation) => value.stays[0]

/** Something one of the two sides does to a reservation that it has. */
export function edits(by: string): fc.Arbitrary<Edit[]> {
  const onStay =
    (edit: (stay: SharedStay) => void): Edit =>
    (value) => {
      const stay = firstStay(value)
      if (stay) edit(stay)
    }
  const words = fc.constantFrom('one', 'two', `of ${by}`)
  const edit: fc.Arbitrary<Edit> = fc.oneof(
    words.map(
      (word): Edit =>
        (value) =>
          Object.assign(value, { comment: word }),
    ),
    words.map(
      (word): Edit =>
        (value) =>
          Object.assign(value, { channel: word }),
    ),
    words.map((word) => onStay((stay) => Object.assign(stay, { comment: word }))),
    fc
      .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 4 }))
      .map(([from, nights]) =>
        onStay((stay) =>
          Object.assign(stay, { startDate: `2026-07-0${from}`, endDate: `2026-07-0${from + nights}` }),
        ),
      ),
    fc
      .constantFrom('101', '102', '103', null)
      .map((unitName) =>
        onStay((stay) =>
          Object.assign(stay, { units: [{ unitTypeCode: stay.units![0]!.unitTypeCode, unitName }] }),
        ),
      ),
    fc
      .constantFrom('SGL', 'DBL')
      .map((unitTypeCode) =>
        onStay((stay) => Object.assign(stay, { units: [{ unitTypeCode, unitName: null }] })),
      ),
    fc
      .constantFrom('Confirmed', 'InHouse', 'CheckedOut', 'Canceled', 'NoShow')
      .map((status) => onStay((stay) => Object.assign(stay, { status }))),
    fc.constantFrom('BRK', 'SPA', 'DOG').map((serviceCode) =>
      onStay((stay) => {
        stay.services = stay.services!.some((each) => each.serviceCode === serviceCode)
          ? stay.services!.filter((each) => each.serviceCode !== serviceCode)
          : [...stay.services!, { serviceCode, count: 1 }]
      }),
    ),
    fc.constantFrom('Ada', 'Bea', `${by}ette`).map((firstName) =>
      onStay((stay) => {
        if (stay.guests!.some((each) => each.firstName === firstName)) return
        const localId = by === 'house' ? `guest-${firstName}` : null
        stay.guests = [
          ...stay.guests!,
          guestSample({ externalId: null, localId, firstName, role: 'AdditionalGuest' as never }),
        ]
      }),
    ),
    words.map((title) =>
      onStay((stay) => {
        const [guest] = stay.guests!
        if (guest) guest.title = title
      }),
    ),
    fc.constant(onStay((stay) => Object.assign(stay, { guests: [] }))),
    fc.constant<Edit>((value) => {
      const name = `${by}-new`
      if (value.stays.some(({ externalId, localId }) => externalId === name || localId === name)) return
      const names = by === 'house' ? { externalId: null, localId: name } : { externalId: name, localId: null }
      value.stays.push(staySample({ ...names, startDate: '2026-08-01', endDate: '2026-08-03', guests: [] }))
    }),
    fc.constant<Edit>((value) => {
      if (value.stays.length > 1) value.stays.shift()
    }),
  )
  return fc.array(edit, { maxLength: 4 })
}

export function edited(value: SharedReservation, by: readonly Edit[]): SharedReservation {
  const copy = structuredClone(value)
  for (const edit of by) edit(copy)
  return copy
}

let made = 0
/** As the house has it after it has written it: everything has a name here. */
export function written(value: SharedReservation): SharedReservation {
  const copy = structuredClone(value)
  for (const stay of copy.stays) {
    stay.localId ??= `stay-made-${++made}`
    for (const guest of stay.guests ?? []) guest.localId ??= `guest-made-${++made}`
  }
  return copy
}
