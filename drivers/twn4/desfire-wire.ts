import type {
  DesfireFile,
  DesfireKey,
  DesfireKeyType,
  DesfireMode,
  DesfireSettings,
} from '../../src/devices/capability.ts'

/** The number of the reader's memory for session keys: it has four, and the driver uses one. */
const env = 0
const standardFile = 0
/** The version number of a key that the driver writes. A factory key has the version 0. */
const keyVersion = 1
const types: Record<DesfireKeyType, number> = { '3DES': 0, AES: 2 }
const modes: Record<DesfireMode, number> = { plain: 0, maced: 1, enciphered: 3 }

/** Encodes the parameters of the DESFire commands. */
export const parameters = {
  select: (application: number) => [env, ...long(application)],
  // An AES key needs the EV1 mode. A 3DES key uses the compatible mode, which every card supports.
  authenticate: (number: number, { type, bytes }: DesfireKey) => [
    ...[env, number, bytes.length, ...bytes],
    ...[types[type], type === 'AES' ? 1 : 0],
  ],
  settings: () => [env],
  file: (number: number) => [env, number],
  read: (file: number, offset: number, length: number, mode: DesfireMode) => [
    ...[env, file, ...word(offset), length, modes[mode]],
  ],
  write: (file: number, offset: number, data: Uint8Array, mode: DesfireMode) => [
    ...[env, file, ...word(offset), data.length, ...data, modes[mode]],
  ],
  createApplication: (application: number, settings: DesfireSettings) => [
    ...[env, ...long(application), ...governing(settings)],
  ],
  createFile: (number: number, { mode, rights: [read, write, both, change], size }: DesfireFile) => [
    ...[env, number, standardFile, modes[mode]],
    ...word((read << 12) | (write << 8) | (both << 4) | change),
    ...[...long(size), ...new Array<number>(12).fill(0)],
  ],
  changeKey: (number: number, from: Uint8Array, { type, bytes }: DesfireKey, settings: DesfireSettings) => [
    ...[env, number, from.length, ...from, bytes.length, ...bytes, keyVersion],
    ...governing({ ...settings, type }),
  ],
  format: () => [env],
}

/** Decodes key settings; null for an unsupported key type. */
export function settingsIn(result: Buffer): DesfireSettings | null {
  const type = wordFor(types, result.readUInt32LE(5))
  return type ? { rights: result.readUInt8(0), keys: result.readUInt32LE(1), type } : null
}

/** Decodes file settings; null when the file is not a standard data file. */
export function fileIn(result: Buffer): DesfireFile | null {
  const mode = wordFor(modes, result.readUInt8(1))
  if (result.readUInt8(0) !== standardFile || !mode) return null
  const rights = result.readUInt16LE(2)
  const right = (shift: number) => (rights >>> shift) & 0xf
  return { mode, rights: [right(12), right(8), right(4), right(0)], size: result.readUInt32LE(4) }
}

function governing({ rights, keys, type }: DesfireSettings): number[] {
  return [rights, ...long(keys), ...long(types[type])]
}

function wordFor<Word extends string>(table: Record<Word, number>, code: number): Word | undefined {
  return (Object.keys(table) as Word[]).find((word) => table[word] === code)
}

function word(value: number): [number, number] {
  return [value & 0xff, value >>> 8]
}

function long(value: number): number[] {
  return [value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24]
}
