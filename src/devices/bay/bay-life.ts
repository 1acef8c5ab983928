import { atMost, unlessAborted } from '../at-most.ts'
import { onBehalfOf } from '../on-behalf.ts'
import type { OpeningPauses } from '../pauses.ts'
import type { BayOptions } from './bay-options.ts'
import { asError, type BayStatus } from './bay-status.ts'
import { abortWhenLost, discard, type Opened } from './opened-device.ts'
import type { turns } from './turns.ts'

/** How long a user waits for a device that is offline, in ms. */
export const waitsMs = 5_000
const resetRequested = new Error('was reset')
const pluggedIn = new Error('was plugged in')
const closeRequested = new Error('is closed')

interface Around<Device> {
  status: BayStatus
  queue: ReturnType<typeof turns<Device>>
  attempts: OpeningPauses
  /** In ms. A device that was online for a shorter time counts as a failed start. */
  firstMs: number
}

interface State<Device> extends Around<Device> {
  options: BayOptions<Device>
  isClosed: boolean
  isStarting: boolean
  /** Aborted to end the current attempt, the device's life, or the pause between two attempts. */
  life: AbortController
  isPausing: boolean
  /** When the device was lost, in ms of the monotonic clock. */
  lostAt: number | null
  /** True when the device may have been plugged in during an attempt or a life. */
  mustRetry: boolean
}

/** Starts the life of a bay; the first attempt begins at once. */
export function bayLife<Device extends { close(): void }>(
  options: BayOptions<Device>,
  around: Around<Device>,
) {
  const bay: State<Device> = {
    ...around,
    options,
    isClosed: false,
    isStarting: true,
    life: new AbortController(),
    isPausing: false,
    lostAt: null,
    mustRetry: false,
  }
  // The loop must not be recorded under the request that happens to open the bay.
  const kept = onBehalfOf(undefined, () => keepOpen(bay))

  return {
    /** True until the first start, or the first start after a reset, has ended. Users wait for this start. */
    isStarting: (): boolean => bay.isStarting,
    isClosed: (): boolean => bay.isClosed,
    /** Drops the device, or ends the pause between two attempts, and opens at once. False when no device was open. */
    reset: (): boolean => reset(bay),
    /**
     * Ends the pause between two attempts, because the device may have been plugged in again. Outside a pause, it lets the
     * next attempt follow without one.
     */
    retry(): void {
      if (bay.isPausing) bay.life.abort(pluggedIn)
      bay.mustRetry = true
    },
    /** Drops the device permanently. Resolves when its last user has ended, after 2 s at the latest. */
    async close(): Promise<void> {
      bay.isClosed = true
      bay.isStarting = false
      bay.life.abort(closeRequested)
      drop(bay, closeRequested)
      await atMost(options.clock, 2_000, Promise.all([kept, bay.queue.idle()]))
    },
  }
}

async function keepOpen<Device extends { close(): void }>(bay: State<Device>): Promise<void> {
  const { attempts } = bay
  while (!bay.isClosed) {
    bay.life = new AbortController()
    bay.mustRetry = false
    // A device that fails soon after each start is retried with the same growing pauses as one that does not start.
    if (await live(bay, bay.life)) attempts.restart()
    if (bay.isStarting || bay.mustRetry) attempts.restart()
    else if (!bay.isClosed) await pause(bay)
  }
}

/**
 * Makes one attempt and, if it succeeds, waits for the end of the device's life. True when the device was online for at
 * least the first pause.
 */
async function live<Device extends { close(): void }>(
  bay: State<Device>,
  attempt: AbortController,
): Promise<boolean> {
  const { options } = bay
  const { clock, startTimeoutMs = 60_000 } = options
  const { signal } = attempt
  const tooLong = new Error(`did not start within ${startTimeoutMs} ms`)
  const timer = clock.setTimeout(() => attempt.abort(tooLong), startTimeoutMs).unref()
  let opened: Opened<Device> | null = null
  let onlineAt: number | null = null
  try {
    opened = await unlessAborted(options.open(signal), signal, (late) => discard(late, clock))
    abortWhenLost(opened.wire, attempt)
    bay.status.enter('starting', bay.status.lastFault)
    await unlessAborted(options.started(opened.device), signal)
    timer.cancel()
    onlineAt = clock.monotonic()
    goOnline(bay, opened.device)
    await unlessAborted(new Promise(() => {}), signal)
  } catch (error) {
    endLife(bay, asError(error), onlineAt !== null)
  }
  const onlineMs = onlineAt === null ? 0 : clock.monotonic() - onlineAt
  timer.cancel()
  if (opened) await discard(opened, clock)
  return onlineAt !== null && onlineMs >= bay.firstMs
}

function goOnline<Device>(bay: State<Device>, device: Device): void {
  const { status, queue } = bay
  bay.isStarting = false
  status.enter('online', null)
  queue.give(device)
  status.report('online', null)
}

function endLife<Device>(bay: State<Device>, fault: Error, wasOnline: boolean): void {
  const { status } = bay
  const isNews = wasOnline || fault.message !== status.lastFault?.message
  if (fault !== resetRequested) {
    bay.isStarting = false
    if (wasOnline) bay.lostAt = bay.options.clock.monotonic()
  }
  drop(bay, fault)
  if (!bay.isClosed && isNews) status.report(wasOnline ? 'lost' : 'failed', fault)
}

/** Takes the device from its users. They wait while it starts, and for 5 s after a loss; else they are refused. */
function drop<Device>(bay: State<Device>, fault: Error): void {
  const { status, queue, options, lostAt } = bay
  queue.give(null)
  status.enter('offline', fault)
  const isJustLost = lostAt !== null && options.clock.monotonic() - lostAt < waitsMs
  if (bay.isClosed || (!bay.isStarting && !isJustLost)) queue.refuse(status.offline())
}

async function pause<Device>(bay: State<Device>): Promise<void> {
  bay.life = new AbortController()
  bay.isPausing = true
  await bay.attempts.rest(bay.life.signal)
  bay.isPausing = false
  if (bay.life.signal.reason === pluggedIn) bay.attempts.restart()
}

function reset<Device>(bay: State<Device>): boolean {
  if (bay.isClosed) return false
  const wasOnline = bay.status.state === 'online'
  bay.isStarting = true
  bay.life.abort(resetRequested)
  drop(bay, resetRequested)
  return wasOnline
}
