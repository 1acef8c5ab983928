import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { resources } from '../../composition/api.ts'
import { type Lock, lockOfDoor, unitOfCard } from '../../composition/locks-of-doors.ts'
import { systemClock } from '../../host/clock.ts'
import { dataFiles } from '../../host/files/data-files.ts'
import { openVault, VaultRefused } from '../../host/vault.ts'
import type { Reader } from '../../resource/keeper.ts'
import { openReader, StoreRefused } from '../../store/connection.ts'
import { reader } from '../../store/reader.ts'
import { noScans } from '../../store/scan/scans.ts'
import { CommandFailed } from '../exit-codes.ts'

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
    timeZone: whole(() => timeZoneOf(read)),
    /** Returns the name of the unit of the card's live key, or else of its last key; null for an unknown card. */
    unitOfCard: (uid: string): string | null => whole(() => unitOfCard(read, uid)),
    /** Returns the lock of a door. Throws CommandFailed `missing`. */
    lock: (doorName: string): Lock =>
      whole(() => existing(doorName, lockOfDoor(read, doorName, vault.unseal))),
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

function timeZoneOf(read: Reader): string {
  const [row] = read.rows(resources.get('settings')!, { filters: [], sort: [], page: { size: 1 } })
  return (row as Record<string, unknown>).timeZone as string
}

function existing(name: string, lock: Lock | null): Lock {
  if (lock) return lock
  throw new CommandFailed('missing', `No lock system of this property has a door ${name}.`)
}
