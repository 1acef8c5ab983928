import { AsyncLocalStorage } from 'node:async_hooks'
import { atMost } from '../at-most.ts'
import { DeviceFault } from '../fault.ts'
import { pauses } from '../pauses.ts'
import type { BayState } from './bay-event.ts'
import { bayLife, waitsMs } from './bay-life.ts'
import type { BayOptions } from './bay-options.ts'
import { type BayStatus, bayStatus } from './bay-status.ts'
import { type DeviceTurn, turns } from './turns.ts'

/** Keeps one device open for ever: reopens it with back-off when its wire closes or it fails to start. */
export interface Bay<Device> {
  state(): BayState
  /** Unix milliseconds at which the current state began. */
  readonly since: number
  /** Why the device was lost or failed to start; null while it is online. */
  readonly lastFault: Error | null
  /**
   * Runs `work` with exclusive use of the device, in call order, and settles as `work` does. Rejects with a DeviceFault
   * (offlineCode or busyCode) when `work` is not started. While the device is offline, the call brings the next attempt
   * forward and waits: until an attempt has failed, for 5 s at most. When the device was lost less than 5 s ago, the
   * call waits for the rest of these 5 s, even if attempts fail. During the first start, and during the start after a
   * reset, it waits until that start has ended.
   */
  use<T>(work: (device: Device) => Promise<T>): Promise<T>
  /** Drops the device, or the pause between two attempts, and opens at once. False when no device was open. */
  reset(): boolean
  /**
   * Resolves once online; rejects with a DeviceFault (offlineCode) after `timeoutMs` or when the bay is closed. The bay
   * tries to open the device now, and then about every second.
   */
  ready(timeoutMs: number): Promise<void>
  /** Drops the device permanently. Resolves when the wire is closed and no user is at work, after 2 s at the latest. */
  close(): Promise<void>
}

/** Opens the bay; the first attempt begins at once. */
export function bay<Device extends { close(): void }>(options: BayOptions<Device>): Bay<Device> {
  const { name, clock, queueLimit = 5, busyCode = 'encoder-busy', appears, standsStill } = options
  const { firstMs, maxMs } = options.backoff ?? { firstMs: 1_000, maxMs: 60_000 }
  const status = bayStatus(options)
  const queue = turns<Device>()
  const isStill = () => status.lastFault !== null && standsStill?.(status.lastFault) === true
  const isWanted = () => !isStill() && (queue.length() > 0 || status.isWatched())
  const attempts = pauses({ clock, firstMs, maxMs, isWanted })
  const life = bayLife(options, { status, queue, attempts, firstMs })
  const unfollow = appears?.(life.retry)
  let closing: Promise<void> | null = null

  /** Puts a turn into the queue. While the device is offline, it also brings the next attempt forward. */
  function join(turn: DeviceTurn<Device>): void {
    queue.join(turn)
    if (status.state === 'online') return
    attempts.hurry()
    // A turn that waits behind others keeps its place once the device is online.
    const dismiss = () => {
      if (status.state !== 'online') queue.dismiss(turn, status.offline())
    }
    if (!life.isStarting()) clock.setTimeout(dismiss, waitsMs).unref()
  }

  return {
    state: () => status.state,
    get since() {
      return status.since
    },
    get lastFault() {
      return status.lastFault
    },
    use(work) {
      const isRefused = status.state !== 'online' && !life.isStarting() && isStill()
      if (life.isClosed() || isRefused) return Promise.reject(status.offline())
      if (queue.length() >= queueLimit)
        return Promise.reject(new DeviceFault(busyCode, `${name}: ${queueLimit} are waiting already`))
      return new Promise((resolve, reject) => join(turnOf(work, resolve, reject)))
    },
    reset: life.reset,
    async ready(timeoutMs) {
      const { promise: settled, resolve } = Promise.withResolvers<void>()
      const unwatch = status.watch(() => {
        if (life.isClosed() || status.state === 'online') resolve()
      })
      if (isWanted()) attempts.hurry()
      await atMost(clock, timeoutMs, settled)
      unwatch()
      if (status.state !== 'online') throw status.offline()
    },
    close() {
      closing ??= shut(status, unfollow, life)
      return closing
    },
  }
}

/** A turn that does its work on behalf of the request that caused it. */
function turnOf<Device, T>(
  work: (device: Device) => Promise<T>,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): DeviceTurn<Device> {
  const inCallersContext = AsyncLocalStorage.snapshot()
  return {
    refuse: reject,
    async run(device) {
      try {
        resolve(await inCallersContext(work, device))
      } catch (error) {
        reject(error)
      }
    },
  }
}

function shut(
  status: BayStatus,
  unfollow: (() => void) | undefined,
  life: { close(): Promise<void> },
): Promise<void> {
  status.report('closed', null)
  unfollow?.()
  return life.close()
}
