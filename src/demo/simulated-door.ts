import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import hkr1 from '../../drivers/hkr1/driver.ts'
import { settingsOf } from '../../drivers/hkr1/settings.ts'
import { type DoorMemory, door } from '../../drivers/hkr1/simulator/door.ts'
import { makeFolders } from '../host/files/make-folders.ts'
import { type CardImage, cardFromImage } from '../simulators/devices/simulated-card.ts'

/** The setup of a simulated door: the lock system, the position of the door, and the memory of its lock. */
export interface DoorProgram {
  /** The lock system's driver, with the connection and the credentials of its provider. */
  driver: string
  connection: Record<string, unknown>
  credentials: Record<string, unknown>
  /** A unit by its lock code, or a common door by its name. */
  where: { lock: string } | { commonDoor: string }
  /** The memory of the lock from its previous use; null for a new lock. */
  memory: unknown
}

interface SimulatedDoor {
  /** Presents a card, given as its JSON image. Throws a RangeError or SyntaxError for an invalid image. */
  present(image: unknown, nowMs: number): { opens: boolean; reason: string }
  /** Plain JSON, updated by each card. */
  readonly memory: unknown
}

/** Creates a door of the property; null when the driver's locks cannot be simulated. */
export function simulatedDoor(program: DoorProgram): SimulatedDoor | null {
  const { driver, connection, credentials, where, memory } = program
  if (driver !== hkr1.name) return null
  const { site, keys, master, sector, application, commonDoors } = settingsOf(connection, credentials)
  const common = 'commonDoor' in where
  const lock = door({
    site,
    keys,
    master,
    sector,
    application,
    lock: common ? 0 : Number(where.lock),
    commonDoor: common ? (commonDoors.get(where.commonDoor) ?? null) : null,
    ...(memory !== null && { memory: memory as DoorMemory }),
  })
  return {
    present: (image, nowMs) => lock.present(cardFromImage(image as CardImage), nowMs),
    memory: lock.memory,
  }
}

/**
 * Creates a door of the property that keeps its memory in a file, as a lock does: a newer key invalidates the older
 * ones. Null when the driver's locks cannot be simulated. `present` throws for an invalid image, and when the file cannot
 * be read.
 */
export function rememberingDoor(
  program: Omit<DoorProgram, 'memory'>,
  path: string,
): Pick<SimulatedDoor, 'present'> | null {
  const door = simulatedDoor({ ...program, memory: remembered(path) })
  if (!door) return null
  return {
    present(image, nowMs) {
      const answer = door.present(image, nowMs)
      if (answer.opens) remember(path, door.memory)
      return answer
    },
  }
}

function remembered(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Writes the file atomically. A door that lost its memory would accept an older key. */
function remember(path: string, memory: unknown): void {
  makeFolders(dirname(path))
  writeFileSync(`${path}.new`, `${JSON.stringify(memory)}\n`)
  renameSync(`${path}.new`, path)
}
