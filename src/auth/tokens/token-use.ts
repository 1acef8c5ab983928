import type { Writer } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { tokenUsed } from './token-commands.ts'

interface TokenUseOptions {
  writer: Writer
  /** Unix milliseconds. */
  now(): number
  /** Called with each error of a write that is not a Problem. */
  failed(error: unknown): void
}

const minute = 60_000
const mostRemembered = 2_000
const actor = { by: 'gate', requestId: null }

/**
 * Returns a function that records when each token was last used, with at most one write a minute for each. A
 * record that cannot be written is dropped.
 */
export function tokenUse({ writer, now, failed }: TokenUseOptions): (tokenId: string) => void {
  const recordedAt = new Map<string, number>()

  return (id) => {
    const at = now()
    const last = recordedAt.get(id)
    // The clock may have been set back.
    if (last !== undefined && Math.abs(at - last) < minute) return
    if (recordedAt.size >= mostRemembered) recordedAt.clear()
    recordedAt.set(id, at)
    writer
      .execute(tokenUsed, { id, at }, { actor })
      .catch((error) => error instanceof Problem || failed(error))
  }
}
