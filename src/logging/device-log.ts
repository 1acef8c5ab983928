import type { BayEvent } from '../devices/bay/bay-event.ts'
import type { Clock, Timer } from '../host/clock.ts'
import type { Log } from '../host/log.ts'

/** Why a device is away, with the code of its fault if it has one. */
interface Why {
  reason?: string
  code?: string
}

interface Known {
  isUp: boolean | null
  /** When the device was lost, monotonic milliseconds: the newest few. */
  losses: number[]
  /** Runs while the device is reported as flapping. */
  flapping: Timer | null
}

/** More losses than this within ten minutes are logged as one line, `device.flapping`. */
const mostLosses = 3
const windowMs = 600_000
/** A flapping device that stays away for this long is logged as lost. */
const lostMs = 60_000

/**
 * Logs the states of devices and lines as events with fields: `device.lost device="Lobby" reason="the line
 * was closed"`. Each change of state is one line at `warn`, which the default level shows: lost, failed (it
 * did not start), recovered. A flapping device is logged once, and again when it has been steady for ten
 * minutes (`device.steady`) or away for one.
 */
export function deviceLog(log: Log, clock: Clock): (event: BayEvent) => void {
  const devices = new Map<string, Known>()

  function known(device: string): Known {
    const found = devices.get(device) ?? { isUp: null, losses: [], flapping: null }
    devices.set(device, found)
    return found
  }

  function up(device: string): void {
    const it = known(device)
    const { isUp } = it
    it.isUp = true
    if (it.flapping) return
    if (isUp === false) log.warn({ device }, 'device.recovered')
    else log.info({ device }, 'device.online')
  }

  function down(device: string, what: 'lost' | 'failed', why: Why): void {
    const it = known(device)
    const { isUp } = it
    it.isUp = false
    if (what === 'lost') count(it)
    if (it.flapping) {
      if (what === 'lost') flap(device, it)
    } else if (isUp === false) log.info({ device, ...why }, 'device.failed')
    else if (it.losses.length <= mostLosses) log.warn({ device, ...why }, `device.${what}`)
    else {
      const { length: losses } = it.losses
      log.warn({ device, ...why, losses, minutes: windowMs / 60_000 }, 'device.flapping')
      flap(device, it)
    }
  }

  function count(it: Known): void {
    const now = clock.monotonic()
    it.losses = [...it.losses, now].filter((at) => now - at < windowMs).slice(-mostLosses - 1)
  }

  function flap(device: string, it: Known): void {
    it.flapping?.cancel()
    it.flapping = clock.setTimeout(() => judge(device, it), lostMs).unref()
  }

  function judge(device: string, it: Known): void {
    const end = (event: string) => {
      it.flapping = null
      it.losses = []
      log.warn({ device }, event)
    }
    if (!it.isUp) end('device.lost')
    else it.flapping = clock.setTimeout(() => end('device.steady'), windowMs - lostMs).unref()
  }

  return ({ bay: device, what, fault, visitor }) => {
    const why = whyOf(fault)
    if (what === 'online') up(device)
    else if (what === 'lost' || what === 'failed') down(device, what, why)
    else if (what === 'closed') {
      devices.get(device)?.flapping?.cancel()
      devices.delete(device)
      log.info({ device }, 'device.closed')
    } else log.warn({ device, ...visitor, ...why }, `listener.${what}`)
  }
}

function whyOf(fault: Error | null): Why {
  if (!fault) return {}
  const { message, code } = fault as NodeJS.ErrnoException
  return { reason: message, ...(typeof code === 'string' && { code }) }
}
