import { withoutAccents } from '../../resource/values/letters.ts'
import { type BookingMap, columnsOf } from './booking-map.ts'
import { type BookingRow, wholeNumber } from './booking-row.ts'
import { wordsForNothing } from './cell-text.ts'

/** A count of a booking: the member of the map that reads it, the words of its heading, and the largest usual value. */
interface Kind {
  member: 'rooms' | 'nights' | 'infants' | 'children' | 'adults'
  /** Words of the heading in English, German, French, Spanish and Portuguese, without accents. */
  words: readonly string[]
  /** A number up to this says nothing that the import would not take without the column. */
  trivial: number
  most: number
}

/** The first kind with a word of the heading is that of the column. */
const kinds: readonly Kind[] = [
  {
    member: 'infants',
    words: 'infant infants baby babies babys toddlers kleinkinder sauglinge bebe bebes nourrissons'.split(
      ' ',
    ),
    trivial: 0,
    most: 99,
  },
  {
    member: 'children',
    words:
      'child children kid kids minors teens kind kinder jugendliche enfant enfants nino ninos menores crianca criancas'.split(
        ' ',
      ),
    trivial: 0,
    most: 99,
  },
  {
    member: 'rooms',
    words:
      'rooms rms units apartments zimmer einheiten wohnungen apartements chambres logements unites appartements hebergements habitaciones habs unidades apartamentos quartos acomodacoes'.split(
        ' ',
      ),
    trivial: 1,
    most: 99,
  },
  {
    member: 'nights',
    words:
      'night nights nts nacht nachte naechte ubernachtungen uebernachtungen nuit nuits nuitees noche noches pernoctaciones noite noites diarias pernoites'.split(
        ' ',
      ),
    trivial: 1,
    most: 999,
  },
  {
    member: 'adults',
    words:
      'adult adults pax guests persons people occupants erwachsene erwachsener personen gaste gaeste belegung adulte adultes personne personnes voyageurs occupation adulto adultos persona personas huespedes ocupacion pessoa pessoas hospedes ocupacao'.split(
        ' ',
      ),
    trivial: 1,
    most: 99,
  },
]

/** Rooms in the singular are a count only with one of these words: `Room` alone is the name of a room. */
const singular = new Set(['room', 'unit', 'chambre', 'habitacion', 'unidad', 'quarto', 'unidade', 'einheit'])
const counted = new Set(
  'count qty quantity anzahl zahl menge total num cantidad quantite quantidade booked'.split(' '),
)

/** With one of these words, the numbers of a column are no count. */
const otherThings = new Set(
  (
    'id ids code codes name names type types typ typen art rate rates price prices preis preise prix precio preco amount ' +
    'age ages alter edad idade nummer nummern list floor status discount tax'
  ).split(' '),
)
/** A last word that makes the heading that of a number by which something is known, such as `Zimmer Nr`. */
const numbers = new Set(['no', 'nr', 'number', 'numero', 'n'])

interface Found {
  column: string
  kind: Kind
  numbers: number
  others: number
  /** Cells with a number above the trivial one. */
  telling: number
  example: { text: string; line: number } | null
}

/**
 * Finds columns that the map does not read and that look like a count of rooms, persons or nights: by the heading, and
 * because most filled cells are whole numbers and one of them is larger than what is taken without the column.
 */
export function unreadCounts(map: BookingMap) {
  const read = new Set(columnsOf(map))
  let columns: Found[] | null = null

  /** Looks at a row of the file. */
  function look({ cells, line }: Pick<BookingRow, 'cells' | 'line'>): void {
    columns ??= Object.keys(cells).flatMap((column) => {
      const kind = read.has(column) ? null : kindOf(column)
      return kind ? [{ column, kind, numbers: 0, others: 0, telling: 0, example: null }] : []
    })
    for (const found of columns) {
      const text = cells[found.column]?.trim() ?? ''
      if (text === '' || wordsForNothing.includes(text) || map.empty?.includes(text)) continue
      const count = wholeNumber(text)
      if (count === null || count > found.kind.most) {
        found.others++
        continue
      }
      found.numbers++
      if (count <= found.kind.trivial) continue
      found.telling++
      found.example ??= { text, line }
    }
  }

  /** Returns a line for each such column, for people. */
  function notes(): string[] {
    return (columns ?? []).flatMap(({ column, kind, numbers: whole, others, telling, example }) => {
      if (example === null || whole <= others) return []
      const { member } = kind
      const cells = `${telling} of ${whole} numbers in it ${telling === 1 ? 'is' : 'are'} above ${kind.trivial}`
      return [
        `  The map does not read the column ${column}, which looks like a number of ${member}: ${cells}, for example ${example.text} in line ${example.line}. ${remedyOf(member, column, map)}`,
      ]
    })
  }

  return { look, notes }
}

function remedyOf(member: Kind['member'], column: string, map: BookingMap): string {
  if (member === 'nights' && map.departure) return 'The nights are counted from arrival and departure'
  const source = JSON.stringify({ column })
  return map[member] === undefined
    ? `If it is, add "${member}": ${source} to the map`
    : `The map reads "${member}" from elsewhere. Look whether this column counts others`
}

function kindOf(heading: string): Kind | null {
  const words = withoutAccents(heading)
    .replace(/\(s\)/gi, 's')
    .replace(/([a-z])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z\d#]+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/(?:an)?zahl$/, '') || word)
  if (words.some((word) => otherThings.has(word)) || (words.length > 1 && numbers.has(words.at(-1)!)))
    return null
  const found = kinds.find((kind) => words.some((word) => kind.words.includes(word)))
  if (found) return found
  const isCounted =
    words.some((word) => counted.has(word)) || /^(?:no|nr|number|nombre|numero|#)$/.test(words[0] ?? '')
  return isCounted && words.some((word) => singular.has(word))
    ? kinds.find(({ member }) => member === 'rooms')!
    : null
}
