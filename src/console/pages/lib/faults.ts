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
