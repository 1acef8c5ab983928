import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The requests of the daemon for the support console. Units of the image watch for these empty files. */
const requests = { open: 'support-open', close: 'support-close' } as const

/** The folder of root's programs beside the folder that systemd made for the daemon. */
const ofRoot = (runtime: string) => join(dirname(runtime), 'nightporter-box')

/** Whether the machine runs the image of a box. `runtime` is the folder that systemd made for the daemon. */
export function isImage(runtime: string | undefined): runtime is string {
  return runtime !== undefined && existsSync(ofRoot(runtime))
}

/** Requests that root opens or closes the support console. Throws the error of the file system. */
export function requestSupport(runtime: string, action: keyof typeof requests): void {
  writeFileSync(join(runtime, requests[action]), '')
}

/** Takes back a request that root has not taken. */
export function withdrawSupport(runtime: string, action: keyof typeof requests): void {
  rmSync(join(runtime, requests[action]), { force: true })
}

/** Returns when the open support console ends, in Unix milliseconds; null when none is open. */
export function supportEndsAt(runtime: string): number | null {
  try {
    const text = readFileSync(join(ofRoot(runtime), 'support.json'), 'utf8')
    return (JSON.parse(text) as { endsAt: number }).endsAt
  } catch {
    return null
  }
}
