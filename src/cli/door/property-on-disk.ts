import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { resources } from '../../api.ts'
import type { DoorProgram } from '../../demo/simulated-door.ts'
import { systemClock } from '../../host/clock.ts'
import { dataFiles } from '../../host/data-files.ts'
import { openVault, type Vault, VaultRefused } from '../../host/vault.ts'
import type { Reader } from '../../resource/keeper.ts'
import type { Filter } from '../../resource/query.ts'
import { openReader, StoreRefused } from '../../store/connection.ts'
import { reader } from '../../store/reader.ts'
import { noScans } from '../../store/scan/scans.ts'
import { CommandFailed } from '../exit-codes.ts'

/** A lock as the property configures it. */
export interface Lock extends Omit<DoorProgram, 'memory'> {
  name: string
  /** The name of its lock system. */
  provider: string
  /** The name of the file with its simulated memory. */
  file: string
}

interface Provider {
  name: string
  driver: string
  connection: Record<string, unknown> & { commonDoors?: Record<string, number> }
  credentials: string | null
  unitMapping: { unitName: string; externalCode: string }[] | null
}

/** Opens the data folder for reading, whether the appliance runs or not. Throws CommandFailed `missing` or `data`. */
export function openPropertyOnDisk(data: string) {
  const [database, secret] = [join(data, dataFiles.database), join(data, dataFiles.key)]
  for (const path of [database, secret]) {
    if (!existsSync(path))
      throw new CommandFailed('missing', `${path} does not exist. Is ${data} the data folder?`)
  }
  const connection = whole(() => openReader(database))
  const read = reader(connection, resources, { version: () => 0, clock: systemClock, scans: noScans })
  const vault = whole(() => openVault(secret))
  return {
    timeZone: whole(() => rows<{ timeZone: string }>(read, 'settings'))[0]!.timeZone,
    /** Returns the name of the unit of the card's live key, or else of its last key; null for an unknown card. */
    unitOfCard: (uid: string): string | null => whole(() => unitOf(read, uid)),
    /** Returns the lock of a door. Throws CommandFailed `missing`. */
    lock: (doorName: string): Lock =>
      whole(() => lockOf(rows<Provider>(read, 'access-provider'), doorName, vault)),
    close: () => connection.close(),
  }
}

function whole<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof StoreRefused || error instanceof VaultRefused)
      throw new CommandFailed('data', error.message)
    const { code, message } = error as NodeJS.ErrnoException
    if (code?.startsWith('SQLITE_'))
      throw new CommandFailed('data', `The database cannot be read: ${message}.`)
    throw error
  }
}

function rows<R>(read: Reader, type: string, filters: Filter[] = []): R[] {
  const query = { filters, sort: [], page: { size: 1_000 } }
  return read.rows(resources.get(type)!, query) as unknown[] as R[]
}

function unitOf(read: Reader, uid: string): string | null {
  const keys = rows<{ unitName: string; status: string }>(read, 'key', [
    { path: 'uid', operator: 'eq', value: uid.toUpperCase() },
  ])
  const found = keys.findLast(({ status }) => status === 'live') ?? keys.at(-1)
  return found?.unitName ?? null
}

function lockOf(providers: Provider[], name: string, vault: Vault): Lock {
  for (const { name: provider, driver, connection, credentials, unitMapping } of providers) {
    const lock = (unitMapping ?? []).find(({ unitName }) => unitName === name)?.externalCode
    const bit = connection.commonDoors?.[name]
    if (lock === undefined && bit === undefined) continue
    const opened = credentials === null ? '{}' : vault.unseal(credentials, 'access-provider')
    return {
      name,
      provider,
      driver,
      connection,
      credentials: JSON.parse(opened) as Record<string, unknown>,
      where: lock === undefined ? { commonDoor: name } : { lock },
      file: lock ?? `common-${bit}`,
    }
  }
  throw new CommandFailed('missing', `No lock system of this property has a door ${name}.`)
}
