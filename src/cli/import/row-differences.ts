import { createdCsv } from './csv-file.ts'
import { mostFirst } from './import-tally.ts'

/** A member of a row that is not as it is stored, as the appliance lists it. */
export interface RowDifference {
  field: string
  /** Absent where the token may not read what is stored. */
  stored?: string | null
  given: string | null
}

/** How the rows that differ are treated: they are only listed, they are changed, or they would be. */
export type Treatment = 'listed' | 'changed' | 'tried'

/** Further rows are only counted, or written to the file. */
const mostRows = 20
const longestText = 60

/** The members of a map, by the members of a stay that they fill. */
const members: Record<string, string> = {
  startDate: 'arrival',
  endDate: 'departure',
  amount: 'price',
  'units/0/unitTypeId': 'unitType',
  'units/0/unitId': 'unit',
  'reservationIds/Confirmation': 'confirmation',
  'personCount/adults': 'adults',
  'personCount/children': 'children',
  'personCount/infants': 'infants',
  'profiles/0/lastName': 'guest.lastName',
  'profiles/0/firstName': 'guest.firstName',
  'profiles/0/nationality': 'guest.country',
  'profiles/0/emails': 'guest.email',
}

/**
 * Collects the rows whose bookings are stored otherwise. Passes the first 20 rows to `warn`, each with all its differences, or writes
 * all of them to a CSV file, one line for each difference.
 */
export function differenceList(given: { file: string | null; warn: (line: string) => void; as: Treatment }) {
  const { warn, as } = given
  const columns = ['line', 'externalId', 'field', 'stored', 'file']
  const file = given.file === null ? null : createdCsv(given.file, columns)
  const byField = new Map<string, number>()
  let rows = 0

  function add(line: number, externalId: unknown, differences: readonly RowDifference[]): void {
    if (differences.length === 0) return
    const named = differences.map(({ field, ...values }) => ({ field: memberOf(field), ...values }))
    for (const { field } of named) byField.set(field, (byField.get(field) ?? 0) + 1)
    if (file !== null)
      for (const { field, stored, given } of named)
        file.write([line, String(externalId), field, stored ?? '', given ?? ''])
    else if (rows < mostRows)
      warn(`line ${line}: ${externalId}: ${named.map((each) => inWords(each, as)).join('; ')}`)
    rows++
  }

  /** Returns what was found, and what a person can do. */
  function notes(): string[] {
    if (rows === 0) return []
    const [one, several] = endings[as]
    return [
      `  ${rows} ${rows === 1 ? `booking ${one}` : `bookings ${several}`}: ${mostFirst(byField)}`,
      ...(as === 'listed' ? ['  If the file is right, import it again with --update'] : []),
    ]
  }

  function end(): void {
    if (file !== null) file.close()
    else if (rows > mostRows)
      warn(`${rows - mostRows} more rows differ. --differences FILE writes all differences to a file.`)
  }

  return { add, notes, end }
}

const endings: Record<Treatment, [one: string, several: string]> = {
  listed: ['is stored otherwise and was not changed', 'are stored otherwise and were not changed'],
  changed: ['was stored otherwise and was changed', 'were stored otherwise and were changed'],
  tried: ['is stored otherwise and would be changed', 'are stored otherwise and would be changed'],
}

const verbs: Record<Treatment, [stored: string, given: string]> = {
  listed: ['is', 'the file has'],
  changed: ['was', 'is now'],
  tried: ['is', 'would become'],
}

function inWords({ field, stored, given }: RowDifference, as: Treatment): string {
  const [was, is] = verbs[as]
  const before = stored === undefined ? 'differs' : `${was} ${short(stored)}`
  return `${field} ${before}, ${is} ${short(given)}`
}

/** A text in one line of a terminal. */
function short(text: string | null): string {
  if (text === null) return 'empty'
  const letters = [...text.replace(/\s+/g, ' ')]
  return letters.length > longestText ? `${letters.slice(0, longestText).join('')}…` : letters.join('')
}

/** Names a member of a row. One of a further room has the number of the room: `departure of room 2` for `stays/1/endDate`. */
function memberOf(field: string): string {
  const [, at, path] = /^stays\/(\d+)(?:\/(.*))?$/.exec(field) ?? []
  if (at === undefined) return field
  const room = `room ${Number(at) + 1}`
  if (path === undefined) return room
  const name = members[path] ?? path
  return at === '0' ? name : `${name} of ${room}`
}
