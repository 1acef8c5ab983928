import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { defaultLimits, policies, type Quota, type RateLimits } from './auth/rate-limits.ts'
import type { BackupSettings } from './backup/backups.ts'
import { dataFiles } from './host/data-files.ts'
import { isZone } from './host/zone.ts'
import { hintFor } from './resource/nearest.ts'
import { isCountry } from './resource/values/country.ts'
import { areUpdateSettings, type UpdateSettings } from './update/update-settings.ts'

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
 * the command line. Throws ConfigRefused for an unknown setting or an invalid value.
 */
export function readConfig(given: Partial<Config>): Config {
  const data = given.data ?? defaults.data
  const config = { ...defaults, ...fileIn(data), ...given, data }
  if (!Number.isInteger(config.port) || config.port < 0 || config.port > 65_535) {
    throw new ConfigRefused(`port: expected a number from 0 to 65535, not ${config.port}.`)
  }
  for (const name of ['timeZone', 'country'] as const) {
    const [fits, expected] = forms[name] ?? []
    const value = config[name]
    if (value !== null && fits && !fits(value))
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

/** For each setting in the file: the check of its value, and what the error says was expected. */
const forms: Partial<Record<keyof Config, [fits: (value: unknown) => boolean, expected: string]>> = {
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
  rateLimits: [
    (value) =>
      isObject(value) && Object.entries(value).every(([name, each]) => isPolicy(name) && isQuota(each)),
    `${policies.join(', ')}, each with quota (from 1) and seconds (1 to 3600)`,
  ],
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
  backup: [
    isBackup,
    'folder and copyTo (absolute paths, or null), at (HH:MM), daily, weekly and monthly (1 to 400 backups), megabytes (16 to 10000000)',
  ],
  update: [
    areUpdateSettings,
    'from (an http or https URL, or null), folder (an absolute path, or null), channel (stable, beta, hold), keys (a list of texts), window (HH:MM-HH:MM), automatic (none, security, all), kilobytesPerSecond (a whole number, or null)',
  ],
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const backupForms: { [Name in keyof BackupSettings]: (value: unknown) => boolean } = {
  folder: isFolder,
  copyTo: isFolder,
  at: (value) => typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value),
  daily: isCount(1, 400),
  weekly: isCount(1, 400),
  monthly: isCount(1, 400),
  megabytes: isCount(16, 10_000_000),
}

function isBackup(value: unknown): boolean {
  const fits = (name: string, each: unknown) =>
    Object.hasOwn(backupForms, name) && backupForms[name as keyof BackupSettings](each)
  return isObject(value) && Object.entries(value).every(([name, each]) => fits(name, each))
}

/** An absolute path, so that its meaning does not depend on the working directory. */
function isFolder(value: unknown): boolean {
  return value === null || (typeof value === 'string' && isAbsolute(value))
}

function isCount(least: number, most: number) {
  return (value: unknown) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most
}

function isPolicy(name: string): boolean {
  return (policies as readonly string[]).includes(name)
}

const quotaMembers: Record<string, number> = { quota: 1_000_000_000, seconds: 3_600 }

function isQuota(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.entries(value).every(([name, number]) => {
      const most = Object.hasOwn(quotaMembers, name) ? quotaMembers[name] : undefined
      return most !== undefined && Number.isInteger(number) && Number(number) >= 1 && Number(number) <= most
    })
  )
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
  for (const [name, value] of Object.entries(file)) {
    const form = Object.hasOwn(forms, name) ? forms[name as keyof Config] : undefined
    if (!form) {
      const known = Object.keys(forms)
      throw new ConfigRefused(
        `${path}: ${name} is not a setting; there are ${known.join(', ')}.${hintFor(name, known)}`,
      )
    }
    const [fits, expected] = form
    if (!fits(value))
      throw new ConfigRefused(`${path}: ${name} cannot be ${JSON.stringify(value)}; expected ${expected}.`)
  }
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
