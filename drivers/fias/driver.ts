import type { OnlineLockDriver } from '../../src/devices/driver.ts'
import { lockCodeProblem } from './as-pms/grant.ts'
import { fiasLockSystem } from './as-pms/lock-system.ts'
import { codePage } from './code-page.ts'
import { connectionSchema, lineSettings } from './settings.ts'
import { wireMask } from './wire-mask.ts'

/** A key system that keeps the rights and drives its own encoders, over FIAS. */
export default {
  name: 'fias-key',
  vendor: 'FIAS (many key systems)',
  capability: 'lock-system',
  lockMode: 'online',
  keyTypes: ['keyCard'],
  provenance: { known: 'vendor-manual', proven: ['simulator'], probing: 'nothing' },
  connection: connectionSchema,
  // FIAS has no credentials.
  credentials: { type: 'object', additionalProperties: false, maxProperties: 0 },
  mask: wireMask,
  generate: () => ({}),
  lockCodeProblem: (code, connection) => lockCodeProblem(code, codePage(lineSettings(connection).codePage)),
  open: fiasLockSystem,
} satisfies OnlineLockDriver
