/**
 * Waits for both promises. Resolves when both have resolved. Rejects only after both have settled: with the error of
 * `first` if it rejected, otherwise with that of `second`.
 */
export async function settleBoth(first: Promise<unknown>, second: Promise<unknown>): Promise<void> {
  const [one, other] = await Promise.allSettled([first, second])
  if (one.status === 'rejected') throw one.reason
  if (other.status === 'rejected') throw other.reason
}
