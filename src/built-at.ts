/** The bundler writes the moment of the build here; a run from source has none. */
declare const BUILT_AT: string | undefined

/** The day of this release, as the changelog has it: for a run from source it counts as the build date. */
export const releasedOn = '2026-11-22'

/** When this program was built, Unix milliseconds. It is never earlier than that, whatever a clock shows. */
export const builtAt = Date.parse(typeof BUILT_AT === 'string' ? BUILT_AT : releasedOn)
