/** The box waits 30 s for the rest of a part whose line is lost, and starts again within two minutes. */
const mostTries = 120

interface Sending {
  size: number
  /** The bytes that the box has already. */
  offset: number
  signal: AbortSignal
  /** Sends the part that begins at a position, and resolves with the next position. */
  send(at: number): Promise<number>
  /** What a refusal says: the position at which the box goes on, that another attempt is refused too, or nothing. */
  said(error: unknown): number | 'final' | null
  pause(): Promise<void>
}

/**
 * Sends a file in parts. A failed part is repeated from the position that the box reports. Rejects with the error of a
 * refusal that is final, and when the box has taken nothing for two minutes.
 */
export async function inParts({ size, offset, signal, send, said, pause }: Sending): Promise<void> {
  let tries = 0
  for (let at = offset; at < size && !signal.aborted; ) {
    try {
      at = await send(at)
      tries = 0
    } catch (error) {
      if (signal.aborted) return
      const received = said(error)
      // A line that is too slow for a whole part brings some of it.
      if (typeof received === 'number' && received > at) tries = 0
      if (received === 'final' || ++tries > mostTries) throw error
      if (received !== null) at = received
      await pause()
    }
  }
}
