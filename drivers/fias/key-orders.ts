import type { ServiceAnswer, ServiceSetup } from '../../src/devices/key-service.ts'
import type { Clock } from '../../src/host/clock.ts'
import { announced, rowOf } from './protocol.ts'
import type { FiasRecord } from './record.ts'
import { serviceFields, serviceRequest } from './service-request.ts'
import type { VendorLink } from './vendor-link.ts'

/** What we want to be told with each request for a key, and what we answer with. A key is not changed without its card. */
export const keyRecords = announced('KR', 'KD', 'KZ', 'KA')

/** How many requests may be at work, over all encoders. */
const mostAtWork = 16
/** Whatever hangs, the PMS is told before it has forgotten that it asked. */
const silentMs = 120_000

interface KeyOrderOptions {
  clock: Clock
  /** Authorizations by name: the position of each in KO. */
  options: ReadonlyMap<string, number>
  handle: ServiceSetup['handle']
  /** An answer did not get through. */
  unanswered(error: Error): void
}

/** What a PMS orders of keys over its links; every request gets an answer. */
interface KeyOrders {
  /** Whether the record asks for a key; it is answered over the link when that is done. */
  take(record: FiasRecord, link: Pick<VendorLink, 'send'>): boolean
}

export function keyOrders({ clock, options, handle, unanswered }: KeyOrderOptions): KeyOrders {
  let atWork = 0

  return {
    take(record, link) {
      const answer = rowOf(record.id)?.answer
      if (!answer) return false
      void answerTo(record).then((said) => {
        link.send(said.outcome === 'done' ? answer : 'KA', serviceFields(record, said)).catch(unanswered)
      })
      return true
    },
  }

  /** Never rejects, and always comes to an end. */
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
