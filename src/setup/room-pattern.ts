/** A room as a pattern or a list describes it. */
export interface Room {
  name: string
  /** The code of the unit type. */
  unitType: string
  floor: string | null
}

/** A room pattern is wrong. The message names the part and what was expected. */
export class RoomPatternRefused extends Error {}

/** The largest number of rooms that one pattern describes. */
export const mostRooms = 2_000

const expected = 'Expected rooms and a unit type, such as 101-130 DBL; 201-230 DBL except 213; 301,302 SUI'

/**
 * Reads a room pattern: parts separated by semicolons, each with room names and ranges, the code of their unit type, and
 * after `except` the rooms that a range leaves out. The rooms are in the order of the pattern. Throws
 * RoomPatternRefused for a part that cannot be read, a room that is named twice, and more than 2,000 rooms.
 */
export function roomsIn(pattern: string): Room[] {
  const parts = pattern.split(';').map((part) => part.trim())
  const rooms = new Map<string, Room>()
  for (const part of parts.filter((each) => each !== ''))
    for (const room of roomsOfPart(part)) {
      if (rooms.has(room.name))
        throw new RoomPatternRefused(`Room ${room.name} is named twice, the second time in "${part}".`)
      rooms.set(room.name, room)
      expectFew(rooms.size)
    }
  if (rooms.size === 0) throw new RoomPatternRefused(`The pattern names no room. ${expected}.`)
  return [...rooms.values()]
}

function roomsOfPart(part: string): Room[] {
  const [stated = '', left = '', ...more] = part.split(/\sexcept(?:\s|$)/i)
  const [, named = '', unitType = ''] = /^(.*\S)\s+([^\s,;]+)$/.exec(stated.trim()) ?? []
  if (unitType === '' || more.length > 0)
    throw new RoomPatternRefused(`"${part}" cannot be read. ${expected}.`)
  const names = namesIn(named, part)
  const without = new Set(left.trim() === '' ? [] : namesIn(left, part))
  const known = new Set(names)
  const strange = [...without].find((name) => !known.has(name))
  if (strange !== undefined)
    throw new RoomPatternRefused(`Room ${strange} after "except" is not among the rooms of "${part}".`)
  return names.filter((name) => !without.has(name)).map((name) => ({ name, unitType, floor: floorOf(name) }))
}

function namesIn(list: string, part: string): string[] {
  const names: string[] = []
  for (const item of withPlainDashes(list).split(',')) {
    names.push(...namesOf(item.trim(), part))
    expectFew(names.length)
  }
  return names
}

function namesOf(item: string, part: string): string[] {
  if (item === '' || /\s/.test(item))
    throw new RoomPatternRefused(`"${item}" in "${part}" is not a room. ${expected}.`)
  const range = rangeIn(item, part)
  if (range === null && item.includes('-'))
    throw new RoomPatternRefused(
      `"${item}" in "${part}" is not a range of numbers, such as 101-130 or A1-A9.`,
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
      `The range "${item}" in "${part}" must go up within one prefix, such as 101-130.`,
    )
  const count = Number(last) - Number(first) + 1
  expectFew(count)
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

function expectFew(count: number): void {
  if (count > mostRooms) throw new RoomPatternRefused(`A pattern describes at most ${mostRooms} rooms.`)
}

/** Returns the floor of a room by its number: what stands before the last two digits. Null where there is no such number. */
export function floorOf(name: string): string | null {
  return /^(\d{1,3})\d\d$/.exec(name)?.[1] ?? null
}

/** Returns a pattern of these rooms, with ranges; null when a pattern cannot describe them. `roomsIn` gives them back. */
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
