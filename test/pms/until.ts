import assert from 'node:assert/strict'
import { patienceMs } from '../patience.ts'
import { passTime } from '../test-clock.ts'

/** Resolves as soon as it is so; fails the test when it does not become so. */
export async function until(isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + patienceMs; performance.now() < end; ) {
    if (isSo()) return
    await passTime(2)
  }
  assert.fail(`not within ${patienceMs / 1000} s: ${isSo}`)
}
