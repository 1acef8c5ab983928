import { changes } from './api.ts'
import type { Feed } from './events/feed.ts'
import { deliveries } from './events/webhooks/deliveries.ts'
import type { Clock } from './host/clock.ts'
import type { OpenStore } from './open-store.ts'
import { availabilityPublisher } from './reservation/availability/availability-events.ts'
import { retentionWork } from './retention/retention-work.ts'

interface Options {
  feed: Feed
  clock: Clock
  failed(error: unknown): void
}

/**
 * Starts the background work of an open store: webhook deliveries, publication of availability, and
 * retention.
 */
export function standingWork({ keeping, folder, written }: OpenStore, { feed, clock, failed }: Options) {
  const { reader, door } = keeping
  const { unseal } = folder.vault
  const webhooks = deliveries({ feed, speaking: keeping, door, clock, unseal, written, failed })
  const forgetting = retentionWork({ reader, door, clock, changes, failed })
  const telling = availabilityPublisher({ clock, reader, door, written, failed })
  return {
    /** Starts a round of retention at once. */
    forget: forgetting.begin,
    /** Resolves when all background work has ended. */
    async close(): Promise<void> {
      await forgetting.close()
      telling.close()
      await webhooks.close()
    },
  }
}
