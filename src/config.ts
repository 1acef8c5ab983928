import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the appliance is told at its start; everything else lies in its store. */
export interface Config {
  host: string
  port: number
  /** The folder of the database and the key that seals secrets. */
  data: string
  /** Loads the sample property into an empty store, on simulated devices. */
  sample: boolean
  /** Files with certificate chain and key, PEM. Required beyond this machine. */
  tls: { cert: string; key: string } | null
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/** What is wrong with the configuration, in one sentence with what was expected. */
export class ConfigRefused extends Error {}

export const defaults: Config = {
  host: '127.0.0.1',
  port: 8080,
  data: './data',
  sample: true,
  tls: null,
  logLevel: 'warn',
}

/**
 * The configuration: the defaults, then `nightporter.json` in the data folder, then what the command line says. Throws
 * ConfigRefused for an unknown setting or a value that cannot be.
 */
export function readConfig(given: Partial<Config>): Config {
  const data = given.data ?? defaults.data
  const config = { ...defaults, ...fileIn(data), ...given, data }
  if (!Number.isInteger(config.port) || config.port < 0 || config.port > 65_535) {
    throw new ConfigRefused(`port: expected a number from 0 to 65535, not ${config.port}.`)
  }
  return config
}

/** `HOST:PORT`, with an IPv6 address in brackets. */
export function readListen(text: string): Pick<Config, 'host' | 'port'> {
  const [, host = '', port = ''] = /^(?:\[?([^\]]*?)\]?:)?(\d{1,5})$/.exec(text) ?? []
  if (port === '') throw new ConfigRefused(`--listen: expected HOST:PORT, not ${text}.`)
  return { host: host || defaults.host, port: Number(port) }
}

const forms: Record<keyof Config, (value: unknown) => boolean> = {
  host: (value) => typeof value === 'string' && value !== '',
  port: (value) => typeof value === 'number',
  data: () => false,
  sample: (value) => typeof value === 'boolean',
  tls: (value) => value === null || (typeof value === 'object' && 'cert' in value && 'key' in value),
  logLevel: (value) => ['debug', 'info', 'warn', 'error', 'silent'].includes(String(value)),
}

function fileIn(data: string): Partial<Config> {
  const path = join(data, 'nightporter.json')
  if (!existsSync(path)) return {}
  const file = parsed(path)
  for (const [name, value] of Object.entries(file)) {
    const fits = Object.hasOwn(forms, name) ? forms[name as keyof Config] : undefined
    if (!fits)
      throw new ConfigRefused(
        `${path}: ${name} is not a setting; there are host, port, sample, tls, logLevel.`,
      )
    if (!fits(value)) throw new ConfigRefused(`${path}: ${name} cannot be ${JSON.stringify(value)}.`)
  }
  return file
}

function parsed(path: string): Partial<Config> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch (error) {
    throw new ConfigRefused(`${path} cannot be read: ${(error as Error).message}`)
  }
  throw new ConfigRefused(`${path}: expected a JSON object.`)
}
