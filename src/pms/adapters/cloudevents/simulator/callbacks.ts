import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Clock } from '../../../../host/clock.ts'
import type { SimulatedPms } from './simulated-pms.ts'

const patienceMs = 5_000
/** Calls without an answer; one more is not made. */
const mostUnderWay = 50

/** Tells the addresses that were registered of each change, signed; once, as whoever misses it will ask. Until called. */
export function postToCallbacks(pms: SimulatedPms, clock: Clock): () => void {
  let underWay = 0
  return pms.onNotification((text) => {
    for (const { callbackUrl, secret } of pms.callbacks) {
      if (underWay >= mostUnderWay) return
      underWay++
      const id = randomUUID()
      const moment = new Date(clock.now())
      const headers = {
        'content-type': 'application/cloudevents+json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(moment.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign(id, moment, text),
      }
      const signal = clock.timeout(patienceMs)
      fetch(callbackUrl, { method: 'POST', headers, body: text, redirect: 'manual', signal })
        .catch(() => null)
        .finally(() => underWay--)
    }
  })
}
