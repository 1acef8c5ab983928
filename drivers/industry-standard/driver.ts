import type { OnlineLockDriver } from '../../src/devices/driver.ts'
import { industryStandard } from './lock-system.ts'
import { lockCodeProblem } from './request.ts'
import { connectionSchema, credentialsSchema } from './settings.ts'
import { wireMask } from './wire-mask.ts'

/** Lock systems that drive their own encoders and receive messages with the room of a card. */
export default {
  name: 'industry-standard',
  vendor: 'Onity, SALTO',
  capability: 'lock-system',
  lockMode: 'online',
  keyTypes: ['keyCard'],
  provenance: { known: 'reverse-engineered', proven: ['simulator'], probing: 'nothing' },
  connection: connectionSchema,
  credentials: credentialsSchema,
  mask: wireMask,
  // Most sites have no password. Where there is one, a person knows it.
  generate: () => ({}),
  lockCodeProblem,
  open: industryStandard,
} satisfies OnlineLockDriver
