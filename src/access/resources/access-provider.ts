import { isDeepStrictEqual } from 'node:util'
import { exactly } from '../../jsonapi/description.ts'
import { json, sealed, texts, valueList } from '../../resource/compound.ts'
import { flag, integer, oneOf, text } from '../../resource/fields.ts'
import { invalidValue } from '../../resource/problem.ts'
import { type Row, resource, type Writing } from '../../resource/resource.ts'
import { expectOwnLocks } from './door.ts'

/** The largest number of units in the mapping of a provider. */
export const mostMappings = 5_000

/** The name of a unit, or the code of its lock. */
const nameOrCode = { type: 'string', minLength: 1, maxLength: 60 }
const shared = {
  type: 'boolean',
  description: 'Several units lie behind the lock, and each of them is listed.',
}
const mapping = exactly({ unitName: nameOrCode, externalCode: nameOrCode, shared }, ['shared'])
const allowed = exactly({
  unitName: nameOrCode,
  authorizations: { type: 'array', maxItems: 64, items: { type: 'string', maxLength: 60 } },
})

const fields = {
  name: text({ required: true }),
  driver: text({
    required: true,
    max: 60,
    note: 'A driver of this build. It defines the members of `connection` and `credentials`.',
  }),
  enabled: flag({ default: true }),
  connection: json<Record<string, unknown>, { required: true }>({ type: 'object' }, { required: true }),
  credentials: sealed({ type: 'object' }),
  timeZone: text({ note: 'The time zone of the lock system. Default: that of the property.' }),
  clockPolicy: oneOf(['Local', 'LocalNoDst', 'Utc'], { default: 'Local' }),
  unitMapping: valueList<{ unitName: string; externalCode: string; shared?: boolean }>(mapping, {
    max: mostMappings,
    note: 'The locks of the units by name, each lock once unless all its entries are `shared`. The action map-units fills it from the names of the units.',
  }),
  matrix: valueList<{ unitName: string; authorizations: string[] }>(allowed, {
    max: mostMappings,
    note: 'Authorizations of keys for a unit.',
  }),
  defaultAuthorizations: texts({ max: 64, note: 'Authorizations of every key.' }),
  maxExtraUnits: integer({ min: 0, max: 32, default: 0 }),
  maxCopies: integer({ min: 0, max: 99, default: 10 }),
}

/** A lock system: the service or the card format that carries the rights of keys. */
export const accessProvider = resource('access-provider', {
  base: '/api/config/v1',
  path: 'access-providers',
  scopes: { read: 'config.read', write: 'config.write' },
  operations: ['list', 'read', 'remove'],
  fields,
  rules: { written: [mapsEachLockOnce] },
})

export type AccessProvider = Row<typeof fields>

/** Entries that were stored before this rule are kept until one of them changes. */
function mapsEachLockOnce({ tx, id, before, after }: Writing<typeof fields>): void {
  const [stored, entries] = [before?.unitMapping ?? [], after.unitMapping ?? []]
  if (isDeepStrictEqual(stored, entries)) return
  const names = entries.map(({ unitName }) => unitName)
  const twice = names.findIndex((name, at) => names.indexOf(name) < at)
  if (twice >= 0) throw invalidValue(`/unitMapping/${twice}/unitName`, `${names[twice]} is listed twice.`)
  const changed = new Map(stored.map((entry) => [entry.unitName, entry]))
  for (const entry of entries)
    if (isDeepStrictEqual(entry, changed.get(entry.unitName))) changed.delete(entry.unitName)
    else changed.set(entry.unitName, entry)
  expectOwnLocks(tx, id, new Set(changed.keys()), (place) =>
    place === null ? '/unitMapping' : `/unitMapping/${place}/externalCode`,
  )
}
