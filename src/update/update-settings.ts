import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The channels. A box on `hold` gets only the versions of that channel, such as for a hotel that must not change. */
export const channelNames = ['stable', 'beta', 'hold'] as const
export type ChannelName = (typeof channelNames)[number]

/** The sources of updates, and what the box installs automatically. */
export interface UpdateSettings {
  /** The folder with `channels/`, as a URL; null without one. */
  from: string | null
  /** A folder of this machine with `channels/`, such as the mount point of USB sticks. The folder need not exist. */
  folder: string | null
  channel: ChannelName
  /** The public keys of the release, in minisign's format. */
  keys: readonly string[]
  /** When the box may restart, by the clock of the property: `HH:MM-HH:MM`. */
  window: string
  automatic: 'none' | 'security' | 'all'
  /** The fastest download; null for no limit. */
  kilobytesPerSecond: number | null
}

/** The defaults, for settings that neither the release nor the installation has. */
export const defaultUpdateSettings: UpdateSettings = {
  from: null,
  folder: null,
  channel: 'stable',
  keys: [],
  window: '02:00-05:00',
  automatic: 'security',
  kilobytesPerSecond: null,
}

/** The check of each setting, and the expected form in words. */
const forms: { [Name in keyof UpdateSettings]: (value: unknown) => boolean } = {
  from: (value) => value === null || (typeof value === 'string' && /^https?:\/\/\S+$/.test(value)),
  folder: (value) => value === null || (typeof value === 'string' && value.startsWith('/')),
  channel: (value) => (channelNames as readonly unknown[]).includes(value),
  keys: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  window: (value) =>
    typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/.test(value),
  automatic: (value) => value === 'none' || value === 'security' || value === 'all',
  kilobytesPerSecond: (value) => value === null || (Number.isInteger(value) && Number(value) > 0),
}

/** Returns whether a value contains only valid settings of updates. */
export function areUpdateSettings(value: unknown): value is Partial<UpdateSettings> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.entries(value).every(
    ([name, each]) => Object.hasOwn(forms, name) && forms[name as keyof UpdateSettings](each),
  )
}

/** Returns the settings in `update.json` beside the program; none for a program without one. */
export function settingsOfRelease(entry: URL): Partial<UpdateSettings> {
  try {
    const value: unknown = JSON.parse(readFileSync(fileURLToPath(new URL('update.json', entry)), 'utf8'))
    return areUpdateSettings(value) ? value : {}
  } catch {
    return {}
  }
}
