import { exactly } from '../../jsonapi/description.ts'
import { type Answer, type Caller, textOf } from '../../jsonapi/route.ts'
import { uuid } from '../../jsonapi/schemas/words.ts'
import type { Reader } from '../../resource/keeper.ts'
import { profile } from '../resources/profile.ts'
import { reservation } from '../resources/reservation.ts'
import { type Stay, stay } from '../resources/stay.ts'
import { unit } from '../resources/unit.ts'
import type { FoundStays } from '../search/guest-search.ts'
import { staysIn } from '../stays/find-stays.ts'
import { findsOnly, guestUnknown } from '../stays/rules/expect-guest.ts'
import { hasTimeToPay } from '../stays/time-left.ts'

interface Member {
  type: string
  id: string
  attributes: Record<string, unknown>
  relationships?: Record<string, { data?: unknown }>
  [other: string]: unknown
}

/** The schema of a reservation that was only found. */
export const foundSchema = exactly({
  type: { const: reservation.type },
  id: uuid,
  attributes: exactly({
    stays: {
      type: 'array',
      items: exactly({
        id: uuid,
        reservationId: uuid,
        startDate: stay.fields.startDate.schema,
        endDate: stay.fields.endDate.schema,
        status: stay.fields.status.schema,
      }),
    },
  }),
})

/** The schema of `meta.proven` of a list. */
export const provenSchema = {
  type: 'array',
  items: uuid,
  description: 'The stays whose guests have said enough, for a caller without the scope reservations.read.',
}

/** The schema of `meta.named` of a list. */
export const namedSchema = {
  type: 'array',
  items: uuid,
  description:
    'The guests of these stays who have the last name of the search, in any spelling; the most exact first. Empty without a name.',
}

/** Throws 403 `kiosk-scope` where a caller may only find single stays, and no stay of the reservation has a proof. */
export function expectSomeGuest(reader: Reader, caller: Caller, reservationId: string): void {
  const isOwn = ({ id }: Stay) => caller.guests.has(id)
  if (findsOnly(caller) && !staysIn(reader, reservationId).some(isOwn)) throw guestUnknown()
}

/**
 * The answer with reservations for a caller that may only find single stays. Of a stay whose guest has given a proof it shows
 * everything, of one that was only found the dates and the status, and of all others nothing: neither the number of the
 * booking nor the name of the guest, which the guest has to say. `meta.proven` names the stays of the first kind, and `meta.named` who of their guests has the typed name. Where a guest has
 * no time left to pay, no amount is shown as outstanding: a kiosk with a terminal of its own charges what it reads here.
 */
export function shownToGuest(
  { reader, now }: { reader: Reader; now: number },
  caller: Caller,
  answer: Answer,
  found: Pick<FoundStays, 'stayIds' | 'named'> = { stayIds: new Set(), named: [] },
): Answer {
  const document = JSON.parse(textOf(answer) ?? '{}') as {
    data: Member | Member[]
    included?: Member[]
    meta?: object
  }
  const proven: Stay[] = []
  const tooLateIn = (own: readonly Stay[]) =>
    new Set(own.filter((each) => !hasTimeToPay(each, now)).map(({ id }) => id))
  const shown = (member: Member): Member => {
    const stays = staysIn(reader, member.id)
    const own = stays.filter(({ id }) => caller.guests.has(id))
    proven.push(...own)
    if (own.length === 0) return foundOnly(member, stays, found.stayIds)
    return withoutAmounts(withOwn(member, own), tooLateIn(own))
  }
  const { data } = document
  document.data = Array.isArray(data) ? data.map(shown) : shown(data)
  const shownIds = idsIn(proven)
  const tooLate = tooLateIn(proven)
  const isOwn = ({ type, id }: Member) =>
    proven.length > 0 && type !== reservation.type && (shownIds[type]?.has(id) ?? true)
  if (document.included)
    document.included = document.included.filter(isOwn).map((each) => withoutAmounts(each, tooLate))
  const named = found.named.filter((id) => shownIds[profile.type]?.has(id))
  if (Array.isArray(data)) document.meta = { ...document.meta, proven: proven.map(({ id }) => id), named }
  const { bytes: _, ...rest } = answer
  return { ...rest, text: JSON.stringify(document), describesMore: true }
}

/** The ids of stays, of their guests and of their units, by the type of the resource. */
function idsIn(stays: readonly Stay[]): Partial<Record<string, ReadonlySet<string>>> {
  return {
    [stay.type]: new Set(stays.map(({ id }) => id)),
    [profile.type]: new Set(stays.flatMap(({ profiles }) => (profiles ?? []).map(({ id }) => id))),
    [unit.type]: new Set(stays.flatMap(({ units }) => units.flatMap(({ unitId }) => unitId ?? []))),
  }
}

/** The reservation with these of its stays, and with their guests only. */
function withOwn(member: Member, own: readonly Stay[]): Member {
  const { [stay.type]: stays, [profile.type]: profiles } = idsIn(own)
  const only = (list: unknown, those: ReadonlySet<string> | undefined) =>
    Array.isArray(list) ? list.filter(({ id }: { id: string }) => those?.has(id)) : list
  const attributes = {
    ...member.attributes,
    ...('stays' in member.attributes && { stays: only(member.attributes.stays, stays) }),
    ...('profiles' in member.attributes && { profiles: only(member.attributes.profiles, profiles) }),
  }
  const relationships = { ...member.relationships }
  if (relationships.stays?.data)
    relationships.stays = { ...relationships.stays, data: only(relationships.stays.data, stays) }
  return { ...member, attributes, ...(member.relationships && { relationships }) }
}

/** The same without the outstanding amount of these stays, and without that of their whole reservation. */
function withoutAmounts(member: Member, tooLate: ReadonlySet<string>): Member {
  const { attributes, type, id } = member
  if (tooLate.size === 0 || (type === stay.type && !tooLate.has(id))) return member
  const without = (values: Record<string, unknown>) =>
    'outstanding' in values ? { ...values, outstanding: null } : values
  const { stays } = attributes
  return {
    ...member,
    attributes: {
      ...without(attributes),
      ...(Array.isArray(stays) && {
        stays: stays.map((each) => (tooLate.has(each.id) ? without(each) : each)),
      }),
    },
  }
}

function foundOnly({ type, id }: Member, stays: readonly Stay[], found: ReadonlySet<string>): Member {
  const shown = stays
    .filter((each) => found.has(each.id))
    .map(({ id, reservationId, startDate, endDate, status }) => ({
      id,
      reservationId,
      startDate,
      endDate,
      status,
    }))
  return { type, id, attributes: { stays: shown } }
}
