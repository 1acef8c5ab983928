import { ownName } from '../../lib/own-storage.ts'

/** A request whose answer this browser has not seen. */
interface Kept {
  path: string
  body: unknown
  idempotencyKey: string
}

const prefix = 'nightporter.request.'

/** Keeps a request under a name before it is sent. The same content keeps its key, so that it is done once. */
export function keepRequest(name: string, path: string, body: unknown): Kept {
  const before = keptRequest(name)
  if (before && before.path === path && JSON.stringify(before.body) === JSON.stringify(body)) return before
  const kept = { path, body, idempotencyKey: crypto.randomUUID() }
  sessionStorage.setItem(ownName(prefix + name), JSON.stringify(kept))
  return kept
}

/** The request of this name whose answer was not seen; null when there is none. */
export function keptRequest(name: string): Kept | null {
  const text = sessionStorage.getItem(ownName(prefix + name))
  return text === null ? null : (JSON.parse(text) as Kept)
}

export function forgetRequest(name: string): void {
  sessionStorage.removeItem(ownName(prefix + name))
}
