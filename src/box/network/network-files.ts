import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { renameDurably, syncPath } from '../../host/files/durable.ts'
import { makeFolders } from '../../host/files/make-folders.ts'
import { type NetworkSettings, networkSettingsOf } from './network-settings.ts'

/** The paths of the network's files. Tests use another root. */
export interface NetworkPlaces {
  /** The data folder of the daemon. */
  data: string
  /** The folder for the box's persistent state, which only root writes. */
  kept: string
  root?: string
}

/** The duration of a trial. */
export const trialMs = 120_000

export const networkFiles = {
  /** In the data folder: the change that the daemon requests, as JSON. */
  wanted: 'network/wanted.json',
  /** In the data folder: the id of the trial that a person confirmed. */
  confirmed: 'network/confirmed',
  /** In root's persistent folder: the confirmed change, as JSON. */
  kept: 'network.json',
  /** Below the root: the unit of systemd-networkd, and the file that the daemon reads. Both are deleted by a boot. */
  unit: 'run/systemd/network/10-wired.network',
  state: 'run/nightporter-box/network.json',
} as const

/** The state of the network that root's programs write for the daemon. */
export interface NetworkState {
  /** The settings in force. */
  settings: NetworkSettings
  /** The settings in nightporter.txt. A confirmed change overrides them until the file changes. */
  fromFile: NetworkSettings
  /** The change on trial; null without one. */
  trial: NetworkTrial | null
  /** The result of the newest trial since the boot; null without one. */
  last: { id: string; result: 'kept' | 'undone' } | null
}

export interface NetworkTrial {
  id: string
  /** Unix milliseconds. */
  endsAt: number
  /** The settings that are restored unless the change is confirmed. */
  before: NetworkSettings
}

export interface WantedNetwork {
  id: string
  settings: NetworkSettings
}

/** Returns the state of the network; null on a machine that does not run the image of a box. */
export function readNetworkState(root = '/'): NetworkState | null {
  return jsonIn(join(root, networkFiles.state)) as NetworkState | null
}

/** The file is replaced atomically, because the daemon can read it at any moment. */
export function writeNetworkState(state: NetworkState, root = '/'): void {
  const file = join(root, networkFiles.state)
  makeFolders(dirname(file))
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o644 })
  renameDurably(`${file}.new`, file)
}

/** Writes the unit of systemd-networkd below a root. Throws the error of the system. */
export function writeNetworkUnit(unit: string, root = '/'): void {
  const file = join(root, networkFiles.unit)
  makeFolders(dirname(file))
  writeFileSync(file, unit, { mode: 0o644 })
}

/** Returns the change that the daemon requests; null for an invalid file. Root must not apply unchecked input. */
export function readWanted(data: string): WantedNetwork | null {
  const found = jsonIn(join(data, networkFiles.wanted)) as Partial<WantedNetwork> | null
  const settings = networkSettingsOf(found?.settings)
  return settings && typeof found?.id === 'string' ? { id: found.id, settings } : null
}

/** Returns the confirmed change, unless nightporter.txt has changed since the confirmation. */
export function readKept(kept: string, fromFile: NetworkSettings): NetworkSettings | null {
  const found = jsonIn(join(kept, networkFiles.kept)) as Partial<NetworkState> | null
  const isSame = JSON.stringify(found?.fromFile) === JSON.stringify(fromFile)
  return isSame ? networkSettingsOf(found?.settings) : null
}

/** Stores the settings that were confirmed, so that they last through a power cut. Throws the error of the system. */
export function writeKept(kept: string, found: Pick<NetworkState, 'settings' | 'fromFile'>): void {
  const file = join(kept, networkFiles.kept)
  makeFolders(kept)
  writeFileSync(`${file}.new`, JSON.stringify(found))
  syncPath(`${file}.new`)
  renameDurably(`${file}.new`, file)
}

function jsonIn(file: string): unknown {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
  } catch {
    return null
  }
}
