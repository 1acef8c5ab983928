import { randomBytes } from 'node:crypto'
import type { CardLockDriver } from '../../src/devices/driver.ts'
import { lockCodeProblem } from './grant.ts'
import { cardFormats, lockSystem } from './lock-system.ts'
import { connectionSchema, credentialsSchema, settingsOf } from './settings.ts'

/** Keys that the appliance writes itself in the open format HKR1, for locks that implement it. */
export default {
  name: 'mifare-local',
  vendor: 'HKR1 (open format)',
  capability: 'lock-system',
  lockMode: 'offline-data-on-card',
  cardFormats,
  provenance: { known: 'own-design', proven: ['simulator'], probing: 'nothing' },
  connection: connectionSchema,
  credentials: credentialsSchema,
  generate: () => ({ keys: { 1: randomBytes(32).toString('hex') }, master: randomBytes(32).toString('hex') }),
  lockCodeProblem,
  open: (connection, credentials) => lockSystem(settingsOf(connection, credentials)),
} satisfies CardLockDriver
