import type { Transaction } from '../../resource/command.ts'
import { json } from '../../resource/compound.ts'
import { exampleId } from '../../resource/example-id.ts'
import { flag, reference, text } from '../../resource/fields.ts'
import { resource, type Writing } from '../../resource/resource.ts'
import { expectOwnLocks } from './door.ts'

const fields = {
  name: text({ required: true, max: 60, note: 'The name of the unit; the unitName of keys.' }),
  code: text({
    max: 60,
    note: 'The code of the unit in the lock system. Default: its name. The unitMapping of a provider takes precedence.',
  }),
  config: json<Record<string, unknown>>(
    { type: 'object', maxProperties: 50 },
    { note: 'Further data for the provider.' },
  ),
  providerId: reference('access-provider', { required: true, note: 'The provider that manages it.' }),
  unitId: reference('unit', {
    note: 'The unit to which a door with a name of its own leads, such as the second door of a suite: its keys are guarded as those of that unit.',
  }),
  shared: flag({ note: 'Several units lie behind the lock, and each of them says so.' }),
}

/** A door, gate, locker or other object with a lock, as the provider's lock system knows it. */
export const accessUnit = resource('access-unit', {
  path: 'access/units',
  scopes: { read: 'access-units.read', write: 'access-units.write' },
  operations: ['list', 'create', 'read', 'replace', 'remove'],
  example: { name: 'Garage', code: '901', providerId: exampleId('access-provider') },
  fields,
  rules: { written: [hasItsOwnLock] },
  indexes: [{ fields: ['providerId', 'name'], unique: true, why: 'a provider knows a unit by its name' }],
})

/** Several access units that are written together may exchange their locks. */
function hasItsOwnLock({ tx, after: { providerId, name } }: Writing<typeof fields>): void {
  tx.gather(expectTheirOwnLocks, { providerId, name })
}

function expectTheirOwnLocks(
  tx: Transaction,
  written: readonly { providerId: string; name: string }[],
): void {
  for (const [providerId, units] of Map.groupBy(written, (each) => each.providerId))
    expectOwnLocks(tx, providerId, new Set(units.map(({ name }) => name)), () => '/code')
}
