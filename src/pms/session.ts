import { DeviceFault } from '../devices/fault.ts'
import { Problem } from '../resource/problem.ts'
import type { Adapter, AdapterSetup, CallbackReply, CallbackRequest, OpenedAdapter } from './contract.ts'
import { type AdapterRequest, withDeadline } from './request-deadline.ts'
import { requestSlots } from './request-slots.ts'
import type { SyncSide } from './sync-contract.ts'

/** The maximum number of pending requests to one adapter. */
const maxPending = 16

/** An open adapter of one configuration. */
export interface Session {
  /** The revision of the configuration. */
  revision: number
  /**
   * Resolves with the adapter's answer within the configuration's `timeoutMs`. Rejects with the Problem that the
   * adapter found in the request, or with a DeviceFault for any other failure.
   */
  ask<T>(
    request: AdapterRequest,
    work: (adapter: OpenedAdapter, signal: AbortSignal) => T | Promise<T>,
  ): Promise<T>
  /**
   * Passes a request to the adapter's callback. Rejects with not-found where the adapter has none, and the errors of the
   * callback. Resolves with its reply; null for none.
   */
  callback(request: CallbackRequest): Promise<CallbackReply | null>
  /**
   * The synchronisation of the open adapter; null where it has none. Throws adapter-crashed when the adapter cannot be
   * opened.
   */
  sync(): SyncSide | null
  /** True when all permitted requests are pending past their deadlines. */
  isStuck(): boolean
  /** Cancels the requests in progress. */
  close(): void
}

interface SessionListener {
  /** Receives an internal error of the appliance or the adapter that appears in no response. */
  failed(error: unknown): void
  /** Called at the end of each request: null for an answer of any kind, or the fault. */
  requestEnded(fault: DeviceFault | null): void
}

/** Opens the adapter with the first request. If that fails, the next request opens it again. */
export function openSession(
  adapter: Adapter,
  setup: AdapterSetup,
  { failed, requestEnded }: SessionListener,
): Session {
  const { name, timeoutMs, revision } = setup.configuration
  const closing = new AbortController()
  const { clock } = setup.appliance
  const deadline = { name, clock, deadlineMs: timeoutMs ?? 10_000, closing: closing.signal }
  const slots = requestSlots()
  let open: OpenedAdapter | null = null

  function opened(): OpenedAdapter {
    open ??= adapter.open(setup)
    return open
  }

  async function ask<T>(
    request: AdapterRequest,
    work: (adapter: OpenedAdapter, signal: AbortSignal) => T | Promise<T>,
  ): Promise<T> {
    if (slots.pending() >= maxPending) {
      throw new DeviceFault(
        'adapter-timeout',
        `${name}: ${slots.pending()} questions wait for an answer already.`,
      )
    }
    try {
      const answer = await withDeadline(request, deadline, (signal) =>
        slots.occupy(() => work(opened(), signal), signal),
      )
      requestEnded(null)
      return answer
    } catch (error) {
      const reason = expected(error, request)
      requestEnded(reason instanceof DeviceFault ? reason : null)
      throw reason
    }
  }

  /** A DeviceFault and a Problem as they are; adapter-crashed for any other error, which is reported as internal. */
  function expected(error: unknown, { what, changes }: AdapterRequest): unknown {
    if (error instanceof DeviceFault) return error
    if (error instanceof Problem && error.status !== 500) return error
    failed(error)
    return new DeviceFault('adapter-crashed', `${name} ended the answer to ${what} too early.`, {
      outcomeUnknown: changes,
      cause: error,
    })
  }

  async function callback(request: CallbackRequest): Promise<CallbackReply | null> {
    try {
      const adapter = opened()
      if (!adapter.callback)
        throw new Problem('not-found', `${name} does not accept requests at this address.`)
      return (await adapter.callback(request)) ?? null
    } catch (error) {
      throw expected(error, { what: 'its callback', changes: false })
    }
  }

  function sync(): SyncSide | null {
    try {
      return opened().sync ?? null
    } catch (error) {
      throw expected(error, { what: 'its opening', changes: false })
    }
  }

  function close(): void {
    closing.abort()
    const last = open
    open = null
    void (async () => last?.close?.())().catch(failed)
  }

  return { revision, ask, callback, sync, isStuck: () => slots.abandoned() >= maxPending, close }
}
