import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { defaultLimits, policies, type Quota, type RateLimits } from './auth/limits/rate-limits.ts'
import type { BackupSettings } from './backup/backups.ts'
import { dataFiles } from './host/files/data-files.ts'
import { isZone } from './host/zone.ts'
import { isObject, type SettingForm, wrongSettings } from './resource/setting-forms.ts'
import { isCountry } from './resource/values/country.ts'
import { type UpdateSettings, updateForms } from './update/update-settings.ts'

/** The settings of the program at its start. All other settings are in the store. */
export interface Config {
  host: string
  port: number
  /**
   * The port of 127.0.0.1 for programs and screens on this machine, without TLS, while other machines can reach the
   * appliance. Null opens none.
   */
  localPort: number | null
  /** A listening socket of systemd, which is used instead of host and port; null without one. No file can set it. */
  socket: number | null
  /** The folder with the database and the key that encrypts secrets. */
  data: string
  /** Loads the sample property, on simulated devices, into an empty store. */
  sample: boolean
  /**
   * The IANA time zone and the country (ISO 3166-1 alpha-2) of a new property. Later starts do not use them. Null
   * leaves them to the first start, which takes them from the machine and asks for a confirmation.
   */
  timeZone: string | null
  country: string | null
  /**
   * Makes a new property when the key or the database of the old one is missing. The remaining files are
   * renamed, not deleted.
   */
  foundAnew: boolean
  /** The PEM files of certificate chain and key. Null: the box is its own authority where other machines can reach it. */
  tls: { cert: string; key: string } | null
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** The quotas of requests. A file may set some of them, and only the quota or only the seconds of each. */
  rateLimits: RateLimits
  /**
   * Origins of web pages, such as `https://kiosk.example`, whose scripts may call the interfaces from a
   * browser.
   */
  allowedOrigins: readonly string[]
  /** The age recipient for which the support file can be encrypted; null for none. */
  supportRecipient: string | null
  /** Whom to tell of a weakness, as a URI such as `mailto:security@hotel.example`; null names the page of the handbook. */
  securityContact: string | null
  /** Who may read the metrics, with a token: programs on this machine, or in the network as well. */
  metrics: 'this-machine' | 'network'
  /** The largest size of the recorder's data on the disk; 0 records nothing. */
  recorderMegabytes: number
  /** Where backups are stored, when they are made, and how many are kept. A file may set some of it. */
  backup: BackupSettings
  /** Where updates of an image come from, and when they are installed. What is not set is as the release brings it. */
  update: Partial<UpdateSettings>
}

/** The configuration is invalid. The message says in one sentence what was expected. */
export class ConfigRefused extends Error {}

const backupDefaults: BackupSettings = {
  folder: null,
  copyTo: null,
  at: '03:30',
  daily: 7,
  weekly: 4,
  monthly: 12,
  megabytes: 2_048,
}

export const defaults: Config = {
  host: '127.0.0.1',
  port: 8080,
  localPort: 8081,
  socket: null,
  data: './data',
  sample: true,
  timeZone: null,
  country: null,
  foundAnew: false,
  tls: null,
  logLevel: 'warn',
  rateLimits: defaultLimits,
  allowedOrigins: [],
  supportRecipient: null,
  securityContact: null,
  metrics: 'this-machine',
  recorderMegabytes: 16,
  backup: backupDefaults,
  update: {},
}

/**
 * Returns the configuration: the defaults, overridden by `nightporter.json` in the data folder, overridden by
 * the command line. Throws ConfigRefused for an unknown setting or an invalid value; its message has a line for each that is wrong
 * in the file.
 */
export function readConfig(given: Partial<Config>): Config {
  const data = given.data ?? defaults.data
  const config = { ...defaults, ...fileIn(data), ...given, data }
  if (!Number.isInteger(config.port) || config.port < 0 || config.port > 65_535) {
    throw new ConfigRefused(`port: expected a number from 0 to 65535, not ${config.port}.`)
  }
  for (const name of ['timeZone', 'country'] as const) {
    const [fits, expected] = forms[name]
    const value = config[name]
    if (value !== null && !fits(value))
      throw new ConfigRefused(`${name} cannot be ${JSON.stringify(value)}; expected ${expected}.`)
  }
  // A code in the file that was accepted once must not keep an existing property from its start.
  if (given.country && !isCountry(given.country))
    throw new ConfigRefused(`country cannot be ${JSON.stringify(given.country)}; expected ${countryForm}.`)
  return config
}

/** Parses `HOST:PORT`, with an IPv6 address in brackets. Throws ConfigRefused. */
export function readListen(text: string): Pick<Config, 'host' | 'port'> {
  const [, host = '', port = ''] = /^(?:\[?([^\]]*?)\]?:)?(\d{1,5})$/.exec(text) ?? []
  if (port === '') throw new ConfigRefused(`--listen: expected HOST:PORT, not ${text}.`)
  return { host: host || defaults.host, port: Number(port) }
}

const logLevels = ['debug', 'info', 'warn', 'error', 'silent']

const zoneForm = 'an IANA time zone such as Europe/Lisbon'
const countryForm = 'a current country code of two upper-case letters such as PT'

const quotaForms = { quota: whole(1, 1_000_000_000), seconds: whole(1, 3_600) }

/** For each setting in the file: the check of its value, and what the error says was expected. */
const forms = {
  host: [(value) => typeof value === 'string' && value !== '', 'an address of this machine'],
  port: [(value) => typeof value === 'number', 'a number'],
  localPort: [
    (value) => value === null || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535),
    'a number from 0 to 65535, or null',
  ],
  sample: [(value) => typeof value === 'boolean', 'true or false'],
  timeZone: [(value) => typeof value === 'string' && isZone(value), zoneForm],
  country: [(value) => typeof value === 'string' && /^[A-Z]{2}$/.test(value), countryForm],
  tls: [
    (value) => value === null || (isObject(value) && 'cert' in value && 'key' in value),
    'null, or cert and key with the names of files',
  ],
  logLevel: [(value) => logLevels.includes(String(value)), `one of ${logLevels.join(', ')}`],
  rateLimits: Object.fromEntries(policies.map((policy) => [policy, quotaForms])),
  allowedOrigins: [
    (value) => Array.isArray(value) && value.length <= 100 && value.every(isOrigin),
    'a list of origins such as https://kiosk.example:8443',
  ],
  supportRecipient: [
    (value) => value === null || (typeof value === 'string' && /^age1[02-9ac-hj-np-z]{58}$/.test(value)),
    'null, or an age recipient (age1...)',
  ],
  securityContact: [
    (value) =>
      value === null ||
      (typeof value === 'string' && /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/.test(value)),
    'null, or a URI with mailto:, https:// or tel:',
  ],
  metrics: [(value) => value === 'this-machine' || value === 'network', 'this-machine or network'],
  recorderMegabytes: [
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 1_024,
    'whole megabytes from 0 (no recording) to 1024',
  ],
  backup: {
    folder: [isFolder, 'an absolute path, or null'],
    copyTo: [isFolder, 'an absolute path, or null'],
    at: [
      (value) => typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value),
      'HH:MM, such as 03:30',
    ],
    daily: whole(1, 400),
    weekly: whole(1, 400),
    monthly: whole(1, 400),
    megabytes: whole(16, 10_000_000),
  } satisfies { [Name in keyof BackupSettings]: SettingForm },
  update: updateForms,
} satisfies { [Name in keyof Config]?: SettingForm }

/** An absolute path, so that its meaning does not depend on the working directory. */
function isFolder(value: unknown): boolean {
  return value === null || (typeof value === 'string' && isAbsolute(value))
}

function whole(least: number, most: number): SettingForm {
  const fits = (value: unknown) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most
  return [fits, `a whole number from ${least} to ${most}`]
}

/**
 * Whether the value is an origin as a browser sends it: scheme, host and port in lower case, and nothing
 * after them.
 */
function isOrigin(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value
}

/** Completes the quotas of a file with the defaults. */
function limitsWith(given: Partial<Record<string, Partial<Quota>>>): RateLimits {
  const complete = policies.map((policy) => [policy, { ...defaultLimits[policy], ...given[policy] }])
  return Object.fromEntries(complete) as RateLimits
}

function fileIn(data: string): Partial<Config> {
  const path = join(data, dataFiles.settings)
  if (!existsSync(path)) return {}
  const file = parsed(path)
  const wrong = wrongSettings(file, forms)
  if (wrong.length > 0) throw new ConfigRefused(wrong.map((each) => `${path}: ${each}`).join('\n'))
  return {
    ...file,
    ...(file.rateLimits && { rateLimits: limitsWith(file.rateLimits) }),
    ...(file.backup && { backup: { ...backupDefaults, ...file.backup } }),
  }
}

function parsed(path: string): Partial<Config> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (isObject(value)) return value
  } catch (error) {
    throw new ConfigRefused(`${path} cannot be read: ${(error as Error).message}`)
  }
  throw new ConfigRefused(`${path}: expected a JSON object.`)
}
