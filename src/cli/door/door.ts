import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { simulatedDoor } from '../../demo/simulated-door.ts'
import { systemClock } from '../../host/clock.ts'
import { dataFiles } from '../../host/data-files.ts'
import { localDate, localInstant } from '../../host/zone.ts'
import { CommandFailed } from '../exit-codes.ts'
import { type Card, cardIn, newestCard } from './card-file.ts'
import { type Lock, openPropertyOnDisk } from './property-on-disk.ts'

export interface PresentOptions {
  card?: string
  data: string
  at?: string
}

/**
 * Presents a card to a simulated door and prints the result in one line. Returns true when the door opened. The door
 * keeps its memory in a file, as a lock does: a newer key invalidates the older ones.
 */
export function presentCard(name: string | undefined, { card: file, data, at }: PresentOptions): boolean {
  const card = file === undefined ? newestCard(join(data, dataFiles.pocket)) : cardIn(file)
  const house = openPropertyOnDisk(data)
  try {
    const doorName = name ?? house.unitOfCard(card.uid)
    if (doorName === null) {
      throw new CommandFailed('missing', `No key is known for the card ${card.uid}. Name the door.`)
    }
    const now = at === undefined ? systemClock.now() : instantOf(at, house.timeZone)
    return tryDoor(house.lock(doorName), join(data, dataFiles.doors), card, now)
  } finally {
    house.close()
  }
}

function tryDoor(lock: Lock, folder: string, card: Card, now: number): boolean {
  const path = join(folder, `${lock.file}.json`)
  const door = simulatedDoor({ ...lock, memory: remembered(path) })
  if (!door) throw new CommandFailed('missing', `The locks of ${lock.provider} have no simulated door.`)
  const { opens, reason } = present(door, card, now)
  if (opens) remember(path, door.memory)
  console.log(`Door ${lock.name}, card ${card.uid}: ${opens ? 'opens' : 'stays shut'} (${reason}).`)
  return opens
}

function present(door: NonNullable<ReturnType<typeof simulatedDoor>>, card: Card, now: number) {
  try {
    return door.present(card.image, now)
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError || error instanceof TypeError) {
      throw new CommandFailed('data', `${card.path} is not a card file: ${error.message}.`)
    }
    throw error
  }
}

function remembered(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new CommandFailed(
      'data',
      `The stored state of the simulated door cannot be read: ${(error as Error).message}.`,
    )
  }
}

/** Writes the file atomically. A door that lost its memory would accept an older key. */
function remember(path: string, memory: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, `${JSON.stringify(memory)}\n`)
  renameSync(`${path}.new`, path)
}

/** Parses `16:00` (today) and `2026-06-02 16:00` in the property's time zone, or an instant with its offset. */
function instantOf(text: string, zone: string): number {
  const [, date, time] = /^(?:(\d{4}-\d\d-\d\d)[T ])?(\d\d:\d\d)$/.exec(text) ?? []
  try {
    if (time) return localInstant(date ?? localDate(systemClock.now(), zone), time, zone, 'start')
    return Temporal.Instant.from(text).epochMilliseconds
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new CommandFailed(
      'usage',
      `--at: expected 16:00, 2026-06-02T16:00 or an instant with offset, not ${text}.`,
    )
  }
}
