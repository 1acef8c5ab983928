import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isObject, type SettingForm, wrongSettings } from '../resource/setting-forms.ts'

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
export const updateForms = {
  from: [
    (value) => value === null || (typeof value === 'string' && /^https?:\/\/\S+$/.test(value)),
    'an http or https URL, or null',
  ],
  folder: [
    (value) => value === null || (typeof value === 'string' && value.startsWith('/')),
    'an absolute path, or null',
  ],
  channel: [
    (value) => (channelNames as readonly unknown[]).includes(value),
    `one of ${channelNames.join(', ')}`,
  ],
  keys: [
    (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
    'a list of texts',
  ],
  window: [
    (value) => typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/.test(value),
    'HH:MM-HH:MM',
  ],
  automatic: [
    (value) => value === 'none' || value === 'security' || value === 'all',
    'one of none, security, all',
  ],
  kilobytesPerSecond: [
    (value) => value === null || (Number.isInteger(value) && Number(value) > 0),
    'a whole number from 1, or null',
  ],
} satisfies { [Name in keyof UpdateSettings]: SettingForm }

/** Returns whether a value contains only valid settings of updates. */
function areUpdateSettings(value: unknown): value is Partial<UpdateSettings> {
  return isObject(value) && wrongSettings(value, updateForms).length === 0
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
