import { guestLinks } from './drivers.ts'
import type { Adapter } from './upstream/adapter.ts'
import { cloudEvents } from './upstream/cloudevents/cloudevents.ts'
import { fias } from './upstream/fias/fias.ts'
import { mews } from './upstream/mews/mews.ts'
import { standalone } from './upstream/standalone/standalone.ts'

/** The PMS adapters of this build. An adapter gets its wire from a driver. */
export const adapters: readonly Adapter[] = [standalone, cloudEvents, fias(guestLinks.fias), mews]
