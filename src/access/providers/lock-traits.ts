import type { LockTraits } from '../../devices/lock-system.ts'
import type { LockSystem } from './lock-systems.ts'

/** The extensions that the appliance answers for every provider. */
const ownExtensions = [
  { name: 'unit-list', description: 'The units that keys can be made for, with their lock codes.' },
  { name: 'encoder-list', description: 'The controllers that make keys for this provider.' },
] as const

const unitSync = {
  name: 'unit-sync',
  description: 'Adds the locks of the lock system to the access units; removes none.',
}

/** The abilities of a lock system, from its driver; for `card`, those of every card with rights. */
export function traitsOf(lockSystem: LockSystem): LockTraits {
  if (lockSystem.kind === 'card') return cardTraits(lockSystem.driver.vendor)
  const { system } = lockSystem
  const traits = system.traits()
  const own = ownExtensions.filter(({ name }) => !traits.extensions.some((each) => each.name === name))
  return { ...traits, extensions: [...traits.extensions, ...own, ...(system.units ? [unitSync] : [])] }
}

/** The abilities of cards with rights: a card names one door, and its window is exact to the second. */
function cardTraits(vendor: string): LockTraits {
  return {
    vendor,
    product: null,
    productVersion: null,
    keyTypes: ['keyCard'],
    operations: {
      create: written,
      copy: written,
      'one-shot': written,
      reencode: written,
      read: repeatable,
      erase: repeatable,
      'list-units': withoutCard,
      'list-encoders': withoutCard,
    },
    limits: {
      maxExtraUnits: 0,
      pinLength: null,
      dateGranularity: 'second',
      maxValidityDays: null,
      nameLength: null,
      charset: 'ascii',
    },
    extensions: ownExtensions,
  }
}

const written = { requiresMedium: true, idempotent: false, typicalMs: null }
const repeatable = { ...written, idempotent: true }
const withoutCard = { ...repeatable, requiresMedium: false }
