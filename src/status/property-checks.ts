import type { Found } from './check.ts'
import type { Facts } from './status-facts.ts'

export function settings({ property: { assumption } }: Facts): Found {
  return {
    componentType: 'system',
    observedValue: assumption === null ? 'confirmed' : 'assumed',
    status: assumption === null ? 'pass' : 'warn',
    output: assumption,
  }
}

export function units({ property: { hasUnits } }: Facts): Found {
  return {
    componentType: 'system',
    observedValue: hasUnits,
    status: hasUnits ? 'pass' : 'warn',
    output: hasUnits
      ? null
      : 'The property has no units, so no guest can get a room. Create its unit types with POST /api/v2/batch/unit-types, and then its units with POST /api/v2/batch/units.',
  }
}

export function lockSystem({ property: { hasLockSystem, hasController } }: Facts): Found {
  const output = hasLockSystem ? (hasController ? null : noController) : noLockSystem
  return {
    componentType: 'system',
    observedValue: hasLockSystem && hasController,
    status: output ? 'warn' : 'pass',
    output,
  }
}

const noLockSystem =
  'No lock system is configured, so no key can be made. Create one with POST /api/config/v1/access-providers; GET /api/config/v1/drivers lists what it may be.'
const noController =
  'No encoder and no other controller is configured, so no key can be made. Create one with POST /api/config/v1/access-controllers.'

/** Warns after a restore, until a person has checked every unit whose door may accept an unknown key. */
export function unknownKeys({ unitsToCheck }: Facts): Found {
  return {
    componentType: 'system',
    observedValue: unitsToCheck,
    observedUnit: 'units',
    status: 'warn',
    output: `A backup was restored. At ${unitsToCheck} units, keys that are not known here may open. Make a new key for each, open its door with it once and report it (seen-at-door); or remove the unit from units-to-check.`,
  }
}
