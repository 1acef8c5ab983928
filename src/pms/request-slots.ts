/** Counts the requests on which an adapter works. A request counts until the work ends, even when its caller no longer waits. */
export function requestSlots() {
  let pending = 0
  let abandoned = 0

  /** Runs the work of one request. The signal is aborted when the caller stops waiting for it. */
  async function occupy<T>(work: () => T | Promise<T>, signal: AbortSignal): Promise<T> {
    const abandon = () => abandoned++
    signal.addEventListener('abort', abandon)
    pending++
    try {
      return await work()
    } finally {
      pending--
      signal.removeEventListener('abort', abandon)
      if (signal.aborted) abandoned--
    }
  }

  return { occupy, pending: () => pending, abandoned: () => abandoned }
}
