import { DeviceFault } from '../devices/fault.ts'
import { Problem } from '../resource/problem.ts'
import type { Adapter, AdapterSetup, CallbackRequest, OpenAdapter } from './adapter.ts'
import type { SyncSide } from './sync-side.ts'

/** Questions to one adapter that have no answer yet. */
const mostUnderWay = 16

/** What is asked, and whether it may change something at the other end: then a failure leaves its outcome unknown. */
export interface Question {
  what: string
  changes: boolean
}

/** An adapter of one configuration at work. */
export interface Session {
  /** Of the configuration it was opened with. */
  revision: number
  /**
   * What the adapter answers within the configuration's `timeoutMs`. Rejects with the Problem it found in the request,
   * or with a DeviceFault for everything else that can become of a question.
   */
  ask<T>(question: Question, work: (adapter: OpenAdapter, signal: AbortSignal) => T | Promise<T>): Promise<T>
  /** Hands on what came to the callback address. Throws not-found where the adapter takes nothing there, and what it throws. */
  callback(told: CallbackRequest): void
  /**
   * What keeps the house in step with the PMS, of the adapter at work; null where that has nothing of the kind. Throws
   * adapter-crashed where it cannot be opened.
   */
  sync(): SyncSide | null
  /** All that may be asked at once is with an adapter that has let the deadlines pass. */
  isStuck(): boolean
  /** What is under way is given up. */
  close(): void
}

interface SessionTold {
  /** What is ours or the adapter's fault and what nobody is told in an answer. */
  failed(error: unknown): void
  /** Each question's end: answered, whatever the answer, or the fault that kept it from being. */
  heard(fault: DeviceFault | null): void
}

/** Opens the adapter with the first question, and again with the next where that fails. */
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

  /** Counts the question for as long as the adapter is at it, whether anybody still waits or not. */
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
