import type { Duplex } from 'node:stream'
import { branch } from '../../devices/branch.ts'
import type { Capabilities, Driver } from '../../devices/driver.ts'
import type { DeviceAddress } from './device-address.ts'
import type { Workshop } from './handles.ts'

/** How devices come to their wires: by rates that are tried, or on a branch of the wire another one has open. */
export function deviceLines({
  drivers,
  openWire,
  recorder,
  clock,
}: Pick<Workshop, 'drivers' | 'openWire' | 'recorder' | 'clock'>) {
  /** The wires that devices have open, by their addresses. */
  const lines = new Map<string, { driver: string; wire: Duplex }>()

  /**
   * Tries the rates of the driver one after the other. The one at which the device was `heard` is tried first from then on,
   * and again after each other one: a device without power is not one that has another rate.
   */
  function opener<Kind extends keyof Capabilities>(
    kind: Kind,
    name: string,
    { path, driver: model, patience, options }: DeviceAddress,
  ) {
    let attempt = 0
    let tried: number | null = null
    let known: number | null = null
    const open = async (signal: AbortSignal): Promise<{ device: Capabilities[Kind]; wire: Duplex }> => {
      const found = drivers.find((each) => each.name === model || each.models.includes(model))
      if (found?.capability !== kind || !path) throw new Error(`there is no ${kind} ${model} at ${path}`)
      const driver = found as Driver<Kind>
      if (driver.joins !== undefined) {
        return opened(driver, path, branchOf(path, driver.joins))
      }
      const { baudRates } = driver.serial ?? { baudRates: [9_600] }
      const turn = known === null ? attempt : attempt >> 1
      const other = baudRates[turn % baudRates.length] ?? baudRates[0]
      const baudRate = known !== null && attempt % 2 === 0 ? known : other
      const line = await openWire(path, { baudRate, signal })
      tried = baudRate
      attempt++
      const there = opened(driver, path, line, baudRate)
      const { wire } = there
      lines.set(path, { driver: driver.name, wire })
      wire.once('close', () => lines.get(path)?.wire === wire && lines.delete(path))
      return there
    }
    const opened = (driver: Driver<Kind>, path: string, wire: Duplex, baudRate?: number) => {
      const told = { model, patience: patience ?? 1, options: options ?? {} }
      const about = { bay: name, capability: kind, driver: driver.name, path, ...told }
      const line = recorder?.line(
        { ...about, ...(baudRate !== undefined && { baudRate }) },
        driver.mask,
        wire,
      )
      const setup = { ...told, clock }
      if (!line) return { wire, device: driver.open(wire, setup) }
      return { wire: line.wire, device: line.calls(driver.open(line.wire, setup)) }
    }
    const heard = () => {
      known = tried
      attempt = 0
    }
    return { open, heard }
  }

  function branchOf(path: string, driver: string): Duplex {
    const line = lines.get(path)
    if (line?.driver !== driver || line.wire.destroyed)
      throw new Error(`the ${driver} on whose line it stands is not connected`)
    return branch(line.wire)
  }

  return opener
}
