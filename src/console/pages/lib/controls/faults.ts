declare global {
  /** `boot.js` loads the page anew with it, if `may` agrees and the box answers: seldom, so that a page is not loaded again and again. */
  var loadAnew: ((may?: () => boolean) => Promise<void>) | undefined
}

/**
 * Calls `listener` for each failure that no part of the page has handled. A request that was aborted, because its screen was
 * left, is none.
 */
export function onFault(listener: (error: unknown) => void): void {
  const heard = (error: unknown) => {
    if (!(error instanceof DOMException && error.name === 'AbortError')) listener(error)
  }
  addEventListener('error', ({ error }) => heard(error))
  addEventListener('unhandledrejection', ({ reason }) => heard(reason))
}
