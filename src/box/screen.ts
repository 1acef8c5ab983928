import { renderUnicodeCompact } from 'uqr'
import { type LeftOut, leftOutText, urlHost } from '../host/machine/reachable.ts'
import type { Verdict } from './settings-file.ts'
import type { BoxState } from './state.ts'
import { wordsOf } from './words.ts'

/** The content of the screen of the box. */
export interface ScreenFacts {
  state: (BoxState & { isSilent: boolean }) | null
  /** The name of the machine, without domain. */
  name: string
  /** The addresses at which other devices reach it, the best one first. */
  addresses: readonly string[]
  /** Its other addresses. */
  leftOut: readonly LeftOut[]
  /** The fingerprint of its certificate authority, in groups; null before there is one. */
  fingerprint: string | null
  pairingCode: string | null
  /** The results of the lines of `nightporter.txt`; empty without the file. */
  verdicts: readonly Verdict[]
  /** When the open support console ends, in Unix milliseconds; null when none is open. */
  supportEndsAt: number | null
  /** Unix milliseconds. */
  now: number
}

const width = 78

/** Returns the lines of the screen: name, state, and the next step for an installer. */
export function screenLines(facts: ScreenFacts): string[] {
  const { state, name, addresses, leftOut, fingerprint, pairingCode, verdicts, supportEndsAt, now } = facts
  const { title, text } = wordsOf(state, now)
  const [first = `${name}.local`] = addresses
  const port = state && state.port !== 443 ? `:${state.port}` : ''
  const url = `https://${urlHost(first)}${port}/setup`
  const isOpen = state?.phase === 'running' && pairingCode !== null
  return [
    `nightporter ${state?.version ?? ''}`.trim(),
    '',
    `${title}. ${text}`,
    ...(supportEndsAt === null ? [] : ['', supportLine(supportEndsAt - now)]),
    '',
    `Name       ${name}.local`,
    `Addresses  ${addresses.length > 0 ? addresses.join(', ') : 'none yet: is the network cable in?'}`,
    ...leftOut.map((each) => `Not offered: ${leftOutText(each)}`),
    ...(isOpen ? ['', `Pairing code  ${pairingCode.replace(/(\d{4})(\d{4})/, '$1 $2')}`] : []),
    ...(isOpen && addresses.length > 0 ? ['', `Set up the hotel at ${url}`, ...qrCode(url)] : []),
    ...(fingerprint ? ['', 'Fingerprint of the certificate authority', ...fingerprint.split('\n')] : []),
    ...(verdicts.length > 0 ? ['', 'nightporter.txt', ...verdicts.map(verdictLine)] : []),
  ].flatMap(wrapped)
}

function supportLine(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000))
  return `The SUPPORT CONSOLE is open for ${minutes} more min. on the second screen: press Alt+F2, and Alt+F1 to come back. An administrator can close it on the system page.`
}

/** Light on dark, as on consoles, with the quiet zone that readers of the code need. */
function qrCode(url: string): string[] {
  return renderUnicodeCompact(url, { border: 2, ecc: 'L' }).split('\n')
}

function verdictLine({ line, text, isGood, says }: Verdict): string {
  return `${isGood ? 'ok ' : 'NO '} ${line > 0 ? `line ${line}: ` : ''}${text}${isGood && says === 'taken' ? '' : ` (${says})`}`
}

/** Wraps lines without breaking words. */
function wrapped(line: string): string[] {
  if (line.length <= width) return [line]
  const at = line.lastIndexOf(' ', width)
  if (at <= 0) return [line.slice(0, width), ...wrapped(line.slice(width))]
  return [line.slice(0, at), ...wrapped(line.slice(at + 1))]
}
