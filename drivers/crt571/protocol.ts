import type { MotionName } from '../../src/devices/driving/dispenser.ts'
import { antennaCommands } from './antenna-protocol.ts'

/**
 * The rules for a command that failed. `resend`: it may be sent again when no ACK arrives. `repeat`: it may be sent again
 * even after its ACK. `acts`: it may have moved or written a card once its bytes were sent. `endsField`: the antenna loses
 * its card.
 *
 * Contrary to the manual, a motion is not sent again when its ACK is missing: only the ACK may have been lost, and a second
 * move from an empty path would feed a second card. An initialisation may be repeated without harm, and the machine may
 * miss the first one, by which it detects its baud rate.
 */
export const rules = {
  query: { resend: true, repeat: true, acts: false, endsField: false },
  reset: { resend: true, repeat: false, acts: true, endsField: true },
  motion: { resend: false, repeat: false, acts: true, endsField: true },
  write: { resend: false, repeat: false, acts: true, endsField: false },
} as const

/** The durations on a healthy line, in milliseconds, and the numbers of attempts. */
export const limits = {
  /** From the last byte of a command to its ACK, and from EOT to EOT. */
  ackMs: 300,
  /** The longest silence inside one frame. */
  gapMs: 100,
  /** Silence that ends a conversation: after an EOT the machine answered, and after one it did not. */
  quietMs: 100,
  longQuietMs: 2_000,
  settleMs: 8_000,
  /** The pause between readings of the sensors while they do not yet confirm a reply. */
  lookMs: 300,
  looks: 3,
  sends: 3,
  naks: 2,
} as const

/** st0. */
type CardByte = '0' | '1' | '2'

export interface Crt571Command {
  cm: number
  pm: number
  /** The second byte of the data, where it distinguishes commands of the same CM and PM. */
  ins?: number
  /** The effect of a positive reply on the antenna's field: `on`: a card was selected; `off`: no card is selected. */
  field?: 'on' | 'off'
  kind: keyof typeof rules
  /** From the command to its reply. */
  withinMs: number
}

/**
 * `arrives`: the values that st0 must show afterwards, the most certain first. `proof`: whether the sensors alone can
 * prove the motion.
 */
interface Motion extends Crt571Command {
  kind: 'motion'
  arrives: readonly [CardByte, ...CardByte[]]
  proof: 'sensors' | 'reply'
}

const query = { kind: 'query', withinMs: 2_000 } as const
const reset = { kind: 'reset', withinMs: 30_000 } as const
const motion = { kind: 'motion', withinMs: 15_000, proof: 'sensors' } as const

/**
 * The TEXT of commands and replies, in hexadecimal, without the frame. `st` is the three status characters of every
 * positive reply.
 */
const standard = {
  // > 43 30 30           < 50 30 30 st firmware      a card inside goes to the gate; clears errors, entry off
  'initialise-hold': { cm: 0x30, pm: 0x30, ...reset },
  // > 43 30 31           < 50 30 31 st firmware      a card inside is captured
  'initialise-capture': { cm: 0x30, pm: 0x31, ...reset },
  // > 43 30 33           < 50 30 33 st firmware      a card inside stays where it is
  'initialise-leave': { cm: 0x30, pm: 0x33, ...reset },
  // > 43 30 34 35 37     < the same                  as the three above, and the machine counts captured cards
  'initialise-hold-counting': { cm: 0x30, pm: 0x34, ...reset },
  'initialise-capture-counting': { cm: 0x30, pm: 0x35, ...reset },
  'initialise-leave-counting': { cm: 0x30, pm: 0x37, ...reset },
  // > 43 31 30           < 50 31 30 st
  status: { cm: 0x31, pm: 0x30, ...query },
  // > 43 31 31           < 50 31 31 st sensors       30 free, 31 a card; 8 to 17 of them
  sensors: { cm: 0x31, pm: 0x31, ...query },
  // > 43 32 30           < 50 32 30 st               to the gate, held; feeds when the path is empty
  'move-front': { cm: 0x32, pm: 0x30, ...motion, arrives: ['1'] },
  // > 43 32 31           < 50 32 31 st               to the contacts; feeds when the path is empty
  'move-chip': { cm: 0x32, pm: 0x31, ...motion, arrives: ['2'] },
  // > 43 32 32           < 50 32 32 st               to the antenna; feeds when the path is empty
  'move-encoder': { cm: 0x32, pm: 0x32, ...motion, arrives: ['2'] },
  // > 43 32 33           < 50 32 33 st               to the bin; st0 is the same when a guest pulls the card out
  'move-capture': { cm: 0x32, pm: 0x33, ...motion, arrives: ['0'], proof: 'reply' },
  // > 43 32 39           < 50 32 39 st               out of the gate; the card may still lie in the mouth
  'move-eject': { cm: 0x32, pm: 0x39, ...motion, arrives: ['0', '1'] },
  // > 43 33 30           < 50 33 30 st
  'entry-on': { cm: 0x33, pm: 0x30, ...query },
  // > 43 33 31           < 50 33 31 st
  'entry-off': { cm: 0x33, pm: 0x31, ...query },
  // > 43 A2 30           < 50 A2 30 st length ascii
  serial: { cm: 0xa2, pm: 0x30, ...query },
  // > 43 A3 30           < 50 A3 30 st ascii         letters without a published meaning
  configuration: { cm: 0xa3, pm: 0x30, ...query },
  // > 43 A4 30           < 50 A4 30 st ascii
  version: { cm: 0xa4, pm: 0x30, ...query },
  // > 43 DC 31           < 50 DC 31 st ascii         older than A4
  firmware: { cm: 0xdc, pm: 0x31, ...query },
  // > 43 A5 30           < 50 A5 30 st ddd           three digits
  'bin-count': { cm: 0xa5, pm: 0x30, ...query },
  // > 43 A5 31 ddd       < 50 A5 31 st
  'bin-count-set': { cm: 0xa5, pm: 0x31, ...query },
  ...antennaCommands,
} as const satisfies Record<string, Crt571Command | Motion>

/** The F3's light: bits 7 and 6 are 01 on, 10 blinking; bits 5 to 0 its period in tenths of a second. */
const light = {
  // > 43 31 60 bits      < 50 31 60 st
  light: { cm: 0x31, pm: 0x60, ...query },
} as const

export type Crt571CommandName = keyof typeof standard | keyof typeof light | MotionName
type Optional = 'move-chip' | 'move-eject' | 'move-stacker'

/** The commands of one model. A name without a row is not supported by the model. */
export type CommandTable = Record<Exclude<Crt571CommandName, MotionName | 'light'>, Crt571Command> &
  Record<Exclude<MotionName, Optional>, Motion> &
  Partial<Record<Optional, Motion>> &
  Partial<Record<'light', Crt571Command>>

interface Profile {
  commands: CommandTable
  /** The value of st2 for a full bin. Any value but '0' counts as full. */
  binFull: string
  /** Firmware versions of machines that need another table: these commands mean something else to them. */
  foreign: RegExp
}

const { 'move-chip': _chip, 'move-eject': _eject, ...shared } = standard

/**
 * The CRT-591-(R02)HB-HDN uses other numbers for the same moves: 39 goes to its bin, 33 does nothing, 31 is not a
 * station.
 */
const hbHdn: CommandTable = {
  ...shared,
  'move-encoder': { ...standard['move-encoder'], pm: 0x34 },
  'move-capture': { ...standard['move-capture'], pm: 0x39 },
  'entry-on': { ...standard['entry-on'], pm: 0x32 },
  'entry-off': { ...standard['entry-off'], pm: 0x30 },
}

const hbHdnVersion = /_R02_/
const standardVersion = /_M0\d\d_|_MR\d\d_|QU-TK-F3/

/** The profiles, by the model's name in a device configuration. */
export const profiles = {
  crt571: { commands: standard, binFull: '1', foreign: hbHdnVersion },
  crt591: { commands: standard, binFull: '1', foreign: hbHdnVersion },
  'qu-tk-f3': { commands: { ...standard, ...light }, binFull: '1', foreign: hbHdnVersion },
  'hb-hdn': { commands: hbHdn, binFull: '2', foreign: standardVersion },
} as const satisfies Record<string, Profile>

/** The suffix of a model's name that names its antenna. */
export const antennaSuffix = '-rf'

/** The profile of a model, or of its antenna. An unknown name has the standard profile. */
export function profileOf(word: string): Profile {
  const model = word.endsWith(antennaSuffix) ? word.slice(0, -antennaSuffix.length) : word
  return Object.hasOwn(profiles, model) ? profiles[model as keyof typeof profiles] : profiles.crt571
}

/** The name of a command in this table; null for an unknown command. */
export function commandNamed(
  table: CommandTable,
  { cm, pm, data }: { cm: number; pm: number; data: Uint8Array },
): Crt571CommandName | null {
  const rows = Object.entries(table) as [Crt571CommandName, Crt571Command][]
  const [name] =
    rows.find(([, row]) => row.cm === cm && row.pm === pm && (row.ins ?? data[1]) === data[1]) ?? []
  return name ?? null
}
