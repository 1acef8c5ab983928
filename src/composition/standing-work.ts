import type { Feed } from '../events/feed.ts'
import { deliveries } from '../events/webhooks/deliveries.ts'
import type { Clock } from '../host/clock.ts'
import { availabilityPublisher } from '../reservation/availability/availability-events.ts'
import type { RetentionReport } from '../retention/retention-report.ts'
import { retentionWork } from '../retention/retention-work.ts'
import { changes } from './api.ts'
import type { OpenStore } from './open-store.ts'
import { phoneFacts } from './phone-facts.ts'

interface Options {
  feed: Feed
  clock: Clock
  retention: RetentionReport
  failed(error: unknown): void
}

/**
 * Starts the background work of an open store: webhook deliveries, publication of availability, and
 * retention.
 */
export function standingWork(
  { store, folder, written, background }: OpenStore,
  { feed, clock, retention, failed }: Options,
) {
  const { reader, writer } = store
  const { unseal } = folder.vault
  const webhooks = deliveries({
    feed,
    serializing: store,
    writer,
    clock,
    background,
    facts: phoneFacts(reader),
    unseal,
    written,
    failed,
  })
  const forgetting = retentionWork({ reader, writer, clock, changes, report: retention, background, failed })
  const telling = availabilityPublisher({ clock, reader, writer, written, background, failed })
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
