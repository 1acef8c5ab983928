import { ownName } from '../../lib/server/own-storage.ts'

/** A request whose answer this browser has not received. */
export interface Kept<B = unknown> {
  path: string
  body: B
  idempotencyKey: string
  /** When it was first stored, Unix milliseconds of this browser. */
  keptAt: number
}

const prefix = 'nightporter.request.'

/**
 * Stores a request under a name before it is sent. The same content keeps its idempotency key, so the box executes it
 * once.
 */
export function keepRequest<B>(name: string, path: string, body: B): Kept<B> {
  const before = keptRequest<B>(name)
  if (before && before.path === path && JSON.stringify(before.body) === JSON.stringify(body)) return before
  const kept = { path, body, idempotencyKey: crypto.randomUUID(), keptAt: Date.now() }
  sessionStorage.setItem(ownName(prefix + name), JSON.stringify(kept))
  return kept
}

/** Returns the stored request of this name; null when its answer was received. */
export function keptRequest<B>(name: string): Kept<B> | null {
  const text = sessionStorage.getItem(ownName(prefix + name))
  return text === null ? null : (JSON.parse(text) as Kept<B>)
}

/** The request has an answer, so that the next one is another. */
export function forgetRequest(name: string): void {
  sessionStorage.removeItem(ownName(prefix + name))
}
