import { isCheckOut } from '../../message-steps.ts'
import type { FieldGroup } from '../../resources/conflict-policy.ts'
import type { SyncFact } from '../../resources/sync-fact.ts'
import type { SyncIntent } from '../../resources/sync-intent.ts'
import type { Fact, Intent, IntentValues, Offer } from '../../sync-contract.ts'
import { reservationGroups, stayGroups } from '../merge/merge-fields.ts'
import { isSameStay } from '../merge/same.ts'
import type { SharedReservation, SharedStay } from '../shared-reservation.ts'
import { factId, paymentsBetween } from './facts.ts'
import { intentId } from './intents.ts'

/** What a message says of itself, and what is written down of the reservation. */
interface Described {
  /** The shadow; null where the PMS has nothing. */
  base: SharedReservation | null
  offer: Pick<Offer, 'id' | 'localId' | 'value' | 'changed'>
  intents: readonly SyncIntent[]
  /** The open ones; null for a message of a program that compared payments. */
  facts: readonly Pick<SyncFact, 'paymentId' | 'kind'>[] | null
}

/** The groups in the order in which a PMS needs them. */
const order: readonly FieldGroup[] = [
  'guests',
  'dates',
  'units',
  'status',
  'services',
  'rates',
  'comments',
  'payments',
]

/** The steps of a message: the members that it changes by stay and group, with what the PMS has of them, and the facts. */
export function stepsIn({ base, offer, ...rows }: Described): Pick<Offer, 'intents' | 'facts'> {
  const { value, changed, localId, id } = offer
  if (!base) {
    const creation: Fact = { id: localId, is: 'creation', stayLocalId: null }
    return { intents: [], facts: [creation, ...moneyFacts(value, paymentRows(null, value))] }
  }
  const places = changed.map((pointer) => placeIn(value, pointer))
  const groups = Map.groupBy(
    places.filter(({ group }) => group !== null && group !== 'payments'),
    ({ stay, group }) => `${stay?.localId ?? ''} ${group}`,
  )
  const intents = [...groups.values()].map((found): Intent => {
    const { stay, group } = found[0]!
    const row = rows.intents.find(
      (each) => (each.stayId ?? null) === (stay?.localId ?? null) && each.fieldGroup === group,
    )
    const has = stay ? base.stays.find((each) => isSameStay(each, stay)) : base
    const names = [...new Set(found.map(({ member }) => member))]
    return {
      id: row ? intentId(row) : `${id}.${stay?.localId ?? ''}.${group}`,
      group: group!,
      stayLocalId: stay?.localId ?? null,
      stayExternalId: stay?.externalId ?? null,
      from: picked(has ?? {}, names),
      to: picked(stay ?? value, names),
    }
  })
  const isPaid = places.some(({ group }) => group === 'payments')
  const facts = isPaid ? moneyFacts(value, rows.facts ?? paymentRows(base, value)) : []
  return {
    intents: intents.sort((a, b) => rank(a) - rank(b)),
    facts: [...structureFacts(base, value, places), ...facts],
  }
}

function paymentRows(base: SharedReservation | null, value: SharedReservation) {
  return paymentsBetween(base?.payments, value.payments).map(({ id, kind }) => ({ paymentId: id, kind }))
}

interface Place {
  stay: SharedStay | null
  member: string
  /** Null for a stay as a whole, and for the list of stays. */
  group: FieldGroup | null
}

/** What a pointer into a reservation names. */
function placeIn(value: SharedReservation, pointer: string): Place {
  const [, top = '', index, member = ''] = pointer.split('/')
  const isOfStay = top === 'stays' && index !== undefined
  const groups: Readonly<Record<string, FieldGroup | null>> = isOfStay ? stayGroups : reservationGroups
  const name = isOfStay ? member : top
  return {
    stay: isOfStay ? (value.stays[Number(index)] ?? null) : null,
    member: name,
    group: groups[name] ?? null,
  }
}

function picked(from: object, names: readonly string[]): IntentValues {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
}

function rank(intent: Intent): number {
  return isCheckOut(intent) ? order.length : order.indexOf(intent.group)
}

/** Stays that were made here, and those that were deleted here. */
function structureFacts(base: SharedReservation, value: SharedReservation, places: readonly Place[]): Fact[] {
  const whole = places.filter(({ member, group }) => group === null && (member === '' || member === 'stays'))
  if (whole.length === 0) return []
  const made = whole.flatMap(({ stay }): Fact[] =>
    stay?.localId ? [{ id: stay.localId, is: 'creation', stayLocalId: stay.localId }] : [],
  )
  const gone = base.stays
    .filter((stay) => stay.localId && !value.stays.some((each) => isSameStay(each, stay)))
    .map(({ localId, externalId }): Fact => {
      const stayLocalId = localId!
      return { id: `${stayLocalId}.removal`, is: 'removal', stayLocalId, stayExternalId: externalId }
    })
  return [...made, ...gone]
}

function moneyFacts(
  { payments = [] }: SharedReservation,
  rows: readonly Pick<SyncFact, 'paymentId' | 'kind'>[],
): Fact[] {
  return rows.flatMap((row): Fact[] => {
    const payment = payments.find(({ id }) => id === row.paymentId)
    if (!payment) return []
    const reported = row.kind === 'void' ? payment : { ...payment, voidedAt: null }
    return [{ id: factId(row), is: row.kind, payment: reported }]
  })
}

/** What a PMS has after a message of which it has not carried out these steps. */
export function withoutSteps(
  base: SharedReservation,
  offered: SharedReservation,
  { intents, facts }: Pick<Offer, 'intents' | 'facts'>,
): SharedReservation {
  const value = structuredClone(offered)
  for (const { stayLocalId, from, to } of intents) {
    const holder = stayLocalId === null ? value : value.stays.find(({ localId }) => localId === stayLocalId)
    for (const name of Object.keys(to)) if (holder) delete holder[name as keyof typeof holder]
    Object.assign(holder ?? {}, structuredClone(from))
  }
  const is = (kind: Fact['is']) => facts.filter((each) => each.is === kind).map(({ id }) => id)
  const [made, gone, paid, voided] = [is('creation'), is('removal'), is('payment'), is('void')]
  value.stays = value.stays.filter(({ localId }) => !made.includes(localId ?? ''))
  value.stays.push(...base.stays.filter(({ localId }) => gone.includes(`${localId}.removal`)))
  if (paid.length + voided.length > 0)
    value.payments = (value.payments ?? [])
      .filter(({ id }) => !paid.includes(id))
      .map((each) => (voided.includes(`${each.id}.void`) ? { ...each, voidedAt: null } : each))
  return value
}
