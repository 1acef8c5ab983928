import { guestLinks } from './drivers.ts'
import type { Adapter } from './pms/adapter.ts'
import { cloudEvents } from './pms/cloudevents/cloudevents.ts'
import { fias } from './pms/fias/fias.ts'
import { mews } from './pms/mews/mews.ts'
import { standalone } from './pms/standalone/standalone.ts'

/** The PMS adapters of this build. An adapter gets its wire from a driver. */
export const adapters: readonly Adapter[] = [standalone, cloudEvents, fias(guestLinks.fias), mews]
