import { profile } from '../../src/reservation/resources/profile.ts'
import { reservation } from '../../src/reservation/resources/reservation.ts'
import { stay } from '../../src/reservation/resources/stay.ts'
import type { Resource } from '../../src/resource/resource.ts'
import { days, firstDay, frequentName } from './great-house.ts'

/** A list that is asked for over HTTP, and what somebody would write by hand to find the same rows. */
export interface SearchCase {
  name: string
  resource: Resource
  /** The query of the list, for the `turn`th time: each time another one. */
  query(turn: number): string
  isLookUp?: boolean
  /** Statements that find row numbers, eleven at most. The best of them counts. */
  byHand: ByHand[]
}

interface ByHand {
  sql: string | ((turn: number) => string)
  values(turn: number): unknown[]
}

const [reservations, stays, profiles] = [reservation, stay, profile] as unknown as Resource[]

const dayOf = (turn: number) =>
  new Date(firstDay + ((turn * 37) % days) * 86_400_000).toISOString().slice(0, 10)
const numberOf = (turn: number) => 1 + ((turn * 7_919) % 40_000)
/** Parts of names as the house has them: each in the names of some hundred guests in a million stays. */
const partOf = (turn: number) =>
  ['hapad', 'lenko', 'marip', 'tesche', 'vansa', 'brical', 'gralin', 'pasewi'][turn % 8]!

const guestOf = `FROM stay s JOIN stay_profile p ON p.owner = s.rid JOIN profile g ON g.rid = p.id
  WHERE s.reservationId = r.rid AND g.lastName LIKE ?`
const lastNames = `s.search MATCH ? AND s.rowid BETWEEN 2199023255552 AND 3298534883327`
const named = `FROM search s JOIN profile g ON g.rid = s.rowid - 2199023255552`
const like = (text: string) => `%${text}%`
/** Every second turn the other way round, as the query is. */
const orderOf = (turn: number) => (turn % 2 ? 'DESC' : 'ASC')
/** As the index is asked for a text of letters. */
const match = (text: string) =>
  Array.from(text)
    .slice(2)
    .map((_, at) => `"${text.slice(at, at + 3)}"`)
    .join(' ')
const frequent = frequentName.toLowerCase()

const cases: SearchCase[] = [
  {
    name: 'arrivals of a day, the newest booking first',
    resource: reservations!,
    query: (turn) => `filter[arrival]=${dayOf(turn)}&sort=-createdAt`,
    byHand: [
      {
        sql: 'SELECT rid FROM reservation WHERE arrival = ? ORDER BY createdAt DESC, rid LIMIT 11',
        values: (turn) => [dayOf(turn)],
      },
    ],
  },
  {
    name: 'stays of a day with a status, by time of arrival',
    resource: stays!,
    query: (turn) => `filter[startDate]=${dayOf(turn)}&filter[status][ne]=Canceled&sort=startTime,-createdAt`,
    byHand: [
      {
        sql: `SELECT rid FROM stay WHERE startDate = ? AND status <> 'Canceled' ORDER BY startTime, createdAt DESC, rid LIMIT 11`,
        values: (turn) => [dayOf(turn)],
      },
    ],
  },
  {
    name: 'a stay by externalId',
    isLookUp: true,
    resource: stays!,
    query: (turn) => `filter[externalId]=ext-${numberOf(turn)}-1&sort=-startDate`,
    byHand: [
      {
        sql: 'SELECT rid FROM stay WHERE externalId = ? ORDER BY startDate DESC, rid LIMIT 11',
        values: (turn) => [`ext-${numberOf(turn)}-1`],
      },
    ],
  },
  {
    name: 'a reservation by confirmation number',
    isLookUp: true,
    resource: reservations!,
    query: (turn) => `filter[reservationIds.value]=${confirmationOf(turn)}&sort=-arrival`,
    byHand: [
      {
        sql: `SELECT DISTINCT r.rid, r.arrival FROM stay_reservation_id i JOIN stay s ON s.rid = i.owner
          JOIN reservation r ON r.rid = s.reservationId WHERE i.searchForm = ? ORDER BY r.arrival DESC, r.rid LIMIT 11`,
        values: (turn) => [confirmationOf(turn)],
      },
    ],
  },
  {
    name: 'reservations by a part of a last name',
    resource: reservations!,
    query: (turn) => `filter[profile.lastName][like]=${partOf(turn)}&sort=-arrival`,
    byHand: [reservationsNamed(partOf)],
  },
  {
    name: 'profiles by a part of a last name',
    resource: profiles!,
    query: (turn) => `filter[lastName][like]=${partOf(turn)}&sort=firstName`,
    byHand: [profilesNamed(partOf)],
  },
  {
    name: `reservations of a tenth of all guests, ${frequentName}, by arrival`,
    resource: reservations!,
    query: (turn) => `filter[profile.lastName][like]=${frequent}&sort=${turn % 2 ? '-' : ''}arrival`,
    byHand: [
      reservationsNamed(() => frequent),
      {
        sql: (turn) =>
          `SELECT rid FROM reservation r WHERE EXISTS (SELECT 1 ${guestOf}) ORDER BY arrival ${orderOf(turn)}, rid LIMIT 11`,
        values: () => [like(frequent)],
      },
    ],
  },
  {
    name: `arrivals of a day named ${frequentName}, the newest booking first`,
    resource: reservations!,
    query: (turn) =>
      `filter[profile.lastName][like]=${frequent}&filter[arrival]=${dayOf(turn)}&sort=-createdAt`,
    byHand: [
      {
        sql: `SELECT rid FROM reservation r WHERE arrival = ? AND EXISTS (SELECT 1 ${guestOf})
          ORDER BY createdAt DESC, rid LIMIT 11`,
        values: (turn) => [dayOf(turn), like(frequent)],
      },
    ],
  },
  {
    name: `profiles named ${frequentName}, by first name`,
    resource: profiles!,
    query: (turn) => `filter[lastName][like]=${frequent}&sort=${turn % 2 ? '-' : ''}firstName`,
    byHand: [
      profilesNamed(() => frequent),
      {
        sql: (turn) =>
          `SELECT rid FROM profile WHERE lastName LIKE ? ORDER BY firstName ${orderOf(turn)}, rid LIMIT 11`,
        values: () => [like(frequent)],
      },
    ],
  },
]

function confirmationOf(turn: number): string {
  return `NP-${String(numberOf(turn)).padStart(7, '0')}-1`
}

function reservationsNamed(textOf: (turn: number) => string): ByHand {
  return {
    sql: `SELECT DISTINCT r.rid, r.arrival ${named} JOIN stay_profile p ON p.id = g.rid JOIN stay ON stay.rid = p.owner
      JOIN reservation r ON r.rid = stay.reservationId WHERE ${lastNames} AND g.lastName LIKE ?
      ORDER BY r.arrival DESC, r.rid LIMIT 11`,
    values: (turn) => [match(textOf(turn)), like(textOf(turn))],
  }
}

function profilesNamed(textOf: (turn: number) => string): ByHand {
  return {
    sql: `SELECT g.rid ${named} WHERE ${lastNames} AND g.lastName LIKE ? ORDER BY g.firstName, g.rid LIMIT 11`,
    values: (turn) => [match(textOf(turn)), like(textOf(turn))],
  }
}

/** With a filter that all rows pass, another one each time, so that no answer is one that was given before. */
export const searchCases = cases.map((each) => ({
  ...each,
  query: (turn: number) => `${each.query(turn)}&filter[createdAt][gt]=${new Date(turn).toISOString()}`,
}))
