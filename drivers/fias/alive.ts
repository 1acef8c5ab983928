import type { Timing } from '../../src/devices/driver.ts'
import type { Timer } from '../../src/host/clock.ts'

interface AliveOptions extends Timing {
  /** Resolves once the link has begun; rejects when it never does. */
  started: Promise<void>
  /** Sends a request for a sign of life to the other side. */
  ask(): void
  /** Called when the other side has not answered: ends the link. */
  giveUp(): void
}

const askEveryMs = 300_000
const answerMs = 30_000
const freshMs = 5_000

/**
 * Asks the other side after five minutes of silence, and on a call of `isThere`. The link to a side that does not answer
 * is ended.
 */
export function alive({ clock, patience, started, ask, giveUp }: AliveOptions) {
  let nextQuestion: Timer | null = null
  let doubt: Timer | null = null
  let receivedAt: number | null = null
  let inquiry: PromiseWithResolvers<boolean> | null = null
  let hasBegun = false
  let hasEnded = false
  started.then(
    () => {
      hasBegun = true
    },
    () => {},
  )

  function question(): void {
    nextQuestion?.cancel()
    if (doubt) return
    doubt = clock.setTimeout(giveUp, answerMs * patience)
    ask()
  }

  function settle(isThere: boolean): void {
    doubt?.cancel()
    nextQuestion?.cancel()
    doubt = null
    inquiry?.resolve(isThere)
    inquiry = null
  }

  return {
    /** Call it when anything was received. */
    received(): void {
      if (hasEnded) return
      settle(true)
      receivedAt = clock.monotonic()
      nextQuestion = clock.setTimeout(question, askEveryMs * patience)
    },
    /**
     * Whether the other side is there; called when a second peer wants to connect. True as soon as anything is received,
     * false when the link has ended. No request is sent if the side has just sent something.
     */
    async isThere(): Promise<boolean> {
      if (hasEnded) return false
      if (!hasBegun) {
        return started.then(
          () => true,
          () => false,
        )
      }
      if (receivedAt !== null && clock.monotonic() - receivedAt < freshMs * patience) return true
      inquiry ??= Promise.withResolvers()
      question()
      return inquiry.promise
    },
    /** Call it when the link has ended. */
    end(): void {
      hasEnded = true
      settle(false)
    },
  }
}
