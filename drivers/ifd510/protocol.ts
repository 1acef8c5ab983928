import { all, first, none, uidAt } from '../../src/devices/driving/kept-bytes.ts'
import type { ReaderCommand } from '../../src/devices/driving/reader-link.ts'
import type { FaultCode } from '../../src/devices/fault.ts'

const query = { withinMs: 3_000, writes: false, keeps: all, gives: all } as const
/** The answer may come after the cycle of one second. */
const shown = { ...query, withinMs: 4_200 } as const
const write = { ...query, writes: true } as const

/**
 * Every command in use: the code and the data of the request, then the data of an answer with the status 00. `mode`: bit 0
 * wakes halted cards too; bit 1 uses key B instead of key A.
 */
export const commands = {
  // > 03 26 idle | 52 all               < atqa(2)
  request: { code: 0x03, takes: 1, ...query, read: bytes(2) },
  // > 06                                < 80
  halt: { code: 0x06, takes: 0, ...query, read: bytes(1) },
  // > 20 mode count block key(6)        < uid(4) data(16 × count)        includes the login
  readBlock: {
    code: 0x20,
    takes: 9,
    ...query,
    keeps: first(3),
    gives: uidAt(0, 4, none),
    read: bytes(4 + 16),
  },
  // > 21 mode count block key(6) data   < uid(4)                         includes the login
  writeBlock: { code: 0x21, takes: 9 + 16, ...write, keeps: first(3), gives: uidAt(0), read: bytes(4) },
  // > 25 26 | 52, 01 halts the card     < 00 one | 01 many, uid(4)
  serialOf: { code: 0x25, takes: 2, ...query, gives: uidAt(1), read: bytes(5) },
  // > 83                                < station serial(8)              the reader's own
  readerSerial: { code: 0x83, takes: 0, ...query, read: bytes(9) },
  // > 86                                < text
  version: { code: 0x86, takes: 0, ...query, read: text },
  // > 87 on-time(20 ms) cycles(1 s)     < 80
  light: { code: 0x87, takes: 2, ...shown, read: bytes(1) },
  // > 89 on-time(20 ms) cycles(1 s)     < 80                             once the sound is over, or at once: not known
  buzzer: { code: 0x89, takes: 2, ...shown, read: bytes(1) },
  // > E0 mode page                      < data(16) uid(7)
  readPages: { code: 0xe0, takes: 2, ...query, gives: uidAt(16, undefined, none), read: bytes(16 + 7) },
  // > E1 mode 01 page data(4)           < uid(7)
  writePage: { code: 0xe1, takes: 7, ...write, keeps: first(3), gives: uidAt(0), read: upTo(7) },
} as const satisfies Record<string, ReaderCommand>

export type Ifd510CommandName = keyof typeof commands

/** The statuses of an answer: success, or a failure with the reason as its only data byte. */
export const status = { done: 0x00, failed: 0x01 } as const

/**
 * What a failed command means: either nothing was done because there is no card or its key is different, or the command
 * began and its outcome is unknown.
 */
type Refusal = 'no-card' | 'wrong-key' | 'unclear'

export interface RefusedCommand {
  refused: Refusal
  /** The reader's own number for the failure, in hex. */
  vendorCode: string
}

/** Whether a reader has refused a command, and said why. */
export function isRefused(result: unknown): result is RefusedCommand {
  return typeof result === 'object' && result !== null && 'refused' in result
}

export const unknownCommand = 0x8f

/** The reasons of a failure. Those of ISO 15693 (90 to 96) cannot occur: no such command is sent. */
export const reasons = new Map<number, { text: string } & ({ refused: Refusal } | { fault: FaultCode })>([
  [0x81, { text: 'parameter not set', fault: 'unsupported-operation' }],
  [0x82, { text: 'communication timeout', refused: 'unclear' }],
  [0x83, { text: 'no card', refused: 'no-card' }],
  [0x84, { text: 'data of the card not received', refused: 'unclear' }],
  [0x85, { text: 'bad parameter', fault: 'unsupported-operation' }],
  [0x87, { text: 'unknown error', refused: 'unclear' }],
  [0x8a, { text: 'value block not set up', fault: 'vendor-error' }],
  [0x8b, { text: 'another serial number in anticollision', refused: 'unclear' }],
  [0x8c, { text: 'the card refused the key', refused: 'wrong-key' }],
  [unknownCommand, { text: 'unknown command', fault: 'unsupported-operation' }],
])

/** The USB library gives up a transfer after 1 s; this deadline must be longer. */
export const transferMs = 1_500
/** The pause before the answer report is polled again. */
export const pollMs = 20

/** The modes of a command that includes the selection of a card; it also wakes halted cards. */
export const mode = { keyA: 0x01, keyB: 0x03, anyCard: 0x01 } as const
export const wakeAll = 0x52
export const thenHalt = 0x01

/** The number of blocks that commands can address: 16 sectors of 4, a MIFARE Classic 1K or the beginning of a 4K. */
export const blocksInReach = 64

function bytes(count: number) {
  return (data: Uint8Array) => (data.length === count ? Uint8Array.from(data) : undefined)
}

/** Only one client documents that this answer holds a serial number; its length was never observed. */
function upTo(count: number) {
  return (data: Uint8Array) => (data.length <= count ? Uint8Array.from(data) : undefined)
}

function text(data: Buffer): { text: string } | undefined {
  const words = data.toString('latin1')
  return /^[\x20-\x7e]{4,}$/.test(words) ? { text: words } : undefined
}
