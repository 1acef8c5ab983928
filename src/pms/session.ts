import { DeviceFault } from '../devices/fault.ts'
import { Problem } from '../resource/problem.ts'
import type { Adapter, AdapterSetup, CallbackRequest, OpenAdapter } from './contract.ts'
import type { SyncSide } from './sync-contract.ts'

/** The maximum number of pending requests to one adapter. */
const mostUnderWay = 16

/** A request, and whether it may change something at the other end: its failure then leaves the outcome unknown. */
export interface Question {
  what: string
  changes: boolean
}

/** An open adapter of one configuration. */
export interface Session {
  /** The revision of the configuration. */
  revision: number
  /**
   * Resolves with the adapter's answer within the configuration's `timeoutMs`. Rejects with the Problem that the
   * adapter found in the request, or with a DeviceFault for any other failure.
   */
  ask<T>(question: Question, work: (adapter: OpenAdapter, signal: AbortSignal) => T | Promise<T>): Promise<T>
  /**
   * Passes a request to the adapter's callback. Throws not-found where the adapter has none, and the errors of the
   * callback.
   */
  callback(told: CallbackRequest): void
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

interface SessionTold {
  /** Receives an internal error of the appliance or the adapter that appears in no response. */
  failed(error: unknown): void
  /** Called at the end of each request: null for an answer of any kind, or the fault. */
  heard(fault: DeviceFault | null): void
}

/** Opens the adapter with the first request. If that fails, the next request opens it again. */
export function openSession(adapter: Adapter, setup: AdapterSetup, { failed, heard }: SessionTold): Session {
  const { name, timeoutMs, revision } = setup.configuration
  const { clock } = setup.house
  const deadline = timeoutMs ?? 10_000
  const closing = new AbortController()
  let open: OpenAdapter | null = null
  let underWay = 0
  let givenUp = 0

  async function ask<T>(
    question: Question,
    work: (adapter: OpenAdapter, signal: AbortSignal) => T | Promise<T>,
  ): Promise<T> {
    if (underWay >= mostUnderWay) {
      throw new DeviceFault('adapter-timeout', `${name}: ${underWay} questions wait for an answer already.`)
    }
    const { changes, what } = question
    const quit = new AbortController()
    const given = Promise.withResolvers<never>()
    const giveUp = (code: 'adapter-timeout' | 'adapter-crashed', detail: string) => {
      given.reject(new DeviceFault(code, detail, { outcomeUnknown: changes }))
      quit.abort()
    }
    const silent = () =>
      giveUp('adapter-timeout', `${name} gave no answer to ${what} within ${deadline / 1000} s.`)
    const closed = () => giveUp('adapter-crashed', `${name} was closed before it had answered to ${what}.`)
    const timer = clock.setTimeout(silent, deadline)
    closing.signal.addEventListener('abort', closed)
    try {
      const answer = answering(() => work(opened(), quit.signal), quit.signal)
      const answered = await Promise.race([answer, given.promise])
      heard(null)
      return answered
    } catch (error) {
      const reason = told(error, question)
      heard(reason instanceof DeviceFault ? reason : null)
      throw reason
    } finally {
      timer.cancel()
      closing.signal.removeEventListener('abort', closed)
    }
  }

  function opened(): OpenAdapter {
    open ??= adapter.open(setup)
    return open
  }

  /** Counts the request for as long as the adapter works on it, even after its caller has stopped waiting. */
  async function answering<T>(work: () => T | Promise<T>, signal: AbortSignal): Promise<T> {
    const left = () => givenUp++
    signal.addEventListener('abort', left)
    underWay++
    try {
      return await work()
    } finally {
      underWay--
      signal.removeEventListener('abort', left)
      if (signal.aborted) givenUp--
    }
  }

  function told(error: unknown, { what, changes }: Question): unknown {
    if (error instanceof DeviceFault) return error
    if (error instanceof Problem && error.status !== 500) return error
    failed(error)
    return new DeviceFault('adapter-crashed', `${name} broke off while it answered to ${what}.`, {
      outcomeUnknown: changes,
      cause: error,
    })
  }

  function callback(message: CallbackRequest): void {
    const question = { what: 'its callback', changes: false }
    try {
      const adapter = opened()
      if (!adapter.callback) throw new Problem('not-found', `${name} takes nothing here.`)
      adapter.callback(message)
    } catch (error) {
      throw told(error, question)
    }
  }

  function sync(): SyncSide | null {
    try {
      return opened().sync ?? null
    } catch (error) {
      throw told(error, { what: 'its opening', changes: false })
    }
  }

  function close(): void {
    closing.abort()
    const last = open
    open = null
    void (async () => last?.close?.())().catch(failed)
  }

  return { revision, ask, callback, sync, isStuck: () => givenUp >= mostUnderWay, close }
}
