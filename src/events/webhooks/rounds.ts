import type { BackgroundWork } from '../../host/background-work.ts'
import type { Clock, Timer } from '../../host/clock.ts'
import { guarded } from '../../host/guarded.ts'

/** The pause before the next round after a failed one. */
const againMs = 1_000
/** Writes within this time cause one round. */
const gathersMs = 10

interface RoundsOptions {
  clock: Clock
  background: BackgroundWork
  /** Does the work that is due now. */
  run(): void
  /** Called when a round throws; another one follows. */
  failed(error: unknown): void
}

/** Rounds of work: on demand, after writes, and at planned times. */
export type Rounds = ReturnType<typeof rounds>

/** Creates the rounds; none is planned yet. */
export function rounds({ clock, background, run, failed }: RoundsOptions) {
  const work = background.follow('webhooks')
  let isOpen = true
  let isRequested = false
  let planned: Timer | null = null
  let gathering: Timer | null = null

  const begin = guarded(again, () => {
    isRequested = false
    if (!isOpen) return
    run()
    if (planned) work.goesOn()
    else work.done()
  })

  /** Starts a round as soon as the current turn of the event loop has ended. */
  function soon(): void {
    if (isRequested || !isOpen) return
    work.due()
    isRequested = true
    setImmediate(begin)
  }

  /** Starts a round after so many milliseconds, unless one is already planned. */
  function later(ms: number): void {
    if (isOpen) planned ??= clock.setTimeout(plannedNow, ms).unref()
  }

  function plannedNow(): void {
    planned = null
    soon()
  }

  function gathered(): void {
    gathering = null
    soon()
  }

  function again(error: unknown): void {
    failed(error)
    later(againMs)
  }

  return {
    soon,
    later,
    /** Starts a round soon, one for several writes. */
    written(): void {
      if (!isOpen) return
      work.due()
      gathering ??= clock.setTimeout(gathered, gathersMs)
    },
    /** Starts no more rounds. */
    end(): void {
      isOpen = false
      planned?.cancel()
      gathering?.cancel()
      work.end()
    },
  }
}
