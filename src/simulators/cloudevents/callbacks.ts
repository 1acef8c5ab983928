import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Clock } from '../../host/clock.ts'
import type { SimulatedPms } from './simulated-pms.ts'

const patienceMs = 5_000
/** The maximum number of pending calls; a further one is dropped. */
const maxPending = 50

/** Posts each change, signed, to the registered addresses; once, because a lost one is polled. Returns a function that ends this. */
export function postToCallbacks(pms: SimulatedPms, clock: Clock): () => void {
  let pending = 0
  return pms.onNotification((text) => {
    for (const { callbackUrl, secret } of pms.callbacks) {
      if (pending >= maxPending) return
      pending++
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
        .finally(() => pending--)
    }
  })
}
