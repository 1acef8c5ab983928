import { createHash } from 'node:crypto'

const minute = 60_000
/** Wrong answers count this long. */
const countedMs = 15 * minute
/** So many of them about a stay, and so many at a client, are too many. */
const most = { stay: 5, client: 20 }
const mostKept = 2_000

interface Counted {
  at: number
  /** A digest, which is short however long the answer is. */
  answer: string
}

/**
 * Counts the different wrong answers of guests about each stay, and at each client. An answer that is repeated tries nothing new, and
 * counts once. `now` is in Unix milliseconds.
 */
export function wrongAnswers(now: () => number) {
  const answers = new Map<string, Counted[]>()

  // The clock may have been set back.
  const recent = (id: string) => (answers.get(id) ?? []).filter(({ at }) => Math.abs(now() - at) < countedMs)

  return {
    /** Whether there were too many in the last 15 minutes, about one of these stays or at the client. */
    areTooMany: (client: string, stayIds: readonly string[]) =>
      recent(client).length >= most.client || stayIds.some((id) => recent(id).length >= most.stay),
    /** Counts one against the client, and against the stays that may be meant. */
    count(client: string, stayIds: readonly string[], said: string): void {
      const answer = createHash('sha256').update(said).digest('base64')
      for (const id of [client, ...stayIds]) {
        const before = recent(id)
        if (before.some((each) => each.answer === answer)) continue
        if (answers.size >= mostKept && !answers.has(id)) answers.clear()
        answers.set(id, [...before, { at: now(), answer }].slice(-most.client))
      }
    },
    /** Forgets those about a stay. */
    forget: (stayId: string) => void answers.delete(stayId),
  }
}
