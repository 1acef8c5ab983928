import type { SharedReservation } from '../../../../src/pms/sync/shared-reservation.ts'
import type { Plain } from './plain.ts'

type Values = Record<string, unknown>

/** Where the two do not say the same, a sentence each; empty where they agree on everything. */
export function disagreements(house: Plain, pms: SharedReservation | null): string[] {
  if (pms === null) return stillLive(house)
  const found: string[] = []
  members(found, house.localId, membersOf(house), membersOf(pms))
  const left = [...house.stays]
  for (const stay of pms.stays) {
    const at = left.findIndex(({ externalId }) => externalId === stay.externalId)
    const [mine] = at < 0 ? [] : left.splice(at, 1)
    const place = `${pms.externalId} stay ${stay.externalId}`
    if (!mine) found.push(`${place} is not in the house`)
    else stays(found, place, mine as unknown as Values, stay as unknown as Values)
  }
  // Who has no more of a stay at the PMS has an end of it here.
  for (const { externalId, status } of left) {
    if (!over.includes(status ?? ''))
      found.push(`${pms.externalId} stay ${externalId} is ${status} here alone`)
  }
  return found
}

const over = ['CheckedOut', 'Canceled', 'NoShow']

function stillLive({ externalId, stays }: Plain): string[] {
  return stays
    .filter(({ status }) => !over.includes(status ?? ''))
    .map(({ status }) => `${externalId} is gone there, and ${status} here`)
}

function membersOf({ stays: _, externalId: __, localId: ___, ...rest }: SharedReservation): Values {
  return rest as Values
}

/** What the PMS says of it; what it does not say is not compared. */
function members(found: string[], place: string, mine: Values, theirs: Values): void {
  for (const [name, value] of Object.entries(theirs)) {
    if (value === undefined || text(name, value) === text(name, mine[name])) continue
    found.push(`${place} ${name}: ${text(name, mine[name])} here, ${text(name, value)} there`)
  }
}

function stays(found: string[], place: string, mine: Values, theirs: Values): void {
  const { guests: here, localId: _, externalId: __, ...house } = mine
  const { guests: there, localId: ___, externalId: ____, ...pms } = theirs
  members(found, place, house, pms)
  if (there === undefined) return
  const left = [...(here as Values[])]
  for (const guest of there as Values[]) {
    const at = left.findIndex(
      (each) =>
        each.role === guest.role &&
        ((guest.localId && each.localId === guest.localId) ||
          (!guest.localId && each.lastName === guest.lastName && each.firstName === guest.firstName)),
    )
    const [same] = at < 0 ? [] : left.splice(at, 1)
    if (!same) found.push(`${place}: ${guest.lastName} is no guest here`)
    else {
      const { localId: _, externalId: __, ...person } = guest
      members(found, `${place} guest ${guest.lastName}`, same, person)
    }
  }
  for (const { lastName } of left) found.push(`${place}: ${lastName} is a guest here alone`)
}

/** What means the same has the same text: nothing, null and empty; lists whose order says nothing; times with seconds. */
function text(name: string, value: unknown): string {
  if (Array.isArray(value)) {
    const items = value.map((each, at) =>
      text('', name === 'emails' ? { primary: at === 0, type: 'Private', ...each } : each),
    )
    return items.length === 0 ? 'nothing' : `[${(unordered.includes(name) ? items.sort() : items).join()}]`
  }
  if (value === null || value === undefined || value === '') return 'nothing'
  if (name.endsWith('Time')) return String(value).slice(0, 5)
  if (typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(withDefaults(name, value as Values))
  const said = entries.map(([key, each]) => [key, text(key, each)]).filter(([, each]) => each !== 'nothing')
  return `{${said
    .map(([key, each]) => `${key}:${each}`)
    .sort()
    .join()}}`
}

const unordered = ['services', 'reservationIds', 'payments']

function withDefaults(name: string, value: Values): Values {
  if (name === 'personCount') return { children: 0, infants: 0, ...value }
  if (name === 'amount') return { amountWithoutTax: value.amountWithTax, ...value }
  return value
}
