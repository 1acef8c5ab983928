import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The state file of the daemon, for the box's page and screen, which must work when the daemon does not. */
export interface BoxState {
  /**
   * `restoring`: a backup takes the place of the data. `migrating`: the database is changed for a new version.
   * `out-of-order`: the data cannot be used.
   */
  phase: 'starting' | 'restoring' | 'migrating' | 'checking' | 'running' | 'out-of-order' | 'stopping'
  /** When the phase began, in Unix milliseconds. */
  since: number
  version: string
  /** Why the daemon cannot serve. For people, and without secrets. Empty in the other phases. */
  message: string
  /** What is wrong with the disk while the daemon runs, and what to do; null while it works. For people. */
  trouble: string | null
  /** The work on a backup that is to be restored, while the daemon runs; null without any. */
  restore: RestoreWork | null
  /** The address on which the daemon listens; `::` for all. */
  host: string
  /** The port of the daemon. */
  port: number
  /** Whether it serves TLS. */
  isSecured: boolean
}

/** The progress of the work on a backup that is to be restored. */
export interface RestoreWork {
  /** `receiving`: it is uploaded. `fetching`: it is copied from its place. Then it is unpacked and checked. */
  step: 'receiving' | 'fetching' | 'unpacking' | 'checking'
  bytes: number
  totalBytes: number
  /** The estimated remaining time of the step; null without an estimate. */
  secondsLeft: number | null
}

/** The names of the files in the folder that systemd makes for the service, `/run/nightporter`. */
export const boxFiles = {
  state: 'state.json',
  /**
   * The file with the open pairing code. Only the daemon's user and root can read it; the page of the box must not.
   */
  pairingCode: 'pairing-code',
} as const

/** Replaces the state file. Throws the error of the file system. */
export function writeState(folder: string, state: BoxState): void {
  replace(join(folder, boxFiles.state), JSON.stringify(state), 0o644)
}

/** Replaces the file with the pairing code; null removes it. */
export function writePairingCode(folder: string, code: string | null): void {
  const file = join(folder, boxFiles.pairingCode)
  if (code === null) rmSync(file, { force: true })
  else replace(file, `${code}\n`, 0o600)
}

function replace(file: string, content: string, mode: number): void {
  const next = `${file}.new`
  writeFileSync(next, content, { mode })
  // The mode is set explicitly, because the umask of the process may remove bits.
  chmodSync(next, mode)
  renameSync(next, file)
}

/** The daemon writes its state at this interval, so that a reader notices when it hangs. */
export const beatMs = 5_000
const silentAfterMs = 6 * beatMs

/**
 * Returns the state, and whether the daemon has been silent for half a minute, which means that it hangs or has ended.
 * Null before its first start.
 */
export function readState(folder: string, now: number): (BoxState & { isSilent: boolean }) | null {
  const file = join(folder, boxFiles.state)
  try {
    const state = JSON.parse(readFileSync(file, 'utf8')) as BoxState
    return { ...state, isSilent: Math.abs(now - statSync(file).mtimeMs) > silentAfterMs }
  } catch {
    return null
  }
}

/** Returns the open pairing code; null without one, or without the permission to read it. */
export function readPairingCode(folder: string): string | null {
  try {
    return readFileSync(join(folder, boxFiles.pairingCode), 'utf8').trim()
  } catch {
    return null
  }
}
