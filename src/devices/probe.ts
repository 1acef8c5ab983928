import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import type { Clock } from '../host/clock.ts'
import type { CardDispenser, CardEncoder, Identity } from './capability.ts'
import type { Driver } from './driver.ts'
import { DeviceFault, type FaultCode } from './fault.ts'

export interface Probed {
  /** The device has answered in the driver's language. */
  isThere: boolean
  baudRate: number | null
  identity: Identity | null
  /** What stood in the way, of the last attempt. */
  said: string | null
}

/** Opens a wire at a rate; rejects with an Error in words. */
type OpenAt = (baudRate: number, signal: AbortSignal) => Promise<Duplex>

/** An attempt that hangs all the same is given up. */
const attemptMs = 60_000
const closesMs = 2_000
/** Who asks whether anybody is there does not wait as long as who knows. */
const patience = 0.5

/** For a wire that has none. */
const noRate = 9_600

/** Only a device that understood the question answers with these. */
const answers: readonly FaultCode[] = [
  'dispenser-reset-required',
  'dispenser-empty',
  'dispenser-jam',
  'dispenser-bin-full',
  'dispenser-motor',
  'multiple-cards',
]

/** Asks at each of the driver's rates whether its device is there. What that moves says `provenance.probing`. Never rejects. */
export async function probe(driver: Driver, open: OpenAt, clock: Clock): Promise<Probed> {
  let said: string | null = null
  for (const baudRate of driver.serial?.baudRates ?? [noRate]) {
    try {
      return { isThere: true, baudRate, identity: await attempt(driver, open, baudRate, clock), said: null }
    } catch (error) {
      if (error instanceof DeviceFault && answers.includes(error.code))
        return { isThere: true, baudRate, identity: null, said: error.message }
      said = error instanceof Error ? error.message : String(error)
      // What cannot be opened, cannot be opened at another rate.
      if (!(error instanceof DeviceFault)) break
    }
  }
  return { isThere: false, baudRate: null, identity: null, said }
}

async function attempt(
  driver: Driver,
  open: OpenAt,
  baudRate: number,
  clock: Clock,
): Promise<Identity | null> {
  const given = clock.timeout(attemptMs)
  const wire = await open(baudRate, given)
  wire.on('error', () => {})
  const device = driver.open(wire, { model: driver.name, patience, options: {}, clock })
  try {
    return await Promise.race([asked(driver, device), givenUp(given)])
  } finally {
    device.close()
    wire.destroy()
    // A line still locked cannot be opened at the next rate; one that never closes is given up.
    if (!wire.closed) await once(wire, 'close', { signal: clock.timeout(closesMs) }).catch(() => {})
  }
}

/** A dispenser is initialised only where its driver says that nothing less will do. */
async function asked(driver: Driver, device: CardDispenser | CardEncoder): Promise<Identity | null> {
  if ('identify' in device) return device.identify()
  if (driver.provenance.probing === 'motor') return device.initialise('leave')
  await device.status()
  return null
}

function givenUp(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no end after ${attemptMs / 1_000} s`)))
  })
}
