import { statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Clock, systemClock } from '../../host/clock.ts'

/** The folders of the USB stick of a box. Tests use others. */
export interface StickPlaces {
  /** The read-only mount of the stick while it is plugged in. */
  readOnly: string
  /** The writable mount of the same stick, which root makes at the request of the daemon. */
  writable: string
  /** The folder that systemd made for the service; undefined without the image of a box. */
  runtime: string | undefined
}

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
 * for any other folder and without a stick, and after ten seconds when root did not mount it. Rejects with the error of
 * the file system when the request cannot be written.
 */
export async function expectStick(
  folder: string,
  { readOnly, writable, runtime }: StickPlaces = placesOfBox,
  clock: Pick<Clock, 'monotonic' | 'sleep'> = systemClock,
): Promise<void> {
  const isOnStick = folder === writable || folder.startsWith(`${writable}/`)
  if (!isOnStick || runtime === undefined || !isMount(readOnly) || isMount(writable)) return
  writeFileSync(join(runtime, stickRequest), '')
  const until = clock.monotonic() + longestMs
  while (!isMount(writable) && clock.monotonic() < until) await clock.sleep(pauseMs)
}

/** Whether another file system begins at a path. */
function isMount(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.dev !== statSync(dirname(path)).dev
}
