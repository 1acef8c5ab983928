import type { Found, Wish } from './box.ts'

/**
 * The card that was asked for and not answered yet. It outlives a reload or a power cut of the screen, so that the same answer is
 * asked for, and no second card is made. It is removed with the answer, and when the guest leaves.
 */
export interface Pending {
  wish: Wish
  language: string
  stayId: string
  reservationId: string
  /** Unix milliseconds of this browser. */
  since: number
}

const kept = 'nightporter.kiosk.pending'
/** Later nobody stands here any more. */
const validMs = 120_000

export function remember(wish: Wish, { stay }: Found, language: string): void {
  const { id: stayId, reservationId } = stay
  const pending: Pending = { wish, language, stayId, reservationId, since: Date.now() }
  sessionStorage.setItem(kept, JSON.stringify(pending))
}

export function forget(): void {
  sessionStorage.removeItem(kept)
}

/** The card that a page before this one has asked for. */
export function remembered(): Pending | null {
  const text = sessionStorage.getItem(kept)
  if (text === null) return null
  const pending = JSON.parse(text) as Pending
  if (Date.now() - pending.since < validMs) return pending
  forget()
  return null
}
