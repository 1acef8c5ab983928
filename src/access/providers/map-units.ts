import type { LockDriver } from '../../devices/driver.ts'
import { exactly } from '../../jsonapi/description.ts'
import { metaAnswer } from '../../jsonapi/document-answers.ts'
import { type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { bodyOf, validate } from '../../jsonapi/schemas/validate.ts'
import { list, text } from '../../jsonapi/schemas/words.ts'
import { expectedRevision, writeOptions } from '../../jsonapi/write-options.ts'
import { unit } from '../../reservation/resources/unit.ts'
import { command } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { first } from '../../resource/query.ts'
import type { Property } from '../access.ts'
import { orDeviceProblem } from '../handles/device-problem.ts'
import { type AccessProvider, accessProvider, mostMappings } from '../resources/access-provider.ts'
import { doorsOf } from '../resources/door.ts'
import { lockDriverOf } from './lock-systems.ts'

const route = routesAt('/api/config/v1')

/** The default pattern: the lock has the name of the unit. */
const ownName = '{name}'

/** The route that fills the unit mapping of a lock system from the names of the property's units. */
export function mapUnitsRoute(property: Stored, drivers: readonly LockDriver[]): Route {
  const path = 'access-providers/:id/actions/map-units'
  return route('POST', path, accessProvider.scopes.write, says, (request) =>
    orDeviceProblem(answer(property, drivers, request)),
  )
}

type Stored = Pick<Property, 'reader' | 'writer'>

async function answer(property: Stored, drivers: readonly LockDriver[], request: Request) {
  const row = property.reader.row(accessProvider, request.params.id ?? '')
  if (!row) throw new Problem('not-found', 'There is no such access-provider.')
  const body = await bodyOf<MapBody>(request, bodySchema)
  const driver = lockDriverOf(drivers, row)
  const names = unitNames(property)
  const found = mapUnits(names, locksOf(property, row), lockNames(names, body), (code) =>
    driver.lockCodeProblem(code, row.connection),
  )
  const input = { id: row.id, revision: expectedRevision(request) ?? row.revision, ...found }
  const meta = await property.writer.execute(addMappings, input, writeOptions(request))
  return metaAnswer(meta)
}

/** Checks the body of the action. Throws validation-failed. */
export function expectMapBody(body: unknown): Promise<void> {
  return validate(bodySchema, body)
}

interface MapBody {
  pattern?: string
  locks?: { unitName: string; lock: string }[]
}

/** Returns the name of a unit's lock; null for a unit that is not to be mapped. */
type LockNames = (unitName: string) => string | null

/** The locks that are named one by one; without any, all units by the pattern. Throws validation-failed. */
function lockNames(names: readonly string[], { pattern = ownName, locks }: MapBody): LockNames {
  if (!locks) return (unitName) => lockByPattern(pattern, unitName)
  const strange = locks.findIndex(({ unitName }) => !names.includes(unitName))
  if (strange >= 0)
    throw new Problem('validation-failed', `There is no unit ${locks[strange]?.unitName}.`, {
      pointer: `/locks/${strange}/unitName`,
    })
  const named = new Map(locks.map(({ unitName, lock }) => [unitName, lock]))
  return (unitName) => named.get(unitName) ?? null
}

/** A unit, and the code of its lock in the lock system. */
interface Mapping {
  unitName: string
  externalCode: string
}

interface MappedUnits {
  /** The units that got a lock. */
  mapped: Mapping[]
  /** The units that had one already, in the mapping or among the access units of the provider. */
  kept: Mapping[]
  unmapped: { unitName: string; reason: string }[]
}

/** Adds the units in `mapped` to the provider's unit mapping and returns the whole result. Throws revision-mismatch. */
export const addMappings = command(
  'map-units',
  (tx, { id, revision, ...found }: MappedUnits & { id: string; revision: number }): MappedUnits => {
    tx.expectRevision(accessProvider, { id, revision })
    const { unitMapping } = tx.find(accessProvider, id) as AccessProvider
    if (found.mapped.length > 0)
      tx.patch(accessProvider, id, { unitMapping: [...(unitMapping ?? []), ...found.mapped] })
    return found
  },
)

interface Locks {
  /** The lock codes by unit name, as keys find them. */
  known: ReadonlyMap<string, string>
  /** The number of entries in the provider's unit mapping. */
  mappings: number
}

/**
 * Maps each unit that has no lock and for which `lockName` returns the name of one. A known lock of that name gives the
 * code; otherwise the name itself is the code. A unit with a lock keeps it, and no lock is given to two units.
 * `lockCodeProblem` returns null for a code that the lock system can have, and otherwise the reason.
 */
export function mapUnits(
  names: readonly string[],
  { known, mappings }: Locks,
  lockName: LockNames,
  lockCodeProblem: (code: string) => string | null,
): MappedUnits {
  const unitOf = new Map(names.flatMap((name) => (known.has(name) ? [[known.get(name), name]] : [])))
  const result: MappedUnits = { mapped: [], kept: [], unmapped: [] }
  for (const unitName of names) {
    const text = lockName(unitName)
    if (text === null) continue
    const kept = known.get(unitName)
    if (kept !== undefined) {
      result.kept.push({ unitName, externalCode: kept })
      continue
    }
    const externalCode = known.get(text) ?? text
    const holder = unitOf.get(externalCode)
    const reason =
      lockCodeProblem(externalCode) ??
      (holder === undefined ? null : `Its lock would be ${externalCode}, which is the lock of ${holder}.`) ??
      (externalCode.length > 60 ? 'The code of its lock would be longer than 60 characters.' : null) ??
      (mappings + result.mapped.length >= mostMappings
        ? `A mapping has at most ${mostMappings} units.`
        : null)
    if (reason !== null) {
      result.unmapped.push({ unitName, reason })
      continue
    }
    unitOf.set(externalCode, unitName)
    result.mapped.push({ unitName, externalCode })
  }
  return result
}

/** `Room {name}` turns 201 into `Room 201`. */
export function lockByPattern(pattern: string, name: string): string {
  return pattern.replaceAll('{name}', () => name).replaceAll('{digits}', () => name.replace(/\D/g, ''))
}

function unitNames({ reader }: Stored): string[] {
  const sort = [{ path: 'name', descending: false }]
  const names = reader.rows(unit, { ...first([], mostMappings + 1), sort }).map(({ name }) => name)
  if (names.length <= mostMappings) return names
  throw new Problem(
    'validation-failed',
    `The property has more than ${mostMappings} units: send unitMapping.`,
  )
}

function locksOf({ reader }: Stored, { id, unitMapping }: AccessProvider): Locks {
  const known = new Map(doorsOf(reader, id).map(({ name, lock }) => [name, lock]))
  return { known, mappings: unitMapping?.length ?? 0 }
}

const nameOrCode = { type: 'string', minLength: 1, maxLength: 60 }
const bodySchema = {
  type: 'object',
  properties: {
    pattern: {
      type: 'string',
      maxLength: 60,
      pattern: '\\{(name|digits)\\}',
      $comment: 'a text with `{name}` or `{digits}`',
      default: ownName,
      description:
        'How the locks are named: `{name}` stands for the name of the unit, `{digits}` for the digits in that name. With `Room {name}`, the lock of unit 201 is `Room 201`.',
    },
    locks: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: exactly({ unitName: nameOrCode, lock: nameOrCode }),
      description:
        'Single units with the names of their locks. With it `pattern` and other units are not looked at.',
    },
  },
  additionalProperties: false,
}
const mappings = list(exactly({ unitName: text, externalCode: text }))

const says = {
  id: 'mapUnits',
  summary: 'Fill the unit mapping of a lock system from the names of the units',
  notes:
    'For each unit without a lock, `pattern` gives the name of its lock, or `locks` names it. If unit-sync has found a lock of that name, the unit gets this lock; otherwise the name is used as the code of the lock. A unit that has a lock keeps it. `unmapped` lists the units that are still without a lock, with the reason. With `dryRun=true` nothing is stored.',
  body: { schema: bodySchema, example: { pattern: ownName } },
  answers: {
    200: {
      schema: exactly({
        meta: exactly({
          mapped: mappings,
          kept: mappings,
          unmapped: list(exactly({ unitName: text, reason: text })),
        }),
      }),
    },
  },
  problems: ['revision-mismatch'],
  device: true,
} as const
