import { CsvError, parse } from 'csv-parse/sync'
import { Problem } from '../resource/problem.ts'
import { withoutAccents } from '../resource/values/letters.ts'
import { fileKindOf } from '../resource/values/spreadsheet.ts'
import { mostRooms, type Room, rangeIn, withPlainDashes } from './room-pattern.ts'

/** A room of a list. A list without a floor says nothing about it. */
export type ListedRoom = Omit<Room, 'floor'> & { floor?: string }

/** A row of the list with the number of its line, from 1. */
interface Row {
  line: number
  cells: string[]
}

const one = ['\t', ';', '|', ',']
/** Each separator alone, and at last all of them, for a list that mixes them. */
const separators: readonly (string | string[])[] = [...one, one]
const longestName = 60
const longestType = 30
const mostProblems = 20

/**
 * Reads a list of rooms: in each line a room, the code of its unit type, and a floor if there is one, separated by tab,
 * semicolon, bar or comma, with or without a heading. A range such as 101-140 has three digits or more, and is its rooms.
 * Throws validation-failed with the number of each line that cannot be read, as `meta.line`.
 */
export function roomsInList(text: string, pointer: string): ListedRoom[] {
  const refused = (detail: string, line?: number) =>
    new Problem('validation-failed', detail, { pointer, ...(line !== undefined && { meta: { line } }) })
  if (fileKindOf(text))
    throw refused(
      'The file is a spreadsheet or another document, not a text. Save it as CSV: File, Save as, CSV UTF-8.',
    )
  const { rows, brokenAt } = rowsIn(plain(text))
  if (brokenAt !== null)
    throw refused(
      `Line ${brokenAt} of the list has a quotation mark that is not closed, or text after one.`,
      brokenAt,
    )
  const rooms = new Map<string, { room: ListedRoom; line: number }>()
  const problems: Problem[] = []
  for (const { line, cells } of rows) {
    if (!isRoom(cells)) {
      problems.push(
        refused(`Line ${line} of the list needs a room and a type without spaces, such as 101;DBL;1.`, line),
      )
      continue
    }
    const [name = '', unitType = '', floor = ''] = cells
    const names = namesIn(name)
    if (names === null || rooms.size + names.length > mostRooms)
      throw refused(`A list has at most ${mostRooms} rooms.`)
    for (const each of names) {
      const before = rooms.get(each)
      if (before)
        problems.push(
          refused(`Line ${line} of the list names room ${each} again, after line ${before.line}.`, line),
        )
      else rooms.set(each, { line, room: { name: each, unitType, ...(floor !== '' && { floor }) } })
    }
  }
  if (problems.length > 0) throw Problem.all(problems.slice(0, mostProblems))
  if (rooms.size === 0) throw refused('The list names no room.')
  return [...rooms.values()].map(({ room }) => room)
}

/** A text without byte order marks, invisible letters and no-break spaces. */
function plain(text: string): string {
  return text.replace(/[\ufeff\u200b\u200e\u200f\u2060\u00ad]/g, '').replace(/[\u00a0\u2007\u202f]/g, ' ')
}

/**
 * The rooms that the first cell of a line names; null for a range of too many. `12-1` and `01-12` are names: a house and a
 * room.
 */
function namesIn(name: string): string[] | null {
  const text = withPlainDashes(name)
  const [, , first = '', last = ''] = /^([^-]*?)(\d{3,6})-\1?(\d{3,6})$/.exec(text) ?? []
  if (first === '' || first.length !== last.length || first > last) return [name]
  return Number(last) - Number(first) < mostRooms ? rangeIn(text, name) : null
}

/** Reads the text with the separator with which most lines are rooms, without the heading and empty lines. */
function rowsIn(text: string): { rows: Row[]; brokenAt: number | null } {
  const readings = separators.map((separator) => rowsWith(text, separator))
  const goodIn = ({ rows }: { rows: Row[] }) => rows.filter(({ cells }) => isRoom(cells)).length
  return (
    readings.find(({ rows, brokenAt }) => brokenAt === null && rows.every(({ cells }) => isRoom(cells))) ??
    readings.toSorted(
      (a, b) => Number(a.brokenAt !== null) - Number(b.brokenAt !== null) || goodIn(b) - goodIn(a),
    )[0]!
  )
}

function rowsWith(text: string, delimiter: string | string[]): { rows: Row[]; brokenAt: number | null } {
  let done = 0
  try {
    const read = parse(text, {
      delimiter,
      info: true,
      on_record: (record, { lines }) => {
        done = lines
        return record
      },
      relax_column_count: true,
      relax_quotes: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      trim: true,
    }) as unknown as { info: { lines: number }; record: string[] }[]
    const rows = read
      .map(({ info, record }) => ({
        line: info.lines,
        cells: record.map((cell) => cell.replace(/\s+/g, ' ').trim()),
      }))
      .filter(({ cells }) => cells.some((cell) => cell !== ''))
    // A spreadsheet writes the separator into the first line.
    if (/^"?sep=.?"?$/i.test(rows[0]?.cells.filter((cell) => cell !== '').join('') ?? '')) rows.shift()
    const order = headingOf(rows[0]?.cells ?? [])
    if (!order) return { rows, brokenAt: null }
    return {
      rows: rows.slice(1).map(({ line, cells }) => ({ line, cells: order.map((at) => cells[at] ?? '') })),
      brokenAt: null,
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { rows: [], brokenAt: done + 1 }
  }
}

/** A name and a type have a letter or a digit: a line of strokes below a heading is no room. */
function isRoom([name = '', unitType = '']: readonly string[]): boolean {
  const isType = /^[^\s,;|]+$/.test(unitType) && unitType.length <= longestType
  return name.length <= longestName && isType && [name, unitType].every((text) => /[\p{L}\p{N}]/u.test(text))
}

/** The words of headings in English, German, French, Spanish and Portuguese, without accents, by column. */
const headings = {
  unitType:
    'type types typ typen tipos tipologia art kategorie category categorie categoria tipo class klasse classe clase code codigo',
  floor: 'floor storey level etage stock stockwerk geschoss niveau planta piso andar nivel',
  name:
    'room rooms unit units name names zimmer zimmernummer zimmername einheit bezeichnung raum ' +
    'chambre chambres nom unite logement habitacion habitaciones nombre unidad quarto quartos nome unidade apartamento',
  number: 'number no nr nummer numero num n',
  // Known columns that a list of rooms does not need.
  other:
    'id max min occupancy adults guests pax belegung gaste erwachsene adultes adultos hospedes huespedes beds bed betten bett lits lit camas cama status statut estado building gebaude haus batiment edificio predio ' +
    'description beschreibung descripcion descricao note notes notiz notizen remarks bemerkung persons personen personnes ' +
    'personas pessoas capacity kapazitat capacite capacidad capacidade priority prioritat priorite prioridad prioridade lock schloss',
  filler: 'of de du des del do da la le der die the and und et y e',
}
const columnOf = new Map(
  Object.entries(headings).flatMap(([column, words]) =>
    words.split(' ').map((word) => [word, column] as const),
  ),
)

/**
 * Returns where a heading has the room, the type and the floor. A heading is a line of known words only; null for
 * another line. `Room type` is a type, and `Zimmerart` and `Typ-Code` are.
 */
function headingOf(cells: readonly string[]): number[] | null {
  const columns = cells.filter((cell) => cell !== '').length > 1 ? cells.map(headingColumn) : []
  if (columns.length === 0 || columns.includes(null)) return null
  const at = (column: string) => columns.indexOf(column)
  const name = at('name') >= 0 ? at('name') : at('number')
  return name >= 0 && at('unitType') >= 0 ? [name, at('unitType'), at('floor')] : [0, 1, 2]
}

function headingColumn(cell: string): string | null {
  const words = withoutAccents(cell)
    .toLowerCase()
    .replace(/\bzimmer(?=typ|art|kategorie)|\braum(?=typ|art)/g, '')
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
  if (words.length === 0) return /\d/.test(cell) ? null : 'other'
  const found = words.map((word) => columnOf.get(word))
  if (found.includes(undefined)) return null
  return ['unitType', 'floor', 'name', 'number', 'other'].find((column) => found.includes(column)) ?? null
}
