import type { OnlineLockDriver } from '../../src/devices/driver.ts'
import { ttlock } from './lock-system.ts'
import { lockCodeProblem } from './rules.ts'
import { connectionSchema, credentialsSchema } from './settings.ts'

/** PINs at locks behind gateways, through the vendor's cloud. */
export default {
  name: 'ttlock',
  vendor: 'TTLock',
  capability: 'lock-system',
  lockMode: 'online',
  keyTypes: ['pinCode'],
  provenance: { known: 'vendor-manual', proven: ['simulator'], probing: 'nothing' },
  connection: connectionSchema,
  credentials: credentialsSchema,
  generate: () => null,
  lockCodeProblem,
  open: ttlock,
} satisfies OnlineLockDriver
