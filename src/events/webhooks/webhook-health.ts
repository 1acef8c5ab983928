import type { Questions } from '../../resource/command.ts'
import { uuidText } from '../../resource/uuid-sql.ts'
import { cursorNameSql } from '../resources/webhook.ts'
import { waitsSinceSql } from '../resources/webhook-delivery.ts'

/** How far the deliveries of one webhook are. */
export interface WebhookHealth {
  id: string
  /** The host of its receiver. The path of the URL may contain a secret. */
  host: string
  /** Whether its events are messages to a phone. */
  isPhone: boolean
  /** Since when the oldest event that is not delivered waits, Unix milliseconds; null without one, and for a disabled webhook. */
  waitsSince: number | null
  /** Why the last attempt for that event failed; null before the first. */
  lastError: string | null
  /** The number of dead letters. */
  dead: number
  /** Why the appliance has disabled it; null when it has not. */
  switchedOffBecause: string | null
}

interface Found extends Omit<WebhookHealth, 'host' | 'waitsSince' | 'isPhone'> {
  url: string
  format: string | null
  enabled: 0 | 1 | null
  keptAt: number | null
  readAt: number | null
}

const ofIt = 'FROM webhook_delivery WHERE webhookId = webhook.rid AND state'
const oldest = 'ORDER BY sequence LIMIT 1'

/** An event waits as a delivery, or in the journal after the cursor of the webhook. */
const sql = `SELECT ${uuidText('webhook.id')} AS id, url, format, enabled, switchedOffBecause,
  (SELECT count(*) ${ofIt} = 'dead') AS dead,
  (SELECT ${waitsSinceSql} ${ofIt} = 'waiting' ${oldest}) AS keptAt,
  (SELECT lastError ${ofIt} = 'waiting' ${oldest}) AS lastError,
  (SELECT at FROM journal WHERE sequence >
    (SELECT value FROM counter WHERE name = ${cursorNameSql}) ${oldest}) AS readAt
  FROM webhook ORDER BY webhook.rid`

/** Returns the health of every webhook, in the order of their creation. It is read from what is stored, so a restart forgets nothing. */
export function webhookHealth(reader: Pick<Questions, 'all'>): WebhookHealth[] {
  return reader.all<Found>(sql).map(({ url, format, enabled, keptAt, readAt, ...found }) => {
    const since = Math.min(keptAt ?? Infinity, readAt ?? Infinity)
    const waitsSince = enabled === 0 || since === Infinity ? null : since
    return { ...found, host: URL.parse(url)?.host ?? url, isPhone: format === 'message', waitsSince }
  })
}
