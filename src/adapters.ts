import type { Adapter } from './upstream/adapter.ts'
import { cloudEvents } from './upstream/cloudevents/cloudevents.ts'
import { standalone } from './upstream/standalone/standalone.ts'

/** Every adapter of this build. */
export const adapters: readonly Adapter[] = [standalone, cloudEvents]
