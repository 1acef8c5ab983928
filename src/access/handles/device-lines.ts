import type { Duplex } from 'node:stream'
import { branch } from '../../devices/branch.ts'
import type { DeviceCapabilities, Driver } from '../../devices/driver.ts'
import { DeviceFault, type FaultCode } from '../../devices/fault.ts'
import { lineUsers } from '../../devices/wires/line-users.ts'
import { hearsModemCommand, sharedLine } from '../../devices/wires/serial-wire.ts'
import { type AddressedDevice, driverOf } from '../resources/device-address.ts'
import type { Workshop } from './workshop.ts'

type Kind = keyof DeviceCapabilities

/** The connection of one device to its wire. */
export interface DeviceLine<K extends Kind> {
  /** Opens the wire and the device. Rejects with an Error whose message is for people. */
  open(signal: AbortSignal): Promise<{ device: DeviceCapabilities[K]; wire: Duplex }>
  /**
   * Waits for the first answer of the device, which shows that the rate of its line is right. Rejects with LineTrouble when another
   * program may have taken the answer, else with the error of the device.
   */
  firstAnswer<T>(asked: Promise<T>): Promise<T>
}

/** The faults of a device that does not answer, or not in its protocol. */
const silences: readonly FaultCode[] = [
  'encoder-offline',
  'encoder-timeout',
  'dispenser-offline',
  'dispenser-timeout',
  'vendor-error',
]

/** The open wires by address. */
type OpenWires = Map<string, { driver: string; wire: Duplex }>

/** Returns a function that connects a device to a wire of its own, or to a branch of the one at its path. */
export function deviceLines(workshop: Workshop) {
  const wires: OpenWires = new Map()
  return <K extends Kind>(kind: K, row: AddressedDevice): DeviceLine<K> => {
    const rates = baudRateSearch()
    let last: { path: string; wire: Duplex } | null = null

    async function reasonOf(error: unknown): Promise<unknown> {
      if (!last || !(error instanceof DeviceFault) || !silences.includes(error.code)) return error
      const { path, wire } = last
      const users = await (workshop.lineUsers ?? lineUsers)(path)
      return users.length > 0 || hearsModemCommand(wire) ? sharedLine(path, users, error) : error
    }

    return {
      async firstAnswer(asked) {
        try {
          const answer = await asked
          rates.answered()
          return answer
        } catch (error) {
          throw await reasonOf(error)
        }
      },
      async open(signal) {
        const { driver, path } = expectDriver(workshop, kind, row)
        if (driver.joins !== undefined)
          return openOn(workshop, driver, { row, path }, branchOf(wires, path, driver.joins))
        const baudRate = rates.next(driver.serial?.baudRates)
        const wire = await workshop.openWire(path, { baudRate, signal })
        rates.tried(baudRate)
        last = { path, wire }
        const opened = openOn(workshop, driver, { row, path, baudRate }, wire)
        wires.set(path, { driver: driver.name, wire: opened.wire })
        opened.wire.once('close', () => wires.get(path)?.wire === opened.wire && wires.delete(path))
        return opened
      },
    }
  }
}

function expectDriver<K extends Kind>({ drivers }: Workshop, kind: K, { device }: AddressedDevice) {
  const { path } = device
  const found = driverOf(drivers, device)
  if (found?.capability !== kind || !path) throw new Error(`there is no ${kind} ${device.driver} at ${path}`)
  return { driver: found as Driver<K>, path }
}

/** Opens the device on its wire, through the recorder if there is one. */
function openOn<K extends Kind>(
  { recorder, clock }: Workshop,
  driver: Driver<K>,
  { row, path, ...rate }: { row: AddressedDevice; path: string; baudRate?: number },
  wire: Duplex,
): { device: DeviceCapabilities[K]; wire: Duplex } {
  const { driver: model, patience, options } = row.device
  const settings = { model, patience: patience ?? 1, options: options ?? {} }
  const about = { bay: row.name, capability: driver.capability, driver: driver.name, path }
  const line = recorder?.line({ ...about, ...settings, ...rate }, driver.mask, wire)
  const setup = { ...settings, clock }
  if (!line) return { wire, device: driver.open(wire, setup) }
  return { wire: line.wire, device: line.calls(driver.open(line.wire, setup)) }
}

function branchOf(wires: OpenWires, path: string, driver: string): Duplex {
  const line = wires.get(path)
  if (line?.driver !== driver || line.wire.destroyed)
    throw new Error(`the ${driver} on whose line it stands is not connected`)
  return branch(line.wire)
}

/** The rates for a driver that names none. */
const usualRates = [9_600] as const

/**
 * Tries the rates of a driver one after the other. Once the device has answered at a rate, every second attempt uses
 * that rate: a silent device more likely has no power than another rate.
 */
function baudRateSearch() {
  let attempt = 0
  let last: number | null = null
  let known: number | null = null
  return {
    next(rates: readonly [number, ...number[]] = usualRates): number {
      if (known !== null && attempt % 2 === 0) return known
      const turn = known === null ? attempt : attempt >> 1
      return rates[turn % rates.length] ?? rates[0]
    },
    /** The line was opened at this rate. */
    tried(rate: number): void {
      last = rate
      attempt++
    },
    /** The device has answered at the last rate. */
    answered(): void {
      known = last
      attempt = 0
    },
  }
}
