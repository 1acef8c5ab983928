import type { Duplex } from 'node:stream'
import { branch } from '../../devices/branch.ts'
import type { DeviceCapabilities, Driver } from '../../devices/driver.ts'
import { baudRateSearch } from './baud-rate-search.ts'
import type { DeviceAddress } from './device-address.ts'
import type { Workshop } from './workshop.ts'

/** The parts that a device needs to be opened. */
type LineOptions = Pick<Workshop, 'drivers' | 'openWire' | 'recorder' | 'clock'>

/** The connection of one device to its wire. */
export interface DeviceLine<Kind extends keyof DeviceCapabilities> {
  /** Opens the wire and the device. Rejects with an Error whose message is for people. */
  open(signal: AbortSignal): Promise<{ device: DeviceCapabilities[Kind]; wire: Duplex }>
  /** The device has answered, so the rate of its line is right. */
  answered(): void
}

/**
 * Connects devices to their wires. A device opens a wire of its own, at rates that are tried, or a branch of the wire
 * of another device.
 */
export type DeviceLines = ReturnType<typeof deviceLines>

/** The open wires by address. */
type OpenWires = Map<string, { driver: string; wire: Duplex }>

/** Returns the lines of one appliance. Devices on one wire find each other by its path. */
export function deviceLines(options: LineOptions) {
  const wires: OpenWires = new Map()
  return {
    of<Kind extends keyof DeviceCapabilities>(
      kind: Kind,
      name: string,
      address: DeviceAddress,
    ): DeviceLine<Kind> {
      const rates = baudRateSearch()
      return {
        answered: rates.answered,
        async open(signal) {
          const { driver, path } = driverOf(options, kind, address)
          const about = { name, path, address }
          if (driver.joins !== undefined)
            return openOn(options, driver, about, branchOf(wires, path, driver.joins))
          const baudRate = rates.next(driver.serial?.baudRates)
          const wire = await options.openWire(path, { baudRate, signal })
          rates.tried(baudRate)
          const opened = openOn(options, driver, about, wire, baudRate)
          keepWhileOpen(wires, path, driver.name, opened.wire)
          return opened
        },
      }
    },
  }
}

function driverOf<Kind extends keyof DeviceCapabilities>(
  { drivers }: LineOptions,
  kind: Kind,
  { path, driver: model }: DeviceAddress,
): { driver: Driver<Kind>; path: string } {
  const found = drivers.find((each) => each.name === model || each.models.includes(model))
  if (found?.capability !== kind || !path) throw new Error(`there is no ${kind} ${model} at ${path}`)
  return { driver: found as Driver<Kind>, path }
}

/** The description of a device for opening it. */
interface About {
  /** The device's name for people. */
  name: string
  path: string
  address: DeviceAddress
}

/** Opens the device on its wire, through the recorder if there is one. */
function openOn<Kind extends keyof DeviceCapabilities>(
  { recorder, clock }: LineOptions,
  driver: Driver<Kind>,
  { name, path, address }: About,
  wire: Duplex,
  baudRate?: number,
): { device: DeviceCapabilities[Kind]; wire: Duplex } {
  const { driver: model, patience, options } = address
  const driverOptions = { model, patience: patience ?? 1, options: options ?? {} }
  const about = { bay: name, capability: driver.capability, driver: driver.name, path, ...driverOptions }
  const line = recorder?.line({ ...about, ...(baudRate !== undefined && { baudRate }) }, driver.mask, wire)
  const setup = { ...driverOptions, clock }
  if (!line) return { wire, device: driver.open(wire, setup) }
  return { wire: line.wire, device: line.calls(driver.open(line.wire, setup)) }
}

function keepWhileOpen(wires: OpenWires, path: string, driver: string, wire: Duplex): void {
  wires.set(path, { driver, wire })
  wire.once('close', () => wires.get(path)?.wire === wire && wires.delete(path))
}

function branchOf(wires: OpenWires, path: string, driver: string): Duplex {
  const line = wires.get(path)
  if (line?.driver !== driver || line.wire.destroyed)
    throw new Error(`the ${driver} on whose line it stands is not connected`)
  return branch(line.wire)
}
