import type { CardLockSystem } from '../../devices/capability.ts'
import type { LockDriver } from '../../devices/driver.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { OnlineLockSystem, Unanswered } from '../../devices/lock-system.ts'
import type { Reader } from '../../resource/keeper.ts'
import { type Filter, first, having } from '../../resource/query.ts'
import { heldKey } from '../keys/held-key.ts'
import { runOfKey } from '../keys/life/keys-on-card.ts'
import { settingsOf } from '../lookups.ts'
import { accessController } from '../resources/access-controller.ts'
import type { AccessProvider } from '../resources/access-provider.ts'
import { type KeyStatus, key } from '../resources/key.ts'
import { lineSetup, recordedAs } from './line-setup.ts'
import { lockClock } from './lock-clock.ts'

/** An open lock system. `card`: the rights are on the card. `online`: they are in the lock system. */
export type LockSystem =
  | { kind: 'card'; system: CardLockSystem; driver: LockDriver }
  | { kind: 'online'; system: OnlineLockSystem; driver: LockDriver }

type LockSystemOptions = Parameters<typeof lineSetup>[0] & { reader: Reader }

/** The open lock systems. One whose connection has changed is opened again. */
export type LockSystems = ReturnType<typeof lockSystems>

/** Returns the lock systems; none is open at first. */
export function lockSystems(options: LockSystemOptions) {
  const { workshop } = options
  const open = new Map<string, { revision: number; setup: string; opened: LockSystem }>()
  /** What the driver of each provider remembers. */
  const memories = new Map<string, { driver: string; memory: unknown }>()

  /** The lock system of a provider, opened at its first use. Throws lock-system-unreachable without a driver for it. */
  function of(row: AccessProvider): LockSystem {
    const known = open.get(row.id)
    if (known?.revision === row.revision) return known.opened
    const setup = setupOf(row)
    // Requests over an earlier connection fail. Their outcome is unknown.
    if (known?.setup !== setup) leave(row.id)
    const opened = open.get(row.id)?.opened ?? openOne(row)
    open.set(row.id, { revision: row.revision, setup, opened })
    return opened
  }

  function leave(id: string): void {
    const known = open.get(id)
    open.delete(id)
    if (known?.opened.kind === 'online') void known.opened.system.close()
  }

  /** Closes the lock systems of other providers, which were deleted. */
  function keepOnly(providerIds: readonly string[]): void {
    for (const id of [...open.keys()]) if (!providerIds.includes(id)) leave(id)
    for (const id of [...memories.keys()]) if (!providerIds.includes(id)) memories.delete(id)
  }

  function openOne(row: AccessProvider): LockSystem {
    const driver = lockDriverOf(workshop.lockDrivers, row)
    const credentials = row.credentials ? JSON.parse(workshop.unseal(row.credentials, 'access-provider')) : {}
    if (driver.lockMode === 'offline-data-on-card')
      return { kind: 'card', system: driver.open(row.connection, credentials), driver }
    const clock = () => lockClock(row.clockPolicy ?? 'Local', row.timeZone ?? settingsOf(options).timeZone)
    const { recorder } = workshop
    const system = driver.open({
      ...lineSetup(options, 'access-provider', row, driver),
      credentials,
      ...(recorder && { record: recorder.texts({ ...recordedAs(row, driver), path: '' }) }),
      wallTime: (instant) => clock().wallTime(instant),
      instantOf: (wall, edge) => clock().instantOf(wall, edge),
      // A driver asks for one kind of memory only.
      remembered<Memory>(begin: (unanswered: Unanswered[]) => Memory): Memory {
        const known = memories.get(row.id)
        if (known?.driver === row.driver) return known.memory as Memory
        const memory = begin(unansweredAt(options, row.id))
        memories.set(row.id, { driver: row.driver, memory })
        return memory
      },
    })
    return { kind: 'online', system, driver }
  }

  /** The lock system of a provider whose rights are on the card. Throws unsupported-operation for another. */
  const card = (row: AccessProvider) => cardSystem(of(row), row)

  async function close(): Promise<void> {
    const systems = [...open.values()].map(({ opened }) => opened)
    await Promise.all(systems.map((each) => (each.kind === 'online' ? each.system.close() : null)))
  }

  return { of, card, keepOnly, close }
}

function cardSystem(opened: LockSystem, { name }: AccessProvider): CardLockSystem {
  if (opened.kind === 'card') return opened.system
  throw new DeviceFault(
    'unsupported-operation',
    `${name} makes its keys itself, so this appliance cannot read or write them.`,
  )
}

/** The driver of a provider. Throws lock-system-unreachable when this build has none. */
export function lockDriverOf(drivers: readonly LockDriver[], { driver }: AccessProvider): LockDriver {
  const found = drivers.find(({ name }) => name === driver)
  if (found) return found
  throw new DeviceFault('lock-system-unreachable', `There is no lock system driver ${driver}.`)
}

/** The fields of a provider with which its lock system is opened. */
function setupOf({ name, driver, connection, credentials, clockPolicy, timeZone }: AccessProvider): string {
  return JSON.stringify([name, driver, connection, credentials, clockPolicy, timeZone])
}

/** No lock system answers later. */
const longestMs = 300_000
/** More requests than a lock system has encoders. */
const most = 100

/** The statuses of keys whose request may have no answer. The encoder knows nothing of a revocation since then. */
const statuses = [
  'pendingWrite',
  'unknown',
  'blocked',
  'revocationPending',
  'invalidated',
  'removed',
] as const satisfies KeyStatus[]

/** The requests for keys of a provider that have no known outcome, and whose answers may still come. */
function unansweredAt({ reader, workshop }: LockSystemOptions, providerId: string): Unanswered[] {
  const now = workshop.clock.now()
  const recent: Filter = { path: 'createdAt', operator: 'gt', value: now - longestMs }
  return statuses
    .flatMap((status) => reader.rows(key, first([...having({ providerId, status }), recent], most)))
    .filter(({ id }) => !isConfirmed(reader, id))
    .map((row) => {
      const controller = row.controllerId ? reader.row(accessController, row.controllerId) : null
      const { grant } = heldKey(workshop, row, controller)
      return { grant, agoMs: Math.max(0, now - row.updatedAt) }
    })
}

/** Whether the lock system has confirmed that it made the card of the key. */
function isConfirmed(reader: Reader, keyId: string): boolean {
  const { step, ending, presentedAt = null } = runOfKey({ reader }, keyId) ?? {}
  return step === 'verified' || ending === 'handed' || presentedAt !== null
}
