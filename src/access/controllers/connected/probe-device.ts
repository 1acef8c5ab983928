import type { Driver } from '../../../devices/driver.ts'
import { reachProblem } from '../../../devices/network/reach.ts'
import { type Probed, probe } from '../../../devices/probe.ts'
import type { WhenGone } from '../../../resource/keeper.ts'
import { invalidValue, Problem } from '../../../resource/problem.ts'
import type { Machines, Property } from '../../access.ts'
import { type ConnectedOptions, connectedDevices } from './connected-devices.ts'

export interface ProbeOptions extends ConnectedOptions {
  /** Null when a wire can be opened at the address; otherwise the expected form of an address. */
  addressProblem(path: string): string | null
}

interface Probes {
  /** The drivers in whose protocols the device was asked. If one was answered, it is the last. */
  asked: (Probed & { driver: string })[]
  /** The drivers that were left out because a probe in their protocol moves a motor. */
  left: string[]
}

/**
 * Returns a function that asks the device at an address in the protocol of each driver that may fit, until one answers.
 * Drivers whose probe moves a motor come last, and only with `mayMove`. It throws validation-failed for a wrong address
 * and for a device that is configured, and busy while another probe runs. No further driver is tried once the client is gone.
 */
export function deviceProbes(
  access: Property & Machines,
  options: ProbeOptions,
): (path: string, mayMove: boolean, whenGone: WhenGone) => Promise<Probes> {
  let isBusy = false
  return async (path, mayMove, whenGone) => {
    const fitting = await fittingDrivers(access, options, path)
    if (isBusy)
      throw new Problem('busy', 'Another device is being asked. Wait until it is done.', {
        meta: { retryAfterSeconds: 5 },
      })
    isBusy = true
    let isGone = false
    whenGone(() => {
      isGone = true
    })
    try {
      const found: Probes = { asked: [], left: [] }
      for (const driver of fitting) {
        if (driver.provenance.probing === 'motor' && !mayMove) {
          found.left.push(driver.name)
          continue
        }
        if (isGone) break
        const { openWire, clock } = access.workshop
        const open = (baudRate: number, signal: AbortSignal) => openWire(path, { baudRate, signal })
        const probed = await probe(driver, open, clock)
        found.asked.push({ driver: driver.name, ...probed })
        if (probed.isThere) return { ...found, left: [] }
      }
      return found
    } finally {
      isBusy = false
    }
  }
}

async function fittingDrivers(
  access: Property & Machines,
  options: ProbeOptions,
  path: string,
): Promise<Driver[]> {
  const problem = options.addressProblem(path)
  if (problem !== null) throw new Problem('validation-failed', problem, { pointer: '/path' })
  const devices = await connectedDevices(access, options)
  const known = devices.find((each) => each.path === path || each.node === path)
  const [user] = known?.configured ?? []
  if (user) throw invalidValue('/path', `${user.name} already uses ${path}.`)
  const names = known?.candidates.map(({ driver }) => driver)
  const fitting = options.drivers.filter(
    (driver) =>
      driver.joins === undefined &&
      (names ? names.includes(driver.name) : reachProblem(driver, path) === null),
  )
  const moves = ({ provenance }: Driver) => Number(provenance.probing === 'motor')
  return fitting.toSorted((one, other) => moves(one) - moves(other))
}
