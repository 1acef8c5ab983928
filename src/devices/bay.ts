import { AsyncLocalStorage } from 'node:async_hooks'
import type { Duplex } from 'node:stream'
import type { Clock } from '../host/clock.ts'
import { atMost, unlessAborted } from './at-most.ts'
import { DeviceFault, type FaultCode } from './fault.ts'
import { onBehalfOf } from './on-behalf.ts'
import { abortWhenLost, discard, type Opened } from './opened-device.ts'
import { pauses } from './pauses.ts'
import { type Turn, turns } from './turns.ts'
import type { RefusalReason } from './visitors.ts'

/** offline: no wire. starting: the wire is open, the device not yet known to be well. */
type BayState = 'offline' | 'starting' | 'online'

/**
 * What happened to the device of a bay, and why, where there is a why. Of a line that is listened for also that a connection
 * was refused, and that none was for an hour (`quiet`).
 */
export interface BayEvent {
  bay: string
  what: 'online' | 'lost' | 'failed' | 'closed' | 'refused' | 'quiet'
  /** Unix milliseconds. */
  at: number
  fault: Error | null
  /** Whose connection was refused. */
  visitor?: { why: RefusalReason; address: string }
}

export interface BayOptions<Device> {
  /** Begins the text of every fault of this bay. */
  name: string
  /** Opens the wire and the device on it. The signal says that nobody waits for it any more. */
  open(signal: AbortSignal): Promise<{ device: Device; wire: Duplex }>
  /** Identifies or initialises the device; the bay is online once it resolves. */
  started(device: Device): Promise<void>
  clock: Clock
  /** Told of each event; a start that fails for the same reason as the one before is not an event. */
  log?(event: BayEvent): void
  /** From 1 s to 60 s unless said otherwise, each pause up to a fifth shorter or longer. */
  backoff?: { firstMs: number; maxMs: number }
  /** The fault of `use` while there is no device. */
  offlineCode: FaultCode
  /** The fault of `use` when the queue is full; `encoder-busy` unless said otherwise. */
  busyCode?: FaultCode
  /** How many may wait behind the one at work; 5 unless said otherwise. */
  queueLimit?: number
  /** How long opening and starting may take together; 60 s unless said otherwise. */
  startTimeoutMs?: number
  /**
   * Whether a start failed because of the device itself, such as a jam: it is not tried more often because somebody wants it,
   * and who does is refused at once.
   */
  standsStill?(fault: Error): boolean
  /** Calls `nudge` whenever the device may be there again; gives what ends that. */
  appears?(nudge: () => void): () => void
}

/** Keeps one device open for ever: reopens it with back-off when its wire closes or it fails to start. */
export interface Bay<Device> {
  state(): BayState
  /** Unix milliseconds at which the present state began. */
  readonly since: number
  /** Why the device was lost or failed to start; null while it is online. */
  readonly lastFault: Error | null
  /**
   * Gives the device to `work` alone, in the order of asking, and passes on what `work` resolves or rejects with.
   * Rejects with a DeviceFault (offlineCode or busyCode) when `work` is not begun. A device that is not there is tried
   * now, whatever the pause between two attempts. It is waited for until an attempt has failed, 5 s at most; one that was
   * lost less than 5 s ago for the rest of these, whatever fails; and at first and after a reset until that start has
   * succeeded or failed.
   */
  use<T>(work: (device: Device) => Promise<T>): Promise<T>
  /** Drops the device, or the pause between two attempts, and opens at once. False when no device was open. */
  reset(): boolean
  /** Ends the pause between two attempts, for whoever sees that the device was plugged in. Otherwise nothing happens. */
  nudge(): void
  /**
   * Resolves once online; rejects with a DeviceFault (offlineCode) after `timeoutMs` or when the bay is closed. The device is
   * tried now, and then every second or so.
   */
  ready(timeoutMs: number): Promise<void>
  /** Drops the device for good. Resolves when the wire is closed and nobody is at work, at the latest after 2 s. */
  close(): Promise<void>
}

/** Opens the bay; the first attempt begins at once. */
export function bay<Device extends { close(): void }>(options: BayOptions<Device>): Bay<Device> {
  const { name, clock, startTimeoutMs = 60_000, queueLimit = 5, busyCode = 'encoder-busy' } = options
  const { now, monotonic } = clock
  const { firstMs, maxMs } = options.backoff ?? { firstMs: 1_000, maxMs: 60_000 }
  const queue = turns<Device>()
  const waitingForReady = new Set<() => void>()
  const isStill = () => lastFault !== null && options.standsStill?.(lastFault) === true
  const isWanted = () => !isStill() && (queue.length() > 0 || waitingForReady.size > 0)
  const { rest, restart, hurry } = pauses({ clock, firstMs, maxMs, isWanted })
  let state: BayState = 'offline'
  let since = now()
  let lastFault: Error | null = null
  let closed = false
  /** The first start, or the one that follows a reset, has not ended: users wait for it. */
  let resetting = true
  /** Aborted to end the present attempt, the device's life, or the pause between two attempts. */
  let life = new AbortController()
  let isPausing = false
  /** When the device was lost, on the clock that never goes back. */
  let lostAt: number | null = null
  /** The device appeared while an attempt or a life was under way. */
  let isNudged = false

  function offline(): DeviceFault {
    const why = lastFault?.message ?? 'is not open yet'
    return new DeviceFault(options.offlineCode, `${name}: ${why}`, { cause: lastFault })
  }

  function enter(next: BayState, fault: Error | null) {
    if (state !== next) since = now()
    state = next
    lastFault = fault
    for (const look of waitingForReady) look()
  }

  function report(what: BayEvent['what'], fault: Error | null) {
    try {
      options.log?.({ bay: name, what, at: now(), fault })
    } catch (error) {
      // Who listens must not be able to stop the reopening.
      process.emitWarning(asError(error))
    }
  }

  /** One attempt and, if it succeeds, the life of the device. True when it was online for longer than the first pause. */
  async function live(attempt: AbortController): Promise<boolean> {
    const { signal } = attempt
    const tooLong = new Error(`did not start within ${startTimeoutMs} ms`)
    const timer = clock.setTimeout(() => attempt.abort(tooLong), startTimeoutMs).unref()
    let opened: Opened<Device> | null = null
    let onlineAt: number | null = null
    try {
      opened = await unlessAborted(options.open(signal), signal, (late) => discard(late, clock))
      abortWhenLost(opened.wire, attempt)
      enter('starting', lastFault)
      await unlessAborted(options.started(opened.device), signal)
      timer.cancel()
      onlineAt = monotonic()
      resetting = false
      enter('online', null)
      queue.give(opened.device)
      report('online', null)
      await unlessAborted(new Promise(() => {}), signal)
    } catch (error) {
      ended(asError(error), onlineAt !== null)
    }
    const lived = onlineAt === null ? 0 : monotonic() - onlineAt
    timer.cancel()
    if (opened) await discard(opened, clock)
    return onlineAt !== null && lived >= firstMs
  }

  function ended(fault: Error, wasOnline: boolean) {
    const news = wasOnline || fault.message !== lastFault?.message
    if (fault !== resetAsked) {
      resetting = false
      if (wasOnline) lostAt = monotonic()
    }
    drop(fault)
    if (!closed && news) report(wasOnline ? 'lost' : 'failed', fault)
  }

  function drop(fault: Error) {
    queue.give(null)
    enter('offline', fault)
    const isBlink = lostAt !== null && monotonic() - lostAt < waitsMs
    if (closed || (!resetting && !isBlink)) queue.refuse(offline())
  }

  async function keepOpen() {
    while (!closed) {
      life = new AbortController()
      isNudged = false
      // A device that goes again at once after each start is treated like one that does not start.
      if (await live(life)) restart()
      if (resetting || isNudged) restart()
      else if (!closed) {
        life = new AbortController()
        isPausing = true
        await rest(life.signal)
        isPausing = false
        if (life.signal.reason === nudged) restart()
      }
    }
  }

  /** Who waits behind others at work on a device that is there by now goes on waiting. */
  function notThere(turn: Turn<Device>): void {
    if (state !== 'online') queue.dismiss(turn, offline())
  }

  async function shut() {
    report('closed', null)
    closed = true
    unfollow?.()
    resetting = false
    life.abort(closeAsked)
    drop(closeAsked)
    await atMost(clock, 2_000, Promise.all([kept, queue.idle()]))
  }

  // The request that happens to open the bay is not the one its device is started for.
  const kept = onBehalfOf(undefined, keepOpen)
  const unfollow = options.appears?.(nudge)
  let closing: Promise<void> | null = null

  function nudge() {
    if (isPausing) life.abort(nudged)
    isNudged = true
  }

  return {
    state: () => state,
    get since() {
      return since
    },
    get lastFault() {
      return lastFault
    },
    use(work) {
      if (closed || (state !== 'online' && !resetting && isStill())) return Promise.reject(offline())
      if (queue.length() >= queueLimit) {
        return Promise.reject(new DeviceFault(busyCode, `${name}: ${queueLimit} are waiting already`))
      }
      const asAsked = AsyncLocalStorage.snapshot()
      return new Promise((resolve, reject) => {
        const run = async (device: Device) => {
          try {
            resolve(await asAsked(work, device))
          } catch (error) {
            reject(error)
          }
        }
        const turn = { run, refuse: reject }
        queue.join(turn)
        if (state === 'online') return
        hurry()
        if (!resetting) clock.setTimeout(() => notThere(turn), waitsMs).unref()
      })
    },
    reset() {
      if (closed) return false
      const wasOnline = state === 'online'
      resetting = true
      life.abort(resetAsked)
      drop(resetAsked)
      return wasOnline
    },
    nudge,
    async ready(timeoutMs) {
      const { promise: settled, resolve } = Promise.withResolvers<void>()
      const look = () => {
        if (closed || state === 'online') resolve()
      }
      waitingForReady.add(look)
      look()
      if (isWanted()) hurry()
      await atMost(clock, timeoutMs, settled)
      waitingForReady.delete(look)
      if (state !== 'online') throw offline()
    },
    close() {
      closing ??= shut()
      return closing
    },
  }
}

/** How long a device that is not there is waited for. */
const waitsMs = 5_000
const resetAsked = new Error('was reset')
const nudged = new Error('was plugged in')
const closeAsked = new Error('is closed')

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
