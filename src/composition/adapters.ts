import { cloudEvents } from '../pms/adapters/cloudevents/cloudevents.ts'
import { fias } from '../pms/adapters/fias/fias.ts'
import { mews } from '../pms/adapters/mews/mews.ts'
import { opera } from '../pms/adapters/opera/opera.ts'
import { standalone } from '../pms/adapters/standalone/standalone.ts'
import type { Adapter } from '../pms/contract.ts'
import { guestLinks } from './drivers.ts'

/** The PMS adapters of this build. An adapter gets its wire from a driver. */
export const adapters: readonly Adapter[] = [standalone, cloudEvents, fias(guestLinks.fias), mews, opera]
