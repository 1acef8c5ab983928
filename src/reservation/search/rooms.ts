import type { Questions } from '../../resource/command.ts'
import { uuidText } from '../../resource/uuid-sql.ts'
import { lettersOf } from '../../resource/values/letters.ts'
import { plainLetters, spellingsOf } from '../values/name-spelling.ts'
import type { Match } from './known-stays.ts'

/** A shorter text is a room only as a whole. */
const enoughLetters = 3
/** The largest number of stays of one search that are compared. */
const most = 100

/**
 * Returns the stays in the rooms whose name is typed: all of a room whose whole name it is, and those that hold a room whose name
 * begins with it, from three letters on. Case, accents, spaces and signs make no difference: `sud1` is `Süd 1`.
 */
export function staysInRooms(db: Questions, typed: string, today: string): Match[] {
  const wanted = spelled(typed)
  const rooms = db
    .all<{ rid: number; name: string }>('SELECT rid, name FROM unit')
    .map(({ rid, name }) => ({ rid, letters: roomLetters(name) }))
  const whole = rooms.filter(({ letters }) => wanted.includes(letters))
  const long = wanted.filter((each) => [...each].length >= enoughLetters)
  const begun = rooms.filter(
    (room) => !whole.includes(room) && long.some((each) => room.letters.startsWith(each)),
  )
  return [
    ...staysOf(db, 'stay_unit', whole, today).map((id) => ({ id, exactness: 0 })),
    ...staysOf(db, 'stay_held_unit', begun, today).map((id) => ({ id, exactness: 1 })),
  ]
}

/** The letters and digits of a name, each without its accents: `12/A` is `12a`, and `Süd 1` is `sud1`. */
const roomLetters = (name: string) =>
  Array.from(lettersOf(name).matchAll(/.\p{M}*/gsu), ([letter]) => plainLetters(letter)).join('')

/** The typed room, also with `ue` for `ü` and the like. The spellings of a text of several scripts lack some of its letters. */
function spelled(typed: string): string[] {
  const own = roomLetters(typed)
  const [plain, ...others] = spellingsOf(typed)
  return plain === own ? [own, ...others] : [own]
}

/** Who is in house, and then the stays that are nearest to today. */
function staysOf(db: Questions, table: string, rooms: readonly { rid: number }[], today: string): string[] {
  if (rooms.length === 0) return []
  const sql = `SELECT ${uuidText('stay.id')} AS id FROM ${table} AS part JOIN stay ON stay.rid = part.owner
    WHERE part.unitId IN (SELECT value FROM json_each(?))
    ORDER BY stay.status = 'InHouse' DESC, abs(julianday(stay.startDate) - julianday(?)) LIMIT ${most}`
  return db.all<{ id: string }>(sql, JSON.stringify(rooms.map(({ rid }) => rid)), today).map(({ id }) => id)
}
