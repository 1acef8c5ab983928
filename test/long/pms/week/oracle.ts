import type { SharedReservation, SharedStay } from '../../../../src/pms/sync/shared-reservation.ts'

// The rules by which two sides come together, written down once more and in another way than the house does it: as a
// table of what is decided together, whose word counts, and what a guest in the house changes about that.

type Values = Record<string, unknown>
type Reported = SharedReservation | null

const pmsCounts = true

/** What is decided together, by what it belongs to. */
const ofReservation = [
  ['comments', ['comment']],
  ['comments', ['guestComment']],
  ['rates', ['channel']],
  ['rates', ['purpose']],
] as const
const ofStay = [
  ['dates', ['startDate', 'startTime', 'endDate', 'endTime']],
  ['guests', ['personCount']],
  ['rates', ['ratePlanCode', 'amount']],
  ['units', ['units']],
  ['comments', ['comment']],
  ['comments', ['guestComment']],
] as const
const ofGuest = (['firstName', 'lastName', 'title', 'emails', 'phoneNumbers', 'role'] as const).map(
  (name) => ['guests', [name]] as const,
)

/** `stay`, or the reservation where that is empty, and the group. */
export type Expected = Set<string>

/**
 * The groups that both sides have changed to something else. `base` is what both had, `house` what the house has, `revisions`
 * what the PMS has had since, the oldest first: each meets what the one before has left.
 */
export function expectedConflicts(
  base: SharedReservation,
  house: SharedReservation,
  revisions: readonly Reported[],
  today: string,
): Expected {
  const found: Expected = new Set()
  let known = base
  const now = structuredClone(house)
  for (const reported of revisions) {
    if (reported === null) gone(found, known, now)
    else meet(found, known, now, reported, today)
    if (reported) known = reported
  }
  return found
}

/** The PMS has deleted it: what the desk has changed meanwhile is lost but for a guest who is here. */
function gone(found: Expected, known: SharedReservation, now: SharedReservation): void {
  for (const mine of now.stays) {
    const was = stayIn(known, mine)
    if (was && mine.status === 'InHouse') found.add(`${mine.externalId} dates`)
    else if (was && isComing(mine) && !isSameStay(was, mine)) found.add(`${mine.externalId} dates`)
  }
}

function meet(
  found: Expected,
  known: SharedReservation,
  now: SharedReservation,
  reported: SharedReservation,
  today: string,
): void {
  together(found, '', ofReservation, known as never, now as never, reported as never)
  for (const theirs of reported.stays) {
    const [was, mine] = [stayIn(known, theirs), stayIn(now, theirs)]
    if (!was || !mine) continue
    const place = String(theirs.externalId)
    const before = { ...mine }
    together(found, place, ofStay, was as never, mine as never, theirs as never)
    afterTheFact(found, place, before, mine, today)
    status(found, place, was, mine, theirs)
    lists(found, place, was, mine, theirs)
    guests(found, place, was, mine, theirs)
  }
}

/** Takes what only they have changed; what both have changed is theirs, and listed. */
function together(
  found: Expected,
  place: string,
  bundles: readonly (readonly [string, readonly string[]])[],
  was: Values,
  mine: Values,
  theirs: Values,
): void {
  for (const [group, names] of bundles) {
    const differs = (a: Values, b: Values) =>
      names.some((name) => text(name, a[name]) !== text(name, b[name]))
    if (!differs(was, theirs)) continue
    if (differs(was, mine) && differs(mine, theirs)) found.add(`${place} ${group}`)
    if (pmsCounts || !differs(was, mine)) for (const name of names) mine[name] = theirs[name]
  }
}

const here = ['InHouse', 'CheckedOut']

/** A guest who is here came when he came, and one who has left has left, and was where he was. */
function afterTheFact(
  found: Expected,
  place: string,
  before: SharedStay,
  mine: SharedStay,
  today: string,
): void {
  if (!here.includes(before.status ?? '')) return
  const isOver = before.status === 'CheckedOut' || mine.endDate < today
  const [, all] = ofStay[0]
  for (const name of isOver ? all : all.slice(0, 2)) {
    if (text(name, before[name]) === text(name, mine[name])) continue
    found.add(`${place} dates`)
    Object.assign(mine, { [name]: before[name] })
  }
  const rooms = (stay: SharedStay) => (stay.units ?? []).flatMap(({ unitName }) => unitName ?? [])
  const isElsewhere = rooms(before).some((room) => !rooms(mine).includes(room))
  if (before.status !== 'CheckedOut' || !isElsewhere) return
  found.add(`${place} units`)
  Object.assign(mine, { units: before.units })
}

const way = ['Tentative', 'Confirmed', 'InHouse', 'CheckedOut']

function status(found: Expected, place: string, was: SharedStay, mine: SharedStay, theirs: SharedStay): void {
  const [before, house, pms] = [was.status ?? '', mine.status ?? '', theirs.status ?? '']
  if (house === pms || pms === before) return
  if (house === before) {
    if (here.includes(house) && !here.includes(pms)) found.add(`${place} status`)
    else mine.status = theirs.status!
    return
  }
  // Both have moved on. On the straight way, who is further is right, and nobody was wrong.
  if (way.includes(house) && way.includes(pms)) {
    if (here.includes(house) && !here.includes(pms)) found.add(`${place} status`)
    else if (way.indexOf(pms) > way.indexOf(house)) mine.status = theirs.status!
    return
  }
  // The house knows who is in it.
  found.add(`${place} status`)
}

/** Lists whose items are distinguished by a name. */
function lists(found: Expected, place: string, was: SharedStay, mine: SharedStay, theirs: SharedStay): void {
  const [before, house, pms] = [was, mine, theirs].map(
    ({ services = [] }) => new Map(services.map((each) => [each.serviceCode, each.count ?? 1])),
  ) as [Map<string, number>, Map<string, number>, Map<string, number>]
  const merged = new Map(house)
  for (const code of new Set([...before.keys(), ...house.keys(), ...pms.keys()])) {
    const [a, b, c] = [before.get(code), house.get(code), pms.get(code)]
    if (a === c) continue
    if (a !== b && b !== c) found.add(`${place} services`)
    if (c === undefined) merged.delete(code)
    else merged.set(code, c)
  }
  mine.services = [...merged].map(([serviceCode, count]) => ({ serviceCode, count }))
}

function guests(found: Expected, place: string, was: SharedStay, mine: SharedStay, theirs: SharedStay): void {
  for (const reported of theirs.guests ?? []) {
    const same = ({ externalId }: { externalId?: string | null }) => externalId === reported.externalId
    const [before, house] = [was.guests?.find(same), mine.guests?.find(same)]
    if (before && house) together(found, place, ofGuest, before as never, house as never, reported as never)
    else if (!before && !house) mine.guests!.push(structuredClone(reported))
  }
}

function stayIn({ stays }: SharedReservation, { externalId }: SharedStay): SharedStay | undefined {
  return stays.find((each) => each.externalId === externalId)
}

function isComing({ status }: SharedStay): boolean {
  return status === 'Confirmed' || status === 'Tentative' || status === 'InHouse'
}

function isSameStay(was: SharedStay, mine: SharedStay): boolean {
  const said = (stay: SharedStay) => {
    const { externalId: _, localId: __, guests = [], reservationIds: ___, ...rest } = stay
    const people = guests.map((each) => Object.fromEntries(ofGuest.map(([, [name]]) => [name, each[name]])))
    return Object.entries({ ...rest, people }).map(([name, value]) => `${name}:${text(name, value)}`)
  }
  return said(was).sort().join() === said(mine).sort().join()
}

function text(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return '-'
  if (name.endsWith('Time')) return String(value).slice(0, 5)
  if (Array.isArray(value)) {
    // An address that says nothing else is a private one, and the first of them the main one.
    const whole = (each: unknown, at: number) =>
      name === 'emails' ? { primary: at === 0, type: 'Private', ...(each as object) } : each
    return `[${value.map((each, at) => text('', whole(each, at))).join()}]`
  }
  if (typeof value !== 'object') return JSON.stringify(value)
  const whole: Values = { ...value }
  if (name === 'personCount')
    Object.assign(whole, { children: whole.children ?? 0, infants: whole.infants ?? 0 })
  if (name === 'amount') whole.amountWithoutTax ??= whole.amountWithTax
  const said = Object.entries(whole).map(([key, each]) => [key, text(key, each)])
  return `{${said
    .filter(([, each]) => each !== '-')
    .map((pair) => pair.join(':'))
    .sort()
    .join()}}`
}
