import { guestLinks } from './drivers.ts'
import type { Adapter } from './upstream/adapter.ts'
import { cloudEvents } from './upstream/cloudevents/cloudevents.ts'
import { fias } from './upstream/fias/fias.ts'
import { mews } from './upstream/mews/mews.ts'
import { standalone } from './upstream/standalone/standalone.ts'

/** Every adapter of this build. Their wires are the drivers': an adapter is handed what it speaks over. */
export const adapters: readonly Adapter[] = [standalone, cloudEvents, fias(guestLinks.fias), mews]
