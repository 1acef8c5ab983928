/** The bundler defines this as the time of the build; a run from source has none. */
declare const BUILT_AT: string | undefined

/** The date of this release in the changelog. A run from source uses it as the build date. */
export const releasedOn = '2026-11-23'

/** When this program was built, Unix milliseconds. The current time cannot be earlier. */
export const builtAt = Date.parse(typeof BUILT_AT === 'string' ? BUILT_AT : releasedOn)
