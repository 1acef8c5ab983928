import { AsyncLocalStorage } from 'node:async_hooks'

const requests = new AsyncLocalStorage<string | undefined>()

/**
 * Does the work on behalf of a request: what it causes, however much later, is known to be that request's. Undefined for
 * what is nobody's, such as a line that happens to be opened by a request and outlives it.
 */
export function onBehalfOf<T>(requestId: string | undefined, work: () => T): T {
  return requests.run(requestId, work)
}

/** The X-Request-Id on whose behalf this runs; undefined for what the appliance does by itself. */
export function askedBy(): string | undefined {
  return requests.getStore()
}
