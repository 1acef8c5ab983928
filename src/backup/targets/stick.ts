import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Clock, systemClock } from '../../host/clock.ts'
import { BackupRefused } from '../backup-refused.ts'

/** The folders of the USB stick of a box. Tests use others. */
export interface StickPlaces {
  /** The read-only mount of the stick while it is plugged in. */
  readOnly: string
  /** The writable mount of the same stick, which root makes at the request of the daemon. */
  writable: string
  /** The folder that systemd made for the service; undefined without the image of a box. */
  runtime: string | undefined
}

/** The folder beside `runtime` in which root leaves the file system of each stick that it cannot mount. */
export const unusableSticks = 'nightporter-box/unusable-sticks'

/** The name of the empty file in `runtime` that requests the writable mount. A unit of the image watches it. */
export const stickRequest = 'stick-wanted'

const placesOfBox: StickPlaces = {
  readOnly: '/media/nightporter',
  writable: '/media/stick',
  runtime: process.env.RUNTIME_DIRECTORY,
}
const pauseMs = 100
const longestMs = 10_000

/**
 * Requests the writable mount of the stick when `folder` lies on it, and resolves when it is there. Resolves at once
 * for any other folder and without a stick, and after ten seconds when root did not mount it. Rejects with BackupRefused
 * for a stick with a file system that the box does not use, and with the error of the file system when the request cannot
 * be written.
 */
export async function expectStick(
  folder: string,
  { readOnly, writable, runtime }: StickPlaces = placesOfBox,
  clock: Pick<Clock, 'monotonic' | 'sleep'> = systemClock,
): Promise<void> {
  const isOnStick = folder === writable || folder.startsWith(`${writable}/`)
  if (!isOnStick || runtime === undefined) return
  expectUsableStick({ readOnly, runtime })
  if (!isMount(readOnly) || isMount(writable)) return
  writeFileSync(join(runtime, stickRequest), '')
  const until = clock.monotonic() + longestMs
  while (!isMount(writable) && clock.monotonic() < until) await clock.sleep(pauseMs)
}

/** The names of file systems as computers show them, by the names of blkid. */
const fileSystems: Readonly<Record<string, string>> = {
  ntfs: 'NTFS',
  apfs: 'APFS',
  hfs: 'HFS',
  hfsplus: 'HFS+',
  udf: 'UDF',
  crypto_LUKS: 'LUKS',
}

/**
 * Throws BackupRefused when the only stick that is plugged in is not formatted as FAT or exFAT. The message names what it
 * has. Does nothing without the image of a box.
 */
export function expectUsableStick({ readOnly, runtime }: Omit<StickPlaces, 'writable'> = placesOfBox): void {
  if (runtime === undefined || isMount(readOnly)) return
  const found = unusableIn(join(dirname(runtime), unusableSticks))
  // A stick may have an empty partition beside the one with its files.
  const type = found.find((each) => each !== '') ?? found[0]
  if (type === undefined) return
  if (type === '')
    throw new BackupRefused(
      'The USB stick in the box has no file system. Format it on a computer as exFAT or FAT32, which deletes all that is on it, or use another stick.',
    )
  throw new BackupRefused(
    `The USB stick in the box has the file system ${fileSystems[type] ?? type}, and the box uses exFAT and FAT32 only. Format it on a computer as one of these, which deletes all that is on it, or use another stick.`,
  )
}

function unusableIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .sort()
      .map((each) => readFileSync(join(folder, each), 'utf8').trim())
  } catch {
    // None is plugged in, or it is being pulled out.
    return []
  }
}

/** Whether another file system begins at a path. */
function isMount(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.dev !== statSync(dirname(path)).dev
}
