/** Two things under way at once, neither of which may be left to fail alone. Rejects when both are over; of two failures with the first. */
export async function bothHeard(first: Promise<unknown>, second: Promise<unknown>): Promise<void> {
  const [one, other] = await Promise.allSettled([first, second])
  if (one.status === 'rejected') throw one.reason
  if (other.status === 'rejected') throw other.reason
}
