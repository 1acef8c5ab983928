import { syncBuiltinESMExports } from 'node:module'
import timers, { type setTimeout as SetTimeout } from 'node:timers'
import promises from 'node:timers/promises'

/** The timers of this process on a clock that stands until it is moved. Immediates stay as they are. */
export interface VirtualTime {
  now(): number
  /** When the next timer is due; null when there is none. */
  next(): number | null
  /** Sets the clock forward; timers that are due by then stay as they are. */
  moveTo(ms: number): void
  /** Moves to the next timer and lets it run. */
  fire(): void
  /** Resolves when all has happened that happens without time going by. */
  settle(): Promise<void>
  /** Gives the process its own time back. */
  restore(): void
}

interface Timer {
  due: number
  order: number
  run(): void
}

/** So many turns of the loop let streams, promises and immediates that follow each other come to rest. */
const turns = 5

/**
 * Takes the time of the whole process, so that a driver lives through hours of a recording in a moment, and through its
 * deadlines as they were. For a process that does nothing else.
 */
export function virtualTime(start: number): VirtualTime {
  const own = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    setImmediate: globalThis.setImmediate,
    now: performance.now,
    pause: promises.setTimeout,
  }
  const waiting = new Map<object, Timer>()
  let now = start
  let order = 0

  const set = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const timer = {
      ref: () => timer,
      unref: () => timer,
      hasRef: () => waiting.has(timer),
      close: () => clear(timer),
      refresh: () => {
        waiting.set(timer, entry())
        return timer
      },
      [Symbol.dispose]: () => void clear(timer),
    }
    const entry = (): Timer => ({
      due: now + Math.max(1, Number(ms) || 0),
      order: order++,
      run: () => run(...args),
    })
    waiting.set(timer, entry())
    return timer
  }
  const clear = (timer: unknown) => {
    if (typeof timer === 'object' && timer !== null) waiting.delete(timer)
    return timer
  }
  const pause = <T>(ms?: number, value?: T, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise<T | undefined>((resolve, reject) => {
      signal?.throwIfAborted()
      const timer = set(() => resolve(value), ms)
      signal?.addEventListener('abort', () => {
        clear(timer)
        reject(signal.reason)
      })
    })
  install(
    set as unknown as typeof SetTimeout,
    clear as typeof clearTimeout,
    () => now,
    pause as typeof own.pause,
  )

  function first(): [object, Timer] | null {
    let found: [object, Timer] | null = null
    for (const each of waiting) {
      const [, { due, order }] = each
      if (!found || due < found[1].due || (due === found[1].due && order < found[1].order)) found = each
    }
    return found
  }

  return {
    now: () => now,
    next: () => first()?.[1].due ?? null,
    moveTo(ms) {
      now = Math.max(now, ms)
    },
    fire() {
      const next = first()
      if (!next) return
      const [timer, { due, run }] = next
      waiting.delete(timer)
      now = Math.max(now, due)
      run()
    },
    async settle() {
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => own.setImmediate(resolve))
    },
    restore: () => install(own.setTimeout, own.clearTimeout, own.now, own.pause),
  }
}

function install(
  setTimeout: typeof SetTimeout,
  clearTimeout: typeof globalThis.clearTimeout,
  now: () => number,
  pause: typeof promises.setTimeout,
): void {
  Object.assign(globalThis, { setTimeout, clearTimeout })
  Object.assign(timers, { setTimeout, clearTimeout })
  Object.assign(promises, { setTimeout: pause })
  // On its prototype the function asks for the real object it is called on.
  Object.defineProperty(performance, 'now', { value: now, configurable: true, writable: true })
  syncBuiltinESMExports()
}
