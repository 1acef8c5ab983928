import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { patienceMs } from './patience.ts'
import { passTime } from './test-clock.ts'

interface Pauses {
  /** The first pause between two looks, in milliseconds; each further one is half as long again. */
  firstMs?: number
  /** The longest pause. */
  mostMs?: number
  /** How time goes by meanwhile; for everybody unless said otherwise, see `passTime`. */
  pass?(ms: number): Promise<void>
}

/**
 * Looks again and again until it is so, and gives what was seen then. Fails the test when it does not become so: with `what`,
 * and with what was seen last. What `look` throws fails the test at once.
 */
export async function eventually<T>(
  what: string,
  look: () => Promise<T> | T,
  isSo: (seen: T) => boolean = Boolean,
  { firstMs = 20, mostMs = 250, pass = passTime }: Pauses = {},
): Promise<T> {
  const end = performance.now() + patienceMs
  for (let ms = firstMs; ; ms = Math.min(mostMs, ms * 1.5)) {
    const seen = await look()
    if (isSo(seen)) return seen
    if (performance.now() > end)
      assert.fail(`not within ${patienceMs / 1000} s: ${what}; last seen: ${shown(seen)}`)
    await pass(ms)
  }
}

/** `eventually` for a condition that says itself what is waited for, and that may hold for a few milliseconds only. */
export async function until(isSo: () => boolean): Promise<void> {
  await eventually(String(isSo), isSo, Boolean, { firstMs: 2, mostMs: 2 })
}

/** The first success of many attempts; fails as the last of them has. */
export async function firstSuccess<T>(attempt: () => Promise<T> | T): Promise<T> {
  for (const end = performance.now() + patienceMs; ; await passTime(20)) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > end) throw error
    }
  }
}

const shown = (seen: unknown) => inspect(seen, { depth: 8, breakLength: 110 })
