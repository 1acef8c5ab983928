/** A room as a pattern or a list describes it. */
export interface Room {
  name: string
  /** The code of the unit type. */
  unitType: string
  floor: string | null
}

/** A part of a room pattern is wrong. The message names the part and what was expected. */
export class RoomPatternRefused extends Error {}

/** A pattern has more rooms than one may have, so it is not read to its end. */
class TooManyRooms extends RoomPatternRefused {
  constructor() {
    super(`A pattern describes at most ${mostRooms} rooms.`)
  }
}

/** The largest number of rooms that one pattern describes. */
export const mostRooms = 2_000
/** A pattern with more mistakes is not read to its end: a short one can name the same rooms again and again. */
const mostRefused = 1_000

const example = '101-130 DBL; 201-230 DBL except 213; 301,302 SUI'

/** What a room pattern says: the rooms that can be read, and a message for each mistake. */
export interface ReadPattern {
  rooms: Room[]
  refused: RoomPatternRefused[]
}

/**
 * Reads a room pattern: parts separated by semicolons, each with room names and ranges, the code of their unit type, and
 * after `except` the rooms that a range leaves out. The rooms are in the order of the pattern. Refused are what cannot be
 * read, a room that is named twice, and more than 2,000 rooms. Reading ends there, and after 1,000 mistakes.
 */
export function readPattern(pattern: string): ReadPattern {
  const rooms = new Map<string, Room>()
  const refused: RoomPatternRefused[] = []
  const parts = pattern.split(';').map((part) => part.trim())
  try {
    for (const part of parts.filter((each) => each !== ''))
      for (const room of roomsOfPart(part, refused)) {
        if (refused.length >= mostRefused) return { rooms: [...rooms.values()], refused }
        if (rooms.has(room.name))
          refused.push(
            new RoomPatternRefused(`Room ${room.name} is named twice, the second time in "${short(part)}".`),
          )
        else rooms.set(room.name, room)
        if (rooms.size > mostRooms) throw new TooManyRooms()
      }
  } catch (error) {
    if (!(error instanceof TooManyRooms)) throw error
    refused.push(error)
  }
  if (rooms.size === 0 && refused.length === 0)
    refused.push(
      new RoomPatternRefused(
        `The pattern names no room. Expected rooms and a unit type, such as ${example}.`,
      ),
    )
  return { rooms: [...rooms.values()], refused }
}

function roomsOfPart(part: string, refused: RoomPatternRefused[]): Room[] {
  const [stated = '', left = '', ...more] = part.split(/\sexcept(?:\s|$)/i)
  const [, named = '', unitType = ''] = /^(.*\S)\s+([^\s,;]+)$/.exec(stated.trim()) ?? []
  if (unitType === '' || more.length > 0) {
    refused.push(
      new RoomPatternRefused(
        `"${short(part)}" cannot be read. Expected rooms and a unit type, such as ${example}.`,
      ),
    )
    return []
  }
  const before = refused.length
  const names = namesIn(named, part, refused)
  const without = new Set(left.trim() === '' ? [] : namesIn(left, part, refused))
  const known = new Set(names)
  const strange = [...without].find((name) => !known.has(name))
  // Of a part that cannot be read whole, it may be a room that is not known.
  if (strange !== undefined && refused.length === before)
    refused.push(
      new RoomPatternRefused(`Room ${strange} after "except" is not among the rooms of "${short(part)}".`),
    )
  return names.filter((name) => !without.has(name)).map((name) => ({ name, unitType, floor: floorOf(name) }))
}

function namesIn(list: string, part: string, refused: RoomPatternRefused[]): string[] {
  const names: string[] = []
  for (const item of withPlainDashes(list).split(',')) {
    try {
      names.push(...namesOf(item.trim(), part))
    } catch (error) {
      if (!(error instanceof RoomPatternRefused)) throw error
      refused.push(error)
    }
    if (names.length > mostRooms) throw new TooManyRooms()
  }
  return names
}

function namesOf(item: string, part: string): string[] {
  if (item === '' || /\s/.test(item))
    throw new RoomPatternRefused(
      `"${short(item)}" in "${short(part)}" is not a room. Expected rooms and a unit type, such as ${example}.`,
    )
  const range = rangeIn(item, part)
  if (range === null && item.includes('-'))
    throw new RoomPatternRefused(
      `"${short(item)}" in "${short(part)}" is not a range of numbers, such as 101-130 or A1-A9.`,
    )
  return range ?? [item]
}

/**
 * Returns the rooms of a range: `A09-A12` is A09, A10, A11 and A12; a prefix of the end may be left out. Returns null for a
 * text that is no range of numbers. Throws RoomPatternRefused for a range that does not go up within one prefix, and
 * for more than 2,000 rooms. `part` is the text around it, for the message.
 */
export function rangeIn(item: string, part: string): string[] | null {
  const [, prefix = '', first, endPrefix = '', last] =
    /^([^-]*?)(\d{1,6})-([^-]*?)(\d{1,6})$/.exec(item) ?? []
  if (first === undefined || last === undefined) return null
  const isSame = endPrefix === '' || endPrefix === prefix
  if (!isSame || Number(last) < Number(first) || last.length < first.length)
    throw new RoomPatternRefused(
      `The range "${short(item)}" in "${short(part)}" must go up within one prefix, such as 101-130.`,
    )
  const count = Number(last) - Number(first) + 1
  if (count > mostRooms) throw new RoomPatternRefused(`A pattern describes at most ${mostRooms} rooms.`)
  return Array.from(
    { length: count },
    (_, index) => prefix + String(Number(first) + index).padStart(first.length, '0'),
  )
}

/** All dashes: those of Unicode from the hyphen to the bar, the minus sign, and the small and wide ones. */
const dashes = '-\u2010-\u2015\u2212\ufe58\ufe63\uff0d'
const spacedDash = new RegExp(`\\s*[${dashes}]\\s*`, 'g')

/** Returns a text in which every dash, with the spaces around it, is a hyphen: word processors write others. */
export function withPlainDashes(text: string): string {
  return text.replace(spacedDash, '-')
}

/** Returns the beginning of a long text, for a message. */
export function short(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

/** Returns the floor of a room by its number: what stands before the last two digits. Null where there is no such number. */
export function floorOf(name: string): string | null {
  return /^(\d{1,3})\d\d$/.exec(name)?.[1] ?? null
}

/** Returns a pattern of these rooms, with ranges; null when a pattern cannot describe them. `readPattern` gives them back. */
export function patternOf(rooms: readonly Room[]): string | null {
  const isPlain = rooms.every(
    ({ name, unitType, floor }) =>
      /^[^\s,;]+$/.test(name) &&
      !withPlainDashes(name).includes('-') &&
      /^[^\s,;]+$/.test(unitType) &&
      !/^except$/i.test(unitType) &&
      floor === floorOf(name),
  )
  if (!isPlain || rooms.length === 0 || rooms.length > mostRooms) return null
  const types = Map.groupBy(rooms, ({ unitType }) => unitType)
  const parts = [...types].map(
    ([unitType, own]) => `${rangesOf(own.map(({ name }) => name)).join(',')} ${unitType}`,
  )
  return parts.join('; ')
}

/** Joins names that follow one another. */
function rangesOf(names: string[]): string[] {
  const runs: string[][] = []
  for (const name of names) {
    const run = runs.at(-1)
    if (run && isNext(run.at(-1)!, name)) run.push(name)
    else runs.push([name])
  }
  return runs.flatMap((run) => (run.length > 2 ? [`${run[0]}-${run.at(-1)}`] : run))
}

function isNext(one: string, other: string): boolean {
  const [, prefix, digits] = /^(.*?)(\d{1,6})$/.exec(one) ?? []
  return digits !== undefined && other === prefix + String(Number(digits) + 1).padStart(digits.length, '0')
}
