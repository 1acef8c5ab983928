import { all, allBut, first, type KeptBytes, none, uidAt } from '../../src/devices/driving/kept-bytes.ts'
import type { ReaderCommand } from '../../src/devices/driving/reader-link.ts'
import type { FaultCode } from '../../src/devices/fault.ts'

/** Hides a field, whose length is the byte before it. */
const fieldAt =
  (at: number): KeptBytes =>
  (parameters) =>
    allBut([at, at + (parameters[at - 1] ?? 0)])(parameters)
/** Hides what follows the Bool. */
const onlyBool = first(1)

const query = { withinMs: 2_000, writes: false, keeps: all, gives: all } as const
const write = { ...query, writes: true } as const

/**
 * Every command in use. Requests and answers are in hex as on the wire, without CR:
 *
 *   >  API FUNC parameter …        <  ERR result …
 *
 * Numbers are little endian. Where the result begins with a Bool, 00 means "no" and nothing follows it. `takes` does not
 * count the bytes of a field whose length is at the offset `lengthAt`. `read` decodes the bytes after ERR 00.
 */
export const commands = {
  // > 0004 max                              < 00 length text
  version: { code: 0x0004, takes: 1, ...query, read: text },
  // > 0005                                  < 00 type               01 CDC, 04 keyboard
  usbType: { code: 0x0005, takes: 0, ...query, withinMs: 1_000, read: bytes(1) },
  // > 0008                                  < 00 uid(12)
  deviceUid: { code: 0x0008, takes: 0, ...query, read: bytes(12) },
  // > 000A                                  < 00 error(4)
  lastError: { code: 0x000a, takes: 0, ...query, read: bytes(4) },
  // > 0400 pins pull type                   < 00
  configureOutputs: { code: 0x0400, takes: 3, ...query, read: bytes(0) },
  // > 0402 pins                             < 00
  setOutputs: { code: 0x0402, takes: 1, ...query, read: bytes(0) },
  // > 0403 pins                             < 00
  clearOutputs: { code: 0x0403, takes: 1, ...query, read: bytes(0) },
  // > 0407 volume hertz(2) onMs(2) offMs(2) < 00                    once the sound is over
  beep: { code: 0x0407, takes: 7, ...query, read: bytes(0) },
  // Newer firmware has separate commands for lights and sound. The commands above may then have no effect.
  // > 0410 lights                           < 00
  initLights: { code: 0x0410, takes: 1, ...query, read: bytes(0) },
  // > 0411 lights                           < 00
  lightsOn: { code: 0x0411, takes: 1, ...query, read: bytes(0) },
  // > 0412 lights                           < 00
  lightsOff: { code: 0x0412, takes: 1, ...query, read: bytes(0) },
  // > 0416 volume hertz(2)                  < 00                    sounds until beepOff
  beepOn: { code: 0x0416, takes: 3, ...query, read: bytes(0) },
  // > 0417                                  < 00
  beepOff: { code: 0x0417, takes: 0, ...query, read: bytes(0) },
  // > 0500 max                              < 00 01 type bits length uid
  searchTag: { code: 0x0500, takes: 1, ...query, gives: uidAt(4), read: tag },
  // > 0501                                  < 00
  rfOff: { code: 0x0501, takes: 0, ...query, read: bytes(0) },
  // > 0502 lf(4) hf(4)                      < 00                    bit n is tag type 40+n, 80+n
  setTagTypes: { code: 0x0502, takes: 8, ...query, read: bytes(0) },
  // > 0B00 key(6) kind sector               < 00 01                 kind 00 A, 01 B
  login: { code: 0x0b00, takes: 8, ...query, keeps: allBut([0, 6]), read: bool(0) },
  // > 0B01 block                            < 00 01 data(16)        the block's absolute number
  readBlock: { code: 0x0b01, takes: 1, ...query, gives: onlyBool, read: bool(16) },
  // > 0B02 block data(16)                   < 00 01
  writeBlock: { code: 0x0b02, takes: 17, ...write, keeps: first(1), read: bool(0) },
  // > 0C00 page                             < 00 01 data(16)        four pages from here on
  readPages: { code: 0x0c00, takes: 1, ...query, gives: onlyBool, read: bool(16) },
  // > 0C01 page data(4)                     < 00 01
  writePage: { code: 0x0c01, takes: 5, ...write, keeps: first(1), read: bool(0) },
  // > 0C0A password(4) acknowledgement(2)   < 00 01                 Ultralight EV1
  unlockEv1: { code: 0x0c0a, takes: 6, ...query, keeps: none, read: bool(0) },
  // > 2000 page                             < 00 01 data(16)        NTAG, as 0C00
  readNtag: { code: 0x2000, takes: 1, ...query, gives: onlyBool, read: bool(16) },
  // > 2001 page data(4)                     < 00 01
  writeNtag: { code: 0x2001, takes: 5, ...write, keeps: first(1), read: bool(0) },
  // > 2005                                  < 00 01 version(8)      NTAG and Ultralight EV1
  pageVersion: { code: 0x2005, takes: 0, ...query, read: bool(8) },
  // > 2006 password(4) acknowledgement(2)   < 00 01
  unlockNtag: { code: 0x2006, takes: 6, ...query, keeps: none, read: bool(0) },
  // DESFire. env is the number of the reader's memory for session keys; type 00 is 3DES, 02 is AES.
  // > 0F01 env aid(4) rights keys(4) type(4)        < 00 01
  createApplication: { code: 0x0f01, takes: 14, ...write, read: bool(0) },
  // > 0F03 env aid(4)                               < 00 01
  selectApplication: { code: 0x0f03, takes: 5, ...query, read: bool(0) },
  // > 0F04 env number length key type mode          < 00 01         mode 00 compatible, 01 EV1
  authenticate: { code: 0x0f04, takes: 5, lengthAt: 2, ...query, keeps: fieldAt(3), read: bool(0) },
  // > 0F05 env                                      < 00 01 rights keys(4) type(4)
  keySettings: { code: 0x0f05, takes: 1, ...query, read: bool(9) },
  // > 0F07 env file                                 < 00 01 type mode rights(2) size(4) …(12)
  fileSettings: { code: 0x0f07, takes: 2, ...query, read: bool(20) },
  // > 0F08 env file offset(2) length mode           < 00 01 length data
  readFile: { code: 0x0f08, takes: 6, ...query, gives: first(2), read: boolAndBytes },
  // > 0F09 env file offset(2) length data mode      < 00 01         mode 00 plain, 01 MAC, 03 enciphered
  writeFile: { code: 0x0f09, takes: 6, lengthAt: 4, ...write, keeps: fieldAt(5), read: bool(0) },
  // > 0F0F env                                      < 00 01
  formatCard: { code: 0x0f0f, takes: 1, ...write, withinMs: 5_000, read: bool(0) },
  // > 0F10 env file type mode rights(2) size(4) 00(12)  < 00 01     type 00 standard
  createFile: { code: 0x0f10, takes: 22, ...write, read: bool(0) },
  // > 0F19 env number 10 old(16) 10 new(16) version rights keys(4) type(4)  < 00 01
  changeKey: { code: 0x0f19, takes: 46, ...write, keeps: allBut([3, 19], [20, 36]), read: bool(0) },
  // > 1204                                  < 00 01 atqa(2)
  atqa: { code: 0x1204, takes: 0, ...query, read: bool(2) },
  // > 1205                                  < 00 01 sak
  sak: { code: 0x1205, takes: 0, ...query, read: bool(1) },
} as const satisfies Record<string, Command>

/** `lengthAt`: the offset of the length of a field that `takes` does not count. */
export interface Command extends ReaderCommand {
  lengthAt?: number
}

export type Twn4CommandName = keyof typeof commands

/** The values of ERR. `again`: the line arrived damaged, so the command was not executed and may be sent once more. */
export const errors = new Map<number, { text: string; fault: FaultCode; again: boolean }>([
  [0x01, { text: 'unknown function', fault: 'unsupported-operation', again: false }],
  [0x02, { text: 'missing parameter', fault: 'vendor-error', again: false }],
  [0x03, { text: 'unused parameters', fault: 'vendor-error', again: false }],
  [0x04, { text: 'invalid function', fault: 'unsupported-operation', again: false }],
  [0x05, { text: 'parser error', fault: 'vendor-error', again: true }],
  [0x06, { text: 'length error', fault: 'vendor-error', again: true }],
])

/** How long the line must be silent after an answer before no further answer is expected, in ms. */
export const quietMs = 250

/** The tag type of ISO 14443A and MIFARE, and the masks with which the reader searches for no other type. */
export const iso14443a = 0x80
export const onlyIso14443a = [0, 0, 0, 0, 1, 0, 0, 0] as const

/** Output pins of the three lights. */
export const light = { red: 0x01, green: 0x02, yellow: 0x04, all: 0x07 } as const

/** The Bool of a command that was executed. */
export const yes = 0x01

function bytes(count: number) {
  return (result: Buffer): Buffer | undefined => (result.length === count ? result : undefined)
}

/** Decodes a Bool and the bytes after it: false for "no", otherwise these bytes. */
function bool(count: number) {
  return (result: Buffer): Buffer | false | undefined => {
    if (result.length === 1 && result[0] === 0) return false
    return result[0] === yes && result.length === 1 + count ? result.subarray(1) : undefined
  }
}

/** Decodes a Bool, a length byte and that many bytes: false for "no", otherwise these bytes. */
function boolAndBytes(result: Buffer): Buffer | false | undefined {
  if (result.length === 1 && result[0] === 0) return false
  return result[0] === yes && result[1] === result.length - 2 ? result.subarray(2) : undefined
}

function text(result: Buffer): string | undefined {
  return result.length > 0 && result[0] === result.length - 1 ? result.toString('latin1', 1) : undefined
}

function tag(result: Buffer): { type: number; uid: Uint8Array } | false | undefined {
  if (result.length === 1 && result[0] === 0) return false
  const [found, type, bits, length] = result
  const uid = result.subarray(4)
  const whole = found === 1 && length === uid.length && Math.ceil(bits! / 8) === uid.length && uid.length > 0
  return whole ? { type: type!, uid: Uint8Array.from(uid) } : undefined
}
