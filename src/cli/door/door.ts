import { join } from 'node:path'
import type { Lock } from '../../composition/locks-of-doors.ts'
import { rememberingDoor } from '../../demo/simulated-door.ts'
import { systemClock } from '../../host/clock.ts'
import { dataFiles } from '../../host/files/data-files.ts'
import { localDate, localInstant } from '../../host/zone.ts'
import { CommandFailed } from '../exit-codes.ts'
import { type Card, cardIn, newestCard } from './card-file.ts'
import { openPropertyOnDisk } from './property-on-disk.ts'

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

function tryDoor(lock: Lock, folder: string, { path, uid, image }: Card, now: number): boolean {
  const door = doorOf(lock, join(folder, `${lock.file}.json`))
  if (!door) throw new CommandFailed('missing', `The locks of ${lock.provider} have no simulated door.`)
  const { opens, reason } = present(door, { path, image }, now)
  console.log(`Door ${lock.name}, card ${uid}: ${opens ? 'opens' : 'stays shut'} (${reason}).`)
  return opens
}

function doorOf(lock: Lock, path: string) {
  try {
    return rememberingDoor(lock, path)
  } catch (error) {
    const { message } = error as Error
    throw new CommandFailed('data', `The stored state of the simulated door cannot be read: ${message}.`)
  }
}

function present(
  door: NonNullable<ReturnType<typeof rememberingDoor>>,
  { path, image }: Pick<Card, 'path' | 'image'>,
  now: number,
) {
  try {
    return door.present(image, now)
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError || error instanceof TypeError) {
      throw new CommandFailed('data', `${path} is not a card file: ${error.message}.`)
    }
    throw error
  }
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
