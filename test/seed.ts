/**
 * The random numbers of the tests. Every test takes its seed from here: `TEST_SEED`, which repeats what was tried with it, or
 * the same number each time. `npm run test:long` draws a new one, and prints it.
 */
import fc from 'fast-check'
import { fixedSeed } from './runner/fixed-seed.ts'

/** From 0 to 2^31 - 1. */
export const seed: number = Number(process.env.TEST_SEED || fixedSeed)
if (!Number.isInteger(seed)) throw new Error(`TEST_SEED is "${process.env.TEST_SEED}", and must be a number.`)

fc.configureGlobal({ seed })

/** fast-check with that seed; it names the seed where a property fails. */
export { fc as default }
