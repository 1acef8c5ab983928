import type { ServiceAnswer, ServiceSetup } from '../../../src/devices/key-service.ts'
import type { Clock } from '../../../src/host/clock.ts'
import { announced, rowOf } from '../protocol.ts'
import type { FiasRecord } from '../record.ts'
import { serviceFields, serviceRequest } from './service-request.ts'
import type { VendorLink } from './vendor-link.ts'

/**
 * The fields that the appliance wants in each key request, and the fields of its answers. It cannot change a key
 * without the card.
 */
export const keyRecords = announced('KR', 'KD', 'KZ', 'KA')

/** The limit of concurrent requests, over all encoders. */
const mostAtWork = 16
/** The deadline of an answer: before the PMS gives up its request. */
const silentMs = 120_000

interface KeyOrderOptions {
  clock: Clock
  /** Authorizations by name: the position of each in KO. */
  options: ReadonlyMap<string, number>
  handle: ServiceSetup['handle']
  /** Called when an answer was not delivered. */
  unanswered(error: Error): void
}

/** Executes the key orders of a PMS; every request is answered. */
export function keyOrders({ clock, options, handle, unanswered }: KeyOrderOptions) {
  let atWork = 0

  return {
    /** Whether the record is a key request. The request is then executed and answered over the link. */
    take(record: FiasRecord, link: Pick<VendorLink, 'send'>): boolean {
      const answer = rowOf(record.id)?.answer
      if (!answer) return false
      void answerTo(record).then((result) => {
        link.send(result.outcome === 'done' ? answer : 'KA', serviceFields(record, result)).catch(unanswered)
      })
      return true
    },
  }

  /** Never rejects, and always ends. */
  async function answerTo(record: FiasRecord): Promise<ServiceAnswer> {
    const request = serviceRequest(record, options)
    if (typeof request === 'string') return { outcome: 'refused', text: request }
    if (atWork >= mostAtWork) return { outcome: 'busy', text: 'Too many requests' }
    atWork++
    const { promise: silence, resolve } = Promise.withResolvers<ServiceAnswer>()
    const timer = clock.setTimeout(
      () => resolve({ outcome: 'refused', text: 'No answer; look at the card' }),
      silentMs,
    )
    try {
      return await Promise.race([handle(request), silence])
    } catch {
      return { outcome: 'refused', text: 'Unexpected error; look at the card' }
    } finally {
      timer.cancel()
      atWork--
    }
  }
}
