import { atMost, unlessAborted } from '../at-most.ts'
import { onBehalfOf } from '../on-behalf.ts'
import type { Pauses } from '../pauses.ts'
import type { BayOptions } from './bay-options.ts'
import { asError, type BayStatus } from './bay-status.ts'
import { abortWhenLost, discard, type Opened } from './opened-device.ts'
import type { turns } from './turns.ts'

/** How long a user waits for a device that is offline, in ms. */
export const waitsMs = 5_000
const resetAsked = new Error('was reset')
const nudged = new Error('was plugged in')
const closeAsked = new Error('is closed')

/** Opens the device of a bay, again and again, until the bay is closed. */
interface BayLife {
  /** True until the first start, or the first start after a reset, has ended. Users wait for this start. */
  isStarting(): boolean
  isClosed(): boolean
  /** Drops the device, or ends the pause between two attempts, and opens at once. False when no device was open. */
  reset(): boolean
  /** Ends the pause between two attempts, because the device may have been plugged in again. */
  nudge(): void
  /** Drops the device for good. Resolves when no user is at work any more, after 2 s at the latest. */
  close(): Promise<void>
}

interface Around<Device> {
  status: BayStatus
  queue: ReturnType<typeof turns<Device>>
  attempts: Pauses
  /** In ms. A device that was online for a shorter time counts as a failed start. */
  firstMs: number
}

/** Starts the life of a bay; the first attempt begins at once. */
export function bayLife<Device extends { close(): void }>(
  options: BayOptions<Device>,
  { status, queue, attempts, firstMs }: Around<Device>,
): BayLife {
  const { clock, startTimeoutMs = 60_000 } = options
  const { monotonic } = clock
  let isClosed = false
  let isStarting = true
  /** Aborted to end the current attempt, the device's life, or the pause between two attempts. */
  let life = new AbortController()
  let isPausing = false
  /** When the device was lost, in ms of the monotonic clock. */
  let lostAt: number | null = null
  /** True when the device appeared during an attempt or a life. */
  let isNudged = false

  /**
   * Makes one attempt and, if it succeeds, waits for the end of the device's life. True when the device was online for
   * longer than the first pause.
   */
  async function live(attempt: AbortController): Promise<boolean> {
    const { signal } = attempt
    const tooLong = new Error(`did not start within ${startTimeoutMs} ms`)
    const timer = clock.setTimeout(() => attempt.abort(tooLong), startTimeoutMs).unref()
    let opened: Opened<Device> | null = null
    let onlineAt: number | null = null
    try {
      opened = await unlessAborted(options.open(signal), signal, (late) => discard(late, clock))
      abortWhenLost(opened.wire, attempt)
      status.enter('starting', status.lastFault)
      await unlessAborted(options.started(opened.device), signal)
      timer.cancel()
      onlineAt = monotonic()
      online(opened.device)
      await unlessAborted(new Promise(() => {}), signal)
    } catch (error) {
      ended(asError(error), onlineAt !== null)
    }
    const lived = onlineAt === null ? 0 : monotonic() - onlineAt
    timer.cancel()
    if (opened) await discard(opened, clock)
    return onlineAt !== null && lived >= firstMs
  }

  function online(device: Device): void {
    isStarting = false
    status.enter('online', null)
    queue.give(device)
    status.report('online', null)
  }

  function ended(fault: Error, wasOnline: boolean): void {
    const isNews = wasOnline || fault.message !== status.lastFault?.message
    if (fault !== resetAsked) {
      isStarting = false
      if (wasOnline) lostAt = monotonic()
    }
    drop(fault)
    if (!isClosed && isNews) status.report(wasOnline ? 'lost' : 'failed', fault)
  }

  function drop(fault: Error): void {
    queue.give(null)
    status.enter('offline', fault)
    const isBlink = lostAt !== null && monotonic() - lostAt < waitsMs
    if (isClosed || (!isStarting && !isBlink)) queue.refuse(status.offline())
  }

  async function keepOpen(): Promise<void> {
    while (!isClosed) {
      life = new AbortController()
      isNudged = false
      // A device that fails soon after each start is retried with the same growing pauses as one that does not start.
      if (await live(life)) attempts.restart()
      if (isStarting || isNudged) attempts.restart()
      else if (!isClosed) await pause()
    }
  }

  async function pause(): Promise<void> {
    life = new AbortController()
    isPausing = true
    await attempts.rest(life.signal)
    isPausing = false
    if (life.signal.reason === nudged) attempts.restart()
  }

  // The loop must not be recorded under the request that happens to open the bay.
  const kept = onBehalfOf(undefined, keepOpen)

  return {
    isStarting: () => isStarting,
    isClosed: () => isClosed,
    reset() {
      if (isClosed) return false
      const wasOnline = status.state === 'online'
      isStarting = true
      life.abort(resetAsked)
      drop(resetAsked)
      return wasOnline
    },
    nudge() {
      if (isPausing) life.abort(nudged)
      isNudged = true
    },
    async close() {
      isClosed = true
      isStarting = false
      life.abort(closeAsked)
      drop(closeAsked)
      await atMost(clock, 2_000, Promise.all([kept, queue.idle()]))
    },
  }
}
