/**
 * The random numbers of the tests. Every test takes its seed from here, so that a run without `NIGHTPORTER_SEED` always
 * tries the same: what was green stays green until the code changes. `NIGHTPORTER_SEED=random` tries something new, and
 * a number repeats what was tried with it.
 */
import fc from 'fast-check'

const asked = process.env.NIGHTPORTER_SEED ?? '20260601'

/** From 0 to 2^31 - 1. */
export const seed: number = asked === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(asked)

fc.configureGlobal({ seed })

/** fast-check with that seed; it names the seed where a property fails. */
export { fc as default }
