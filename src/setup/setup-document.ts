import { exactly } from '../jsonapi/description.ts'
import { validate } from '../jsonapi/schemas/validate.ts'
import { Problem } from '../resource/problem.ts'
import { type Room, RoomPatternRefused, roomsIn } from './room-pattern.ts'
import { sections, type Values } from './sections.ts'

/** A property in one document: its settings, rooms, devices and connections. Every member is optional. */
export type SetupDocument = Values & {
  rooms?: string | (Values & { name: string; unitType: string })[]
  network?: { names: string[]; newAuthority?: boolean }
}

const single = (name: string) => name === 'settings' || name === 'property'
const items = { type: 'array', maxItems: 500, items: { type: 'object' } }
const word = { type: 'string', minLength: 1, maxLength: 60 }

const room = exactly(
  {
    name: word,
    unitType: { ...word, maxLength: 30, description: 'The code of a unit type.' },
    floor: { type: ['string', 'null'], maxLength: 30 },
    priority: { type: ['integer', 'null'], minimum: 1, maximum: 9_999 },
  },
  ['floor', 'priority'],
)

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
      { type: 'array', maxItems: 2_000, items: room },
    ],
  },
  network: exactly(
    { names: { type: 'array', maxItems: 5, items: word }, newAuthority: { type: 'boolean' } },
    ['newAuthority'],
  ),
}

/** The JSON Schema of a set-up document. */
export const documentSchema = exactly(members, Object.keys(members))

/** Checks the form of a document. Throws one problem for each error. */
export async function expectForm(document: unknown): Promise<SetupDocument> {
  await validate(documentSchema, document)
  const problems = sections.flatMap(({ name, key }) =>
    key === null ? [] : repeated(document as Values, name, key),
  )
  if (problems.length > 0) throw Problem.all(problems)
  return document as SetupDocument
}

function repeated(document: Values, name: string, key: string): Problem[] {
  const seen = new Set<unknown>()
  return ((document[name] ?? []) as Values[]).flatMap((item, index) => {
    const pointer = `/${name}/${index}/${key}`
    const value = item[key]
    if (typeof value !== 'string' || value === '')
      return [
        new Problem('validation-failed', `Expected a text: the ${key} by which it is found.`, { pointer }),
      ]
    if (seen.has(value)) return [new Problem('validation-failed', `${value} is named twice.`, { pointer })]
    seen.add(value)
    return []
  })
}

/** Returns the rooms of a document. Throws validation-failed. */
export function roomsOf({ rooms = [] }: SetupDocument): (Room & Values)[] {
  if (typeof rooms === 'string') return patternRooms(rooms, '/rooms')
  const names = rooms.map(({ name }) => name)
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index)
  if (twice >= 0)
    throw new Problem('validation-failed', `Room ${names[twice]} is named twice.`, {
      pointer: `/rooms/${twice}/name`,
    })
  return rooms as (Room & Values)[]
}

/** Reads a room pattern. Throws validation-failed with the pointer. */
export function patternRooms(pattern: string, pointer: string): (Room & Values)[] {
  try {
    return roomsIn(pattern) as (Room & Values)[]
  } catch (error) {
    if (!(error instanceof RoomPatternRefused)) throw error
    throw new Problem('validation-failed', error.message, { pointer, cause: error })
  }
}
