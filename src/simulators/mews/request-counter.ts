/** Counts requests in every interval of this length. */
export function requestCounter({ requests, seconds }: { requests: number; seconds: number }) {
  let admitted: number[] = []
  return {
    /** Admits a request (0), or returns after how many seconds one is admitted again. Times in Unix milliseconds. */
    waitSeconds(now: number): number {
      admitted = admitted.filter((at) => at > now - seconds * 1_000)
      const [oldest = now] = admitted
      if (admitted.length >= requests) return Math.max(1, Math.ceil((oldest + seconds * 1_000 - now) / 1_000))
      admitted.push(now)
      return 0
    },
  }
}
