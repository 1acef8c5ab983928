import type { Clock, Timer } from '../../host/clock.ts'
import { guarded } from '../../host/guarded.ts'

/** Where a round could not be run to its end, the next begins after so long. */
const againMs = 1_000
/** What is written in the meantime is looked at once. */
const gathersMs = 10

interface RoundsOptions {
  clock: Clock
  /** Does what there is to do now. */
  run(): void
  /** Whether a round is worth it after something was written. */
  isNeeded(): boolean
  /** Told of a round that throws; another one follows. */
  failed(error: unknown): void
}

/** Work that is looked for again and again: on demand, when something was written, and when its time has come. */
export interface Rounds {
  /** Begins a round as soon as what runs now has ended. */
  soon(): void
  /** Begins one after so many milliseconds, unless one is planned for sooner or later. */
  later(ms: number): void
  /** Something was written. */
  written(): void
  /** Begins none any more. */
  end(): void
}

/** No round is asked for yet. */
export function rounds({ clock, run, isNeeded, failed }: RoundsOptions): Rounds {
  let isOpen = true
  let isAsked = false
  let planned: Timer | null = null
  let gathering: Timer | null = null

  const begin = guarded(again, () => {
    isAsked = false
    if (isOpen) run()
  })
  const gathered = guarded(again, () => {
    gathering = null
    if (isNeeded()) soon()
  })

  function soon(): void {
    if (isAsked || !isOpen) return
    isAsked = true
    setImmediate(begin)
  }

  function later(ms: number): void {
    planned ??= clock.setTimeout(plannedNow, ms).unref()
  }

  function plannedNow(): void {
    planned = null
    soon()
  }

  function again(error: unknown): void {
    failed(error)
    later(againMs)
  }

  return {
    soon,
    later,
    written() {
      gathering ??= clock.setTimeout(gathered, gathersMs)
    },
    end() {
      isOpen = false
      planned?.cancel()
      gathering?.cancel()
    },
  }
}
