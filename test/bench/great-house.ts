import { type Connection, openWritingConnection } from '../../src/store/connection.ts'
import { type House, houseWith } from './filled-house.ts'
import { searchAnew } from './search-anew.ts'

/** Guests of this name: a tenth of all. */
export const frequentName = 'Müller'
/** A channel of twenty reservations, and an arrival time of twenty stays, which no index knows. */
export const rareChannel = 'Lighthouse'
export const rareTime = '13:37'
/** Stays are spread over so many days from the first on. */
export const firstDay = Date.UTC(2022, 0, 1)
export const days = 2_000

/** A house with so many stays, two a reservation, a profile for each reservation, in which there is something to look for. */
export function greatHouse(stays: number): Promise<House> {
  return houseWith(`great-${stays}`, (path) => {
    const db = openWritingConnection(path)
    db.pragma('synchronous = OFF')
    db.pragma('foreign_keys = OFF')
    db.pragma('cache_size = -256000')
    db.transaction(() => addStays(db, stays / 2))()
    db.transaction(() => searchAnew(db))()
    db.pragma('wal_checkpoint(TRUNCATE)')
    db.close()
  })
}

/** Rows as the changes of the appliance write them, in a tenth of the time. */
function addStays(db: Connection, reservations: number): void {
  db.exec('CREATE TEMP TABLE name (number INTEGER PRIMARY KEY, first TEXT, last TEXT)')
  const addName = db.prepare('INSERT INTO name VALUES (?, ?, ?)')
  for (let number = 0; number < 20_000; number++)
    addName.run(number, nameOf(number % 700), nameOf(number * 31))
  const base = (table: string) =>
    db.prepare(`SELECT coalesce(max(rid), 0) FROM ${table}`).pluck().get() as number
  const [profile, reservation, stay] = [base('profile'), base('reservation'), base('stay')]
  const unitType = db.prepare(`SELECT rid FROM unit_type WHERE code = 'FAM'`).pluck().get() as number
  const each = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${reservations})`
  db.exec(`
    CREATE TEMP TABLE plan AS ${each}
    SELECT i, day, date(${firstDay / 1000} + day * 86400, 'unixepoch') AS arrival,
      date(${firstDay / 1000} + (day + 3) * 86400, 'unixepoch') AS departure,
      CASE WHEN day < 1785 THEN 'CheckedOut' WHEN day = 1785 THEN 'InHouse' ELSE 'Confirmed' END AS status
    FROM (SELECT i, i * 2654435761 % 4294967296 / 256 % ${days} AS day FROM n);

    INSERT INTO profile (rid, id, createdAt, updatedAt, revision, firstName, lastName, profileType, emails, phoneNumbers, normalizedName)
    SELECT ${profile} + i, ${idOf('i', 1)}, ${firstDay} + i, ${firstDay} + i, 1, first,
      CASE WHEN i % 10 = 0 THEN '${frequentName}' ELSE last END, 'Private',
      json_array(json_object('address', lower(first) || '.' || i || '@example.org', 'type', 'Private', 'primary', json('true'))),
      json_array(json_object('number', printf('+351%09d', i * 104729 % 1000000000), 'type', 'Mobile', 'primary', json('true'))),
      upper(first || ' ' || last)
    FROM plan JOIN name ON name.number = i * 104729 % 20000;

    INSERT INTO reservation (rid, id, createdAt, updatedAt, revision, externalId, status, arrival, departure, source, channel, comment, paid)
    SELECT ${reservation} + i, ${idOf('i', 2)}, ${firstDay} + i, ${firstDay} + i, 1, 'ext-' || i, status, arrival, departure,
      'Import', CASE WHEN i % ${reservations / 20} = 7 THEN '${rareChannel}' ELSE 'Channel ' || (i % 20) END,
      CASE WHEN i % 10 = 3 THEN 'Quiet room, late arrival ' || i END, 0
    FROM plan;

    CREATE TEMP TABLE stays AS SELECT 2 * i - 2 + place AS s, * FROM plan, (SELECT 1 AS place UNION ALL SELECT 2);

    INSERT INTO stay (rid, id, createdAt, updatedAt, revision, reservationId, startDate, startTime, endDate, endTime, status, personCount,
      externalId, comment, nights, plannedStartsAt, plannedEndsAt, paid)
    SELECT ${stay} + s, ${idOf('s', 3)}, ${firstDay} + i, ${firstDay} + i, 1, ${reservation} + i, arrival,
      CASE WHEN s % ${reservations / 10} = 7 THEN '${rareTime}' ELSE '15:00' END, departure, '11:00', status,
      '{"adults":2,"children":0}', 'ext-' || i || '-' || place, CASE WHEN i % 20 = 3 THEN 'Baby cot' END, 3,
      ${firstDay} + day * 86400000 + 54000000, ${firstDay} + (day + 3) * 86400000 + 39600000, 0
    FROM stays;

    INSERT INTO stay_unit (owner, position, unitTypeId) SELECT ${stay} + s, 0, ${unitType} FROM stays;

    INSERT INTO stay_reservation_id (owner, position, type, value, searchForm)
    SELECT ${stay} + s, 0, 'Confirmation', 'NP-' || printf('%07d', i) || '-' || place, 'NP-' || printf('%07d', i) || '-' || place FROM stays;

    INSERT INTO stay_profile (owner, position, id, role) SELECT ${stay} + s, 0, ${profile} + i, 'PrimaryGuest' FROM stays;
  `)
}

/** A UUID of version 7, another one for each number and kind. */
function idOf(number: string, kind: number): string {
  return `CAST(unhex(printf('%012x7%03x8%03x%012x', ${firstDay} + ${number}, ${kind}, ${kind}, ${number} * 2654435761 % 281474976710656)) AS BLOB)`
}

const syllables =
  'an ba be bri ca da del er fa fri ga gra ha hel in ja ka kel la len li lo ma mar mei na ne no pa per pol ra ri ro sa sch se ste ta te to va we wi'.split(
    ' ',
  )

function nameOf(number: number): string {
  let rest = number + syllables.length
  let name = ''
  for (; rest > 0; rest = Math.floor(rest / syllables.length)) name += syllables[rest % syllables.length]
  return name[0]!.toUpperCase() + name.slice(1)
}
