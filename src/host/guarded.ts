/**
 * Work for a timer, a loop or somebody else's call, that nobody waits for: what it throws is told to `failed`, and ends
 * neither whoever called nor the program.
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
