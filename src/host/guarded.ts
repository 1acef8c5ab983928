/**
 * Wraps work for a timer, a loop or a listener whose caller does not handle errors. An error is passed to
 * `failed`; it reaches neither the caller nor the process.
 */
export function guarded<Told extends unknown[]>(
  failed: (error: unknown) => void,
  work: (...told: Told) => void,
): (...told: Told) => void {
  return (...told) => {
    try {
      work(...told)
    } catch (error) {
      failed(error)
    }
  }
}
