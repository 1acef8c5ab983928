import { changes } from './api.ts'
import type { Feed } from './events/feed.ts'
import { deliveries } from './events/webhooks/deliveries.ts'
import type { Clock } from './host/clock.ts'
import type { OpenStore } from './open-store.ts'
import { availabilityPublisher } from './reservation/availability-events.ts'
import { retentionWork } from './retention/retention-work.ts'

interface Options {
  feed: Feed
  clock: Clock
  failed(error: unknown): void
}

/** What is done by itself as long as the store is open: events are brought, availability is told, and what is old is forgotten. */
export function standingWork({ keeping, folder, written }: OpenStore, { feed, clock, failed }: Options) {
  const { reader, door } = keeping
  const { unseal } = folder.vault
  const webhooks = deliveries({ feed, speaking: keeping, door, clock, unseal, written, failed })
  const forgetting = retentionWork({ reader, door, clock, changes, failed })
  const telling = availabilityPublisher({ clock, reader, door, written, failed })
  return {
    /** Begins to forget at once, and not only with the next hour. */
    forget: forgetting.begin,
    /** Resolves when nothing of it is under way any more. */
    async close(): Promise<void> {
      await forgetting.close()
      telling.close()
      await webhooks.close()
    },
  }
}
