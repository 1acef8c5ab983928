import type { Door } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import { tokenUsed } from './token-changes.ts'

interface TokenUseOptions {
  door: Door
  /** Unix milliseconds. */
  now(): number
  /** Told of what is no passing refusal of the store. */
  failed(error: unknown): void
}

const minute = 60_000
const mostRemembered = 2_000
const actor = { by: 'gate', requestId: null }

/** Notes when each token was last used, with one write a minute at most; a note that cannot be written is left out. */
export function tokenUse({ door, now, failed }: TokenUseOptions): (tokenId: string) => void {
  const noted = new Map<string, number>()

  return (id) => {
    const at = now()
    const last = noted.get(id)
    // The clock may have been set back.
    if (last !== undefined && Math.abs(at - last) < minute) return
    if (noted.size >= mostRemembered) noted.clear()
    noted.set(id, at)
    door.write(tokenUsed, { id, at }, { actor }).catch((error) => error instanceof Problem || failed(error))
  }
}
