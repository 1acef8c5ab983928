/** The bundler defines this as the time of the build; a run from source has none. */
declare const BUILT_AT: string | undefined

/** The date of this release in the changelog. A run from source uses it as the build date. */
export const releasedOn = '2026-11-23'

/** Security fixes are made for five years after a release. */
const supportYears = 5

/** The last day of the support of this release, `YYYY-MM-DD`. */
export const supportEnds = releasedOn.replace(/^\d{4}/, (year) => String(Number(year) + supportYears))

/** When this program was built, Unix milliseconds. The current time cannot be earlier. */
export const builtAt = Date.parse(typeof BUILT_AT === 'string' ? BUILT_AT : releasedOn)
