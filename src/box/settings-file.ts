import { isIP } from 'node:net'
import { exactZone } from '../host/zone.ts'
import { hintFor } from '../resource/nearest.ts'
import { presentCountry } from '../resource/values/country-code.ts'
import { isAddress, isTimeServer, type NetworkSettings } from './network/network-settings.ts'

/** The settings in `nightporter.txt`. A setting that the file does not contain is undefined. */
export interface BoxSettings extends NetworkSettings {
  /** The name on the network, without domain. */
  name?: string
  timeZone?: string
  /** ISO 3166-1 alpha-2, upper case. */
  country?: string
  /** Whether the firewall refuses all traffic, in both directions, that the property does not need. */
  firewall?: boolean
  /** Whether the box shows a new pairing code although it is already paired. */
  pair?: boolean
}

/** A line of the file, with its result. */
export interface Verdict {
  line: number
  text: string
  isGood: boolean
  /** The value as understood, or the expected form. */
  says: string
}

interface Setting<Value> {
  /** Returns undefined for an invalid value. */
  read(text: string): Value | undefined
  expected: string
}

type Settings = { [Name in keyof Required<BoxSettings>]: Setting<NonNullable<BoxSettings[Name]>> }

const settings: Settings = {
  name: {
    read: (text) =>
      /^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/.test(text.toLowerCase()) ? text.toLowerCase() : undefined,
    expected: 'letters, digits and hyphens, at most 32, such as nightporter-lisbon',
  },
  timeZone: {
    read: (text) => exactZone(text) ?? undefined,
    expected: 'a time zone such as Europe/Lisbon',
  },
  country: {
    read: (text) => presentCountry(text) ?? undefined,
    expected: 'a country code of two letters such as PT',
  },
  address: {
    read: (text) => (isAddress(text.toLowerCase()) ? text.toLowerCase() : undefined),
    expected: 'dhcp, or an address such as 192.168.1.10/24',
  },
  gateway: {
    read: (text) => (isIP(text) === 4 ? text : undefined),
    expected: 'an address such as 192.168.1.1',
  },
  dns: { read: listOf((each) => isIP(each) !== 0), expected: 'addresses, separated by spaces' },
  ntp: {
    read: listOf(isTimeServer),
    expected: 'names or addresses of time servers, separated by spaces',
  },
  firewall: { read: (text) => yesOrNo[text.toLowerCase()], expected: 'yes or no' },
  pair: { read: (text) => yesOrNo[text.toLowerCase()], expected: 'yes or no' },
}

const yesOrNo: Record<string, boolean> = { yes: true, no: false }
const mostLines = 200
const longestLine = 200

/**
 * Reads the hotel's file: `key = value` on each line, and remarks after `#`. It accepts files from any editor: any line
 * ends, a byte order mark, UTF-16, and quotation marks around values. An invalid line has no effect on the others.
 * Never throws.
 */
export function readSettings(file: Uint8Array): { settings: BoxSettings; verdicts: Verdict[] } {
  const found: BoxSettings = {}
  const verdicts: Verdict[] = []
  const lines = decoded(file).split(/\r\n|\r|\n/)
  for (const [index, raw] of lines.slice(0, mostLines).entries()) {
    // Control characters are removed: text on a console must not contain escape sequences.
    const text = raw
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, longestLine)
    if (text === '' || text.startsWith('#') || text.startsWith(';')) continue
    verdicts.push({ line: index + 1, text, ...takenInto(found, text) })
  }
  if (found.address?.includes('/') && !found.gateway)
    verdicts.push({
      line: 0,
      text: 'address',
      isGood: true,
      says: 'without a gateway: the box reaches its own network only',
    })
  return { settings: found, verdicts }
}

function decoded(file: Uint8Array): string {
  const [first, second] = file
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(file)
}

function takenInto(found: BoxSettings, text: string): Pick<Verdict, 'isGood' | 'says'> {
  const [, key = '', value = ''] = /^([^=:]+?)\s*[=:]\s*(.*)$/.exec(text) ?? []
  if (key === '') return { isGood: false, says: 'not understood; expected key = value' }
  const name = key.toLowerCase().replace(/[^a-z]+([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const known = Object.keys(settings).find((each) => each.toLowerCase() === name.toLowerCase())
  if (known === undefined)
    return { isGood: false, says: `not a setting; there are ${names().join(', ')}.${hintFor(key, names())}` }
  const setting = settings[known as keyof BoxSettings] as Setting<string>
  const read = setting.read(unquoted(value))
  if (read === undefined) return { isGood: false, says: `expected ${setting.expected}` }
  const isAgain = known in found
  Object.assign(found, { [known]: read })
  return { isGood: true, says: isAgain ? 'taken in the place of the line above' : 'taken' }
}

/** The names as in the file: `time-zone` for `timeZone`. */
function names(): string[] {
  return Object.keys(settings).map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
}

function unquoted(value: string): string {
  return (
    /^["'\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019](.*)["'\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019]$/
      .exec(value)?.[1]
      ?.trim() ?? value
  )
}

function listOf(fits: (each: string) => boolean) {
  return (text: string) => {
    const all = text.split(/[\s,]+/).filter(Boolean)
    return all.length > 0 && all.length <= 4 && all.every(fits) ? all : undefined
  }
}
