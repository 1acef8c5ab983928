import { exactly } from '../jsonapi/description.ts'
import { validate, validateAt } from '../jsonapi/schemas/validate.ts'
import { unit } from '../reservation/resources/unit.ts'
import type { JsonSchema } from '../resource/field.ts'
import { Problem } from '../resource/problem.ts'
import { type Found, problemsOf } from './check-item.ts'
import { itemSchema } from './item-schema.ts'
import { mostRooms, type Room, readPattern, short } from './room-pattern.ts'
import { type Section, sections, type Values } from './sections.ts'

/** A property in one document: its settings, rooms, devices and connections. Every member is optional. */
export type SetupDocument = Values & {
  rooms?: string | ((Values & { name: string; unitType: string }) | null)[]
  network?: { names: string[]; newAuthority?: boolean }
}

const single = (name: string) => name === 'settings' || name === 'property'
/** The largest number of items in one section. */
const mostItems = 500
const items = { type: 'array', maxItems: mostItems, items: { type: 'object' } }
const word = { type: 'string', minLength: 1, maxLength: 60 }

const room = exactly(
  {
    name: unit.fields.name!.schema,
    unitType: { ...word, maxLength: 30, description: 'The code of a unit type.' },
    floor: { type: ['string', 'null'], maxLength: 30 },
    priority: { type: ['integer', 'null'], minimum: 1, maximum: 9_999 },
  },
  ['floor', 'priority'],
)

const roomName = exactly({ name: unit.fields.name!.schema })

const members = {
  ...Object.fromEntries(
    sections.map(({ name, resource, references }) => [
      name,
      {
        ...(single(name) ? { type: 'object' } : items),
        description: `Fields of ${resource.type}${Object.keys(references).length > 0 ? `; ${Object.keys(references).join(' and ')} by name` : ''}.`,
      },
    ]),
  ),
  rooms: {
    anyOf: [
      {
        type: 'string',
        minLength: 1,
        maxLength: 10_000,
        description: 'A pattern, such as `101-130 DBL; 201-230 DBL except 213; 301,302 SUI`.',
      },
      { type: 'array', maxItems: mostRooms, items: room },
    ],
  },
  network: exactly(
    { names: { type: 'array', maxItems: 5, items: word }, newAuthority: { type: 'boolean' } },
    ['newAuthority'],
  ),
}

/** The JSON Schema of a set-up document. */
export const documentSchema = exactly(members, Object.keys(members))

const memberSchemas: Record<string, JsonSchema> = Object.fromEntries(
  Object.entries(members).map(([name, schema]) => [name, exactly({ [name]: schema })]),
)

/** Only the names of the members. */
const namesSchema = exactly(
  Object.fromEntries(Object.keys(members).map((name) => [name, {}])),
  Object.keys(members),
)

/**
 * Reads a document: what can be checked further, and what is wrong in its form. A member that is not of its form is left out,
 * and so is such an item of a list; the other items keep their places. Throws for what is no object.
 */
export async function readForm(document: unknown): Promise<{ document: SetupDocument; form: Found }> {
  if (!isObject(document)) await validate(documentSchema, document)
  const given = document as Values
  const names = Object.fromEntries(Object.keys(given).map((name) => [name, null]))
  const form = await problemsOf(() => validate(namesSchema, names))
  const read: Values = {}
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(members, name)) continue
    const isList = Array.isArray(value) && !single(name) && name !== 'network'
    const found = await problemsOf(() => expectMember(name, isList ? [] : value, isList ? value.length : 0))
    if (found.problems.length === 0) read[name] = isList ? await readItems(name, value, form) : value
    form.problems.push(...found.problems)
    form.more += found.more
  }
  return { document: read as SetupDocument, form }
}

/** Checks what is no list, or the length of a list: each of its items is checked alone, so a long list has all its problems. */
async function expectMember(name: string, value: unknown, length: number): Promise<void> {
  const most = name === 'rooms' ? mostRooms : mostItems
  if (length > most)
    throw new Problem('validation-failed', `${name} must have at most ${most} items.`, {
      pointer: `/${name}`,
    })
  await validate(memberSchemas[name]!, { [name]: value })
}

/** Returns the items that have a key of their own, each in its place; null for the others, of which only the schema can be checked. */
async function readItems(name: string, items: unknown[], form: Found): Promise<(Values | null)[]> {
  const section = sections.find((each) => each.name === name)
  const key = section?.key ?? 'name'
  const keyForm = section?.keyForm ?? String
  const seen = new Set<string>()
  const read: (Values | null)[] = []
  for (const [index, given] of items.entries()) {
    const at = `/${name}/${index}`
    const item = isObject(given) ? inFormC(given) : null
    const refused = item === null ? `${at.slice(1)} must be object.` : wrongKey(item[key], key, seen, keyForm)
    read.push(refused === null ? item : null)
    if (refused === null) continue
    const place = item === null ? at : `${at}/${key}`
    form.problems.push(new Problem('validation-failed', refused, { pointer: place }))
    if (item === null) continue
    const schema = section ? itemSchema(section, true) : room
    const found = await problemsOf(() => validateAt(at, schema, section?.complete?.(item) ?? item))
    form.problems.push(...found.problems.filter(({ options }) => options.pointer !== place))
    form.more += found.more
  }
  return read
}

/** What is wrong with the key of an item; null for one that has not been seen. */
function wrongKey(
  value: unknown,
  key: string,
  seen: Set<string>,
  form: (key: string) => string,
): string | null {
  const isNumber = typeof value === 'number'
  if (typeof value !== 'string' || value === '')
    return isNumber
      ? `Expected a text, such as "${value}" in quotes: the ${key} by which it is found.`
      : `Expected a text: the ${key} by which it is found.`
  if (seen.has(form(value))) return `${value} is named twice.`
  seen.add(form(value))
  return null
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The texts of an item in normal form C, in which they are stored: some systems write letters with accents in another one. */
function inFormC(item: Values): Values {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.normalize() : value,
    ]),
  )
}

/** Returns the items of a section that can be read, each with its path in the document. */
export function itemsOf(document: SetupDocument, { name, key }: Section): { item: Values; path: string }[] {
  const given = document[name]
  if (given === undefined) return []
  if (key === null) return [{ item: given as Values, path: `/${name}` }]
  return (given as (Values | null)[]).flatMap((item, index) =>
    item === null ? [] : [{ item, path: `/${name}/${index}` }],
  )
}

/** A room of a document, with its path. */
export interface PlacedRoom {
  room: Room & Values
  path: string
}

/** Reads the rooms of a document: those that can be read, and what is wrong with the others. */
export async function readRooms({
  rooms = [],
}: SetupDocument): Promise<{ rooms: PlacedRoom[]; found: Found }> {
  if (typeof rooms === 'string') {
    const { rooms: read, problems } = await readNames(rooms, '/rooms')
    return {
      rooms: read.map((each) => ({ room: each as Room & Values, path: '/rooms' })),
      found: { problems, more: 0 },
    }
  }
  const placed: PlacedRoom[] = []
  const found: Found = { problems: [], more: 0 }
  for (const [index, each] of rooms.entries()) {
    if (each === null) continue
    const path = `/rooms/${index}`
    const own = await problemsOf(() => validateAt(path, room, each))
    if (own.problems.length === 0) placed.push({ room: each as Room & Values, path: `${path}/unitType` })
    found.problems.push(...own.problems)
    found.more += own.more
  }
  return { rooms: placed, found }
}

/** Reads a room pattern. Throws validation-failed with the pointer, for each mistake. */
export async function patternRooms(pattern: string, pointer: string): Promise<Room[]> {
  const { rooms, problems } = await readNames(pattern, pointer)
  if (problems.length > 0) throw Problem.all(problems)
  return rooms
}

/** Reads a room pattern: the rooms whose names a room can have, and what is wrong with the others. */
async function readNames(pattern: string, pointer: string): Promise<{ rooms: Room[]; problems: Problem[] }> {
  const { rooms, refused } = readPattern(pattern.normalize())
  const problems = refused.map(
    (each) => new Problem('validation-failed', each.message, { pointer, cause: each }),
  )
  const read: Room[] = []
  for (const each of rooms) {
    const { problems: ofName } = await problemsOf(() => validate(roomName, { name: each.name }))
    const named = ofName.map(
      ({ message }) => new Problem('validation-failed', `Room ${short(each.name)}: ${message}`, { pointer }),
    )
    problems.push(...named)
    if (named.length === 0) read.push(each)
  }
  return { rooms: read, problems }
}
