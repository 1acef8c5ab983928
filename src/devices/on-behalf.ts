import { AsyncLocalStorage } from 'node:async_hooks'

const requests = new AsyncLocalStorage<string | undefined>()

/**
 * Runs the work on behalf of a request: everything that it causes, even later, is attributed to that request. Pass
 * undefined for work that belongs to no request, such as a line that a request happens to open and that outlives it.
 */
export function onBehalfOf<T>(requestId: string | undefined, work: () => T): T {
  return requests.run(requestId, work)
}

/** The X-Request-Id of the request on whose behalf this code runs; undefined for the appliance's own work. */
export function requesterOf(): string | undefined {
  return requests.getStore()
}
