import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import type { Clock } from '../host/clock.ts'
import type { CardDispenser, CardEncoder, Identity } from './capability.ts'
import type { Driver } from './driver.ts'
import { DeviceFault, type FaultCode } from './fault.ts'
import type { TerminalDriver } from './payment-terminal.ts'

export interface Probed {
  /** True when the device has answered in the driver's protocol. */
  isThere: boolean
  baudRate: number | null
  identity: Identity | null
  /** The problem of the last attempt; null when there was none. */
  problem: string | null
}

/** Opens a wire at a baud rate; rejects with an Error whose message is a sentence. */
type OpenAt = (baudRate: number, signal: AbortSignal) => Promise<Duplex>

/** The limit of one attempt, in ms. */
const attemptMs = 60_000
const closesMs = 2_000
/** A probe uses shorter deadlines than the driver of a known device. */
const patience = 0.5

/** The rate that is passed for a wire without one. */
const noRate = 9_600

/** Only a device that understood the question answers with one of these faults. */
const answers: readonly FaultCode[] = [
  'dispenser-reset-required',
  'dispenser-empty',
  'dispenser-jam',
  'dispenser-bin-full',
  'dispenser-motor',
  'multiple-cards',
]

/**
 * Probes at each of the driver's baud rates whether its device is there. `provenance.probing` says what the probe
 * moves. Never rejects.
 */
export async function probe(driver: Driver, open: OpenAt, clock: Clock): Promise<Probed> {
  let problem: string | null = null
  for (const baudRate of driver.serial?.baudRates ?? [noRate]) {
    try {
      return {
        isThere: true,
        baudRate,
        identity: await attempt(driver, open, baudRate, clock),
        problem: null,
      }
    } catch (error) {
      if (error instanceof DeviceFault && answers.includes(error.code))
        return { isThere: true, baudRate, identity: null, problem: error.message }
      problem = error instanceof Error ? error.message : String(error)
      // A wire that cannot be opened at one rate cannot be opened at another.
      if (!(error instanceof DeviceFault)) break
    }
  }
  return { isThere: false, baudRate: null, identity: null, problem }
}

/** The reference of a payment that no terminal has. */
const noPayment = 'nightporter-probe'
/** A probe takes no payment. */
const noPayMs = 10_000

/**
 * Asks a payment terminal for a payment that it does not have: any answer in the driver's protocol says that the terminal is
 * there. No payment is started. Never rejects.
 */
export async function probeTerminal(driver: TerminalDriver, open: OpenAt, clock: Clock): Promise<Probed> {
  const probed = { baudRate: null, identity: null }
  try {
    const wire = await open(noRate, clock.timeout(attemptMs))
    wire.on('error', () => {})
    try {
      await driver.open(wire, { clock, patience, payWithinMs: noPayMs }).ask(noPayment)
      return { isThere: true, ...probed, problem: null }
    } finally {
      wire.destroy()
    }
  } catch (error) {
    return { isThere: false, ...probed, problem: error instanceof Error ? error.message : String(error) }
  }
}

async function attempt(
  driver: Driver,
  open: OpenAt,
  baudRate: number,
  clock: Clock,
): Promise<Identity | null> {
  const timeout = clock.timeout(attemptMs)
  const wire = await open(baudRate, timeout)
  wire.on('error', () => {})
  const device = driver.open(wire, { model: driver.name, patience, options: {}, clock })
  try {
    return await Promise.race([identify(driver, device), untilAborted(timeout)])
  } finally {
    device.close()
    wire.destroy()
    // A line that is still locked cannot be opened at the next rate. The wait is limited, in case the line never
    // closes.
    if (!wire.closed) await once(wire, 'close', { signal: clock.timeout(closesMs) }).catch(() => {})
  }
}

/** Identifies the device. A dispenser is initialised only where its driver declares that the probe needs it. */
async function identify(driver: Driver, device: CardDispenser | CardEncoder): Promise<Identity | null> {
  if ('identify' in device) return device.identify()
  if (driver.provenance.probing === 'motor') return device.initialise('leave')
  await device.status()
  return null
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no result after ${attemptMs / 1_000} s`)))
  })
}
