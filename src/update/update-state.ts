import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, writeDurably } from '../host/files/durable.ts'
import type { Bundle } from './channel.ts'

/** A message with its English text, for another version of the program that does not know the code. */
export interface Said {
  code: string
  values: Record<string, string | number>
  text: string
}

/**
 * The steps of an update. Until `installing` the running version is unchanged. The boot after `installed` starts a
 * trial of the new version. Any further boot ends the trial, unless the new version was confirmed.
 */
export const steps = ['downloading', 'backing-up', 'installing', 'installed', 'restarting', 'trial'] as const
export type Step = (typeof steps)[number]

/** A device that was online before the restart. */
export interface KnownDevice {
  id: string
  name: string
  /** The USB identity, `VENDOR:PRODUCT` in hexadecimal; null for a device that is not on USB. */
  usb: string | null
}

/** An update in progress. Instants are Unix milliseconds. */
export interface Job {
  id: string
  /** Null when a person installed a bundle without this program. */
  version: string | null
  from: string
  /** Who requested the update; null when the box began it automatically. */
  by: string | null
  /** Whether the box may restart only in the quiet window. */
  inWindow: boolean
  withoutBackup: boolean
  startedAt: number
  step: Step
  /** The folder or URL of the bundle, and the bundle. */
  source: string
  bundle: Bundle | null
  /** The id of the boot in which the step began. */
  bootId: string
  /** How many times the program has started during this job. */
  starts: number
  /** The slot of the trial; null before the installation. */
  slot: string | null
  devices: KnownDevice[]
  /** The conditions that the newest check of the trial found missing. */
  missing: Said[]
}

export const results = ['confirmed', 'rolled-back', 'failed'] as const

/** The newest completed update. */
export interface Ended {
  id: string
  version: string | null
  from: string
  by: string | null
  result: (typeof results)[number]
  slot: string | null
  startedAt: number
  endedAt: number
  reason: Said[]
  /** Whether the journal contains the result. */
  isNoted: boolean
}

/** The state that is kept for the next start of the program, which may be another version. */
export interface UpdateState {
  format: 1
  job: Job | null
  last: Ended | null
  /** Until when the box installs no update automatically, Unix milliseconds. */
  heldUntil: number | null
  /** By channel: the publication time of the newest file that the box has read, Unix milliseconds. */
  seen: Record<string, number>
  /** Versions that failed on this box. The box does not install them automatically again. */
  failed: string[]
}

const empty: UpdateState = { format: 1, job: null, last: null, heldUntil: null, seen: {}, failed: [] }

/** The files of updates, in a folder of their own. */
export function updateFiles(folder: string) {
  const statePath = join(folder, 'state.json')
  const trialFailed = join(folder, 'trial-failed')
  return {
    folder,
    /** Returns the path of the bundle with this digest. RAUC requires the extension `.raucb`. */
    bundleOf: (sha256: string): string => join(folder, `bundle-${sha256.slice(0, 16)}.raucb`),
    /** Returns the state. Returns an empty one without a file, and for a file that this program cannot read. */
    read(): UpdateState {
      try {
        const state = JSON.parse(readFileSync(statePath, 'utf8')) as UpdateState
        return state.format === 1 ? { ...empty, ...state } : empty
      } catch {
        return empty
      }
    },
    /** Stores the state durably. */
    write(state: UpdateState): void {
      makeFolder(folder)
      writeDurably(statePath, `${JSON.stringify(state, null, 1)}\n`)
    },
    /**
     * Asks the system to restart the box. The file names the present boot, so that a file of an earlier boot has no
     * effect.
     */
    requestRestart(bootId: string): void {
      makeFolder(folder)
      writeDurably(join(folder, 'restart'), `${bootId}\n`)
    },
    /** Returns why the system ended a trial, and deletes the file; null without a reason. */
    takeReasonOfSystem(): string | null {
      try {
        const [line = ''] = readFileSync(trialFailed, 'utf8').split('\n')
        rmSync(trialFailed, { force: true })
        return line.trim().slice(0, 500) || null
      } catch {
        return null
      }
    },
    /** Removes every bundle except the one with this digest. Makes the folder if it is missing. */
    removeBundles(except = ''): void {
      makeFolder(folder)
      for (const name of readdirSync(folder))
        if (name.endsWith('.raucb') && name !== `bundle-${except.slice(0, 16)}.raucb`)
          rmSync(join(folder, name), { force: true })
    },
  }
}

export type UpdateFiles = ReturnType<typeof updateFiles>
