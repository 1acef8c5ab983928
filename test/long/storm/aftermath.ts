import assert from 'node:assert/strict'
import type { Connection } from './connection.ts'
import type { StormHouse } from './house.ts'
import type { Ledger } from './ledger.ts'

type Row = {
  id: string
  // biome-ignore lint/suspicious/noExplicitAny: what a server answers is looked into freely by tests.
  attributes: Record<string, any>
}

type Stay = Row['attributes'] & { id: string }

/** All that is there, as it is read page by page. */
export interface Aftermath {
  stays: Stay[]
  reservations: Row[]
  payments: Row[]
  units: Row[]
}

export async function lookAround(connection: Connection): Promise<Aftermath> {
  const reservations = await all(connection, 'reservations?page[size]=100')
  return {
    reservations,
    stays: reservations.flatMap(({ attributes }) => attributes.stays),
    payments: await all(connection, 'payments?page[size]=100&sort=amount,-createdAt'),
    units: await all(connection, 'units?page[size]=100'),
  }
}

export async function all({ ask }: Connection, path: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let next: string | undefined = `/api/v2/${path}`; next; ) {
    const { status, body, text } = await ask('GET', next)
    assert.equal(status, 200, text)
    rows.push(...body.data)
    next = body.links.next
  }
  return rows
}

const holds = ({ status }: Stay) => ['Tentative', 'Confirmed', 'InHouse'].includes(status)

export function expectNoUnitHeldTwice({ stays, units }: Aftermath): void {
  for (const { id } of units) {
    const held = stays.filter(
      (stay) => holds(stay) && stay.units.some((each: Row['attributes']) => each.unitId === id),
    )
    held.sort((a, b) => a.plannedStartsAt.localeCompare(b.plannedStartsAt))
    for (const [index, stay] of held.entries()) {
      const next = held[index + 1]
      assert.ok(!next || stay.plannedEndsAt <= next.plannedStartsAt, `${id}: ${stay.id} and ${next?.id}`)
    }
  }
}

export function expectOneGuestInAUnit({ stays, units }: Aftermath): void {
  for (const { id, attributes } of units) {
    const guests = stays.filter(
      ({ status, units: theirs }) =>
        status === 'InHouse' && theirs.some((each: Row['attributes']) => each.unitId === id),
    )
    assert.ok(guests.length <= 1, `${guests.length} guests in ${attributes.name}`)
    assert.equal(attributes.occupied, guests.length === 1, attributes.name)
  }
}

/** Units that are sold of a type on a night: of each stay, those of its nights. */
function soldOn(stays: Stay[], unitTypeId: string, date: string): number {
  const there = stays.filter(
    (stay) => holds(stay) && stay.startDate <= date && (date < stay.endDate || date === stay.startDate),
  )
  return there.flatMap(({ units }) => units).filter((each) => each.unitTypeId === unitTypeId).length
}

/** No more is sold than there is, and what is reported as left is what is left. */
export async function expectNoNightOverbooked(
  connection: Connection,
  { stays }: Aftermath,
  { booked, units, days }: StormHouse,
): Promise<void> {
  for (const unitTypeId of booked) {
    const filter = `filter[unitTypeId]=${unitTypeId}&filter[startDate]=${days[0]}&filter[endDate]=${days.at(-1)}`
    const periods = await all(connection, `availability/unit-types?${filter}&page[size]=100`)
    for (const date of days.slice(0, -1)) {
      const there = units.get(unitTypeId)!.length
      const sold = soldOn(stays, unitTypeId, date)
      assert.ok(sold <= there, `${sold} of ${there} sold on ${date}`)
      const period = periods.find(
        ({ attributes: { startDate, endDate } }) => startDate <= date && date <= endDate,
      )
      assert.equal(period?.attributes.quantity, there - sold, `left on ${date}`)
    }
  }
}

export function expectPaymentsAsAcknowledged({ payments, reservations }: Aftermath, ledger: Ledger): void {
  const expected = [...ledger.paid].filter(([id]) => !ledger.voided.has(id))
  const found = payments.map(({ id, attributes }) => [id, attributes.amount] as const)
  assert.deepEqual(
    new Map(found),
    new Map(expected.map(([id, { amount }]) => [id, amount])),
    'payments that are listed',
  )
  for (const { id, attributes } of reservations) {
    const sum = expected
      .filter(([, { reservationId }]) => reservationId === id)
      .reduce((paid, [, { amount }]) => paid + amount, 0)
    assert.equal(attributes.paid, sum, `paid on ${id}`)
    if (attributes.due === null) continue
    assert.equal(attributes.outstanding, attributes.due - sum, `outstanding on ${id}`)
  }
}

export async function expectThere({ ask }: Connection, { there }: Ledger): Promise<void> {
  for (const [path, values] of there) {
    const { status, body, text } = await ask('GET', path)
    assert.equal(status, 200, `${path}\n${text}`)
    assert.partialDeepStrictEqual(body.data.attributes, values)
  }
}
