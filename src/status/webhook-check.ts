import { wordsOf } from '../events/webhooks/post.ts'
import type { WebhookHealth } from '../events/webhooks/webhook-health.ts'
import type { Message } from '../jsonapi/locales/message.ts'
import type { Found } from './check.ts'

/** An event may wait for its receiver for this long before the status warns. */
const mostWaitMs = 3_600_000
/** And a message that calls a person for this long. */
const mostPhoneWaitMs = 3 * 60_000

/**
 * Warns when an event has waited for an hour (a message to a phone: three minutes), while there are dead letters, and when the
 * appliance has disabled the webhook. After a delivery, or when the dead letters were sent again, it passes.
 */
export function webhookDeliveries(webhook: WebhookHealth, now: number): Found {
  const { id, host, isPhone, waitsSince, lastError, dead, switchedOffBecause } = webhook
  const messages: Message[] = []
  if (switchedOffBecause !== null)
    messages.push({ code: 'webhook-switched-off', values: { detail: switchedOffBecause } })
  if (waitsSince !== null && now - waitsSince > (isPhone ? mostPhoneWaitMs : mostWaitMs)) {
    const since = `${new Date(waitsSince).toISOString().slice(0, 16).replace('T', ' ')} UTC`
    const detail = lastError ?? '?'
    const said = isPhone ? { errorCode: 'no-line', detail: wordsOf(detail) } : detail
    messages.push({ code: isPhone ? 'phone-behind' : 'webhook-behind', values: { since, detail: said } })
  }
  if (dead > 0) messages.push({ code: 'webhook-dead-letters', values: { count: dead } })
  return {
    componentId: id,
    componentType: 'system',
    observedValue: waitsSince === null ? 0 : Math.max(0, Math.round((now - waitsSince) / 1000)),
    observedUnit: 's',
    status: messages.length > 0 ? 'warn' : 'pass',
    messages,
    about: host,
  }
}
