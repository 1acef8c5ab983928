import type { CardLockSystem } from '../../devices/capability.ts'
import type { LockDriver } from '../../devices/driver.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { OnlineLockSystem } from '../../devices/lock-system.ts'
import type { AccessProvider } from '../resources/access-provider.ts'
import { lockClock } from './lock-clock.ts'
import { recordedAs, recordedWire } from './recorded-wire.ts'
import { listenerLog } from './refused-connection.ts'

/** An open lock system. `card`: the rights are on the card. `online`: they are in the lock system. */
export type LockSystem =
  | { kind: 'card'; system: CardLockSystem; driver: LockDriver }
  | { kind: 'online'; system: OnlineLockSystem; driver: LockDriver }

/** The open lock systems. One whose configuration has changed is opened again. */
export type LockSystems = ReturnType<typeof lockSystems>

/** Returns the lock systems; none is open at first. `zone` is the property's, for lock systems without one. */
export function lockSystems(options: Parameters<typeof listenerLog>[0], zone: () => string) {
  const { workshop } = options
  const open = new Map<string, { revision: number; opened: LockSystem }>()

  /**
   * The lock system of a provider, opened at its first use. Throws lock-system-unreachable when this build has no
   * driver for it.
   */
  function of(row: AccessProvider): LockSystem {
    const known = open.get(row.id)
    if (known?.revision === row.revision) return known.opened
    // Requests under the old configuration are still answered or fail.
    if (known?.opened.kind === 'online') void known.opened.system.close()
    const opened = openOne(row)
    open.set(row.id, { revision: row.revision, opened })
    return opened
  }

  function openOne(row: AccessProvider): LockSystem {
    const driver = workshop.lockDrivers.find(({ name }) => name === row.driver)
    if (!driver)
      throw new DeviceFault('lock-system-unreachable', `There is no lock system driver ${row.driver}.`)
    const { connection, credentials: sealed } = row
    const credentials = sealed ? JSON.parse(workshop.unseal(sealed, 'access-provider')) : {}
    if (driver.lockMode === 'offline-data-on-card')
      return { kind: 'card', system: driver.open(connection, credentials), driver }
    const clock = () => lockClock(row.clockPolicy ?? 'Local', row.timeZone ?? zone())
    const { recorder } = workshop
    const owner = { name: row.name, driver }
    const system = driver.open({
      name: row.name,
      connection,
      credentials,
      openWire: (path, options) => recordedWire(workshop, owner, path, options),
      ...(recorder && { record: recorder.texts({ ...recordedAs(owner), path: '' }) }),
      wallTime: (instant) => clock().wallTime(instant),
      instantOf: (wall, edge) => clock().instantOf(wall, edge),
      clock: workshop.clock,
      log: listenerLog(options, 'access-provider', row.id),
    })
    return { kind: 'online', system, driver }
  }

  /** The lock system of a provider whose rights are on the card. Throws unsupported-operation for another. */
  function card(row: AccessProvider): CardLockSystem {
    const found = of(row)
    if (found.kind === 'card') return found.system
    throw new DeviceFault(
      'unsupported-operation',
      `${row.name} makes its keys itself, so this appliance cannot read or write them.`,
    )
  }

  async function close(): Promise<void> {
    const systems = [...open.values()].map(({ opened }) => opened)
    await Promise.all(systems.map((each) => (each.kind === 'online' ? each.system.close() : null)))
  }

  return { of, card, close }
}
