import { localTime } from '../host/zone.ts'
import type { Message } from '../jsonapi/locales/message.ts'

/** A kiosk counts as in use for this long after its last search or change. */
const conversationMs = 180_000

/** What the box checks before it restarts. */
export interface Bustle {
  /** The number of requests at dispensers and encoders. If there are any, a card is being made. */
  cards(): number
  /**
   * When a kiosk last searched or changed something, monotonic milliseconds; null when no kiosk has since the start.
   */
  kioskAt(): number | null
}

/** Returns the reason why the box must not restart yet; null when it may restart. */
export function bustle({ cards, kioskAt }: Bustle, now: number): Message | null {
  if (cards() > 0) return { code: 'update-waits-card' }
  const at = kioskAt()
  return at !== null && now - at < conversationMs ? { code: 'update-waits-kiosk' } : null
}

/**
 * Returns whether the property's local time is in a window such as `02:00-04:30`. A window such as `23:00-04:00`
 * contains midnight.
 */
export function isInWindow(window: string, now: number, zone: string): boolean {
  const [from = '', to = ''] = window.split('-')
  const time = localTime(now, zone)
  return from <= to ? from <= time && time < to : from <= time || time < to
}
