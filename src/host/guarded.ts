/**
 * Wraps work for a timer, a loop or a listener whose caller does not handle errors. An error is passed to
 * `failed`; it reaches neither the caller nor the process.
 */
export function guarded<Arguments extends unknown[]>(
  failed: (error: unknown) => void,
  work: (...args: Arguments) => void,
): (...args: Arguments) => void {
  return (...args) => {
    try {
      work(...args)
    } catch (error) {
      failed(error)
    }
  }
}
