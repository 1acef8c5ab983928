import type { DesfireKey, DesfireMode } from '../../../src/devices/capability.ts'
import type { SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import type { DesfireChip } from '../../../src/simulators/devices/simulated-silicon.ts'

type Reply = Iterable<number> | null

/** The modes by their codes on the wire. Not imported from the driver, so that tests detect a wrong code there. */
const modes: readonly (DesfireMode | undefined)[] = ['plain', 'maced', undefined, 'enciphered']

/** The session of a reader, which a selection or a refusal ends. */
interface Reader {
  session: { application: number; key: number | null }
}

/** The DESFire part of a simulated reader: it decodes commands, keeps the session, and calls the card. */
export function desfireRadio() {
  const reader: Reader = { session: { application: 0, key: null } }
  return {
    reset() {
      reader.session = { application: 0, key: null }
    },
    ...entering(reader),
    ...reading(reader),
    ...changing(reader),
  }
}

function entering(reader: Reader) {
  return {
    selectApplication: onChip((chip, parameters) => {
      const application = parameters.readUInt32LE(1)
      if (!chip.has(application)) return null
      reader.session = { application, key: null }
      return []
    }),
    authenticate: onChip((chip, parameters) => {
      const number = parameters.readUInt8(1)
      const [type = 0, mode] = parameters.subarray(-2)
      const key = keyOf(type, parameters.subarray(3, -2))
      // An AES key cannot authenticate in the compatible mode.
      if (!key || (key.type === 'AES' && mode !== 1)) return null
      if (!chip.authenticate(reader.session.application, number, key)) return null
      reader.session = { ...reader.session, key: number }
      return []
    }),
  }
}

function reading(reader: Reader) {
  return {
    keySettings: onChip((chip) => {
      const settings = chip.settings(reader.session)
      if (!settings) return null
      return [settings.rights, ...long(settings.keys), ...long(settings.type === 'AES' ? 2 : 0)]
    }),
    fileSettings: onChip((chip, parameters) => {
      const file = chip.file(reader.session, parameters.readUInt8(1))
      if (!file) return null
      const [read, write, both, change] = file.rights
      const rights = [(both << 4) | change, (read << 4) | write]
      return [0, modes.indexOf(file.mode), ...rights, ...long(file.size), ...new Uint8Array(12)]
    }),
    readFile: onChip((chip, parameters) => {
      const mode = modes[parameters.readUInt8(5)]
      const [file, offset, length] = [parameters[1]!, parameters.readUInt16LE(2), parameters.readUInt8(4)]
      const data = mode && chip.read(reader.session, file, offset, length, mode)
      return data ? [length, ...data] : null
    }),
  }
}

function changing(reader: Reader) {
  return {
    writeFile: onChip((chip, parameters) => {
      const mode = modes[parameters.at(-1)!]
      const data = Uint8Array.from(parameters.subarray(5, -1))
      const [file, offset] = [parameters.readUInt8(1), parameters.readUInt16LE(2)]
      return done(mode && chip.write(reader.session, file, offset, data, mode))
    }),
    createApplication: onChip((chip, parameters) => {
      const key = keyOf(parameters.readUInt32LE(10), new Uint8Array(16))
      const settings = key && {
        rights: parameters.readUInt8(5),
        keys: parameters.readUInt32LE(6),
        type: key.type,
      }
      return done(settings && chip.createApplication(reader.session, parameters.readUInt32LE(1), settings))
    }),
    createFile: onChip((chip, parameters) => {
      const [, number = 0, type, mode = 0, low = 0, high = 0] = parameters
      const name = modes[mode]
      if (type !== 0 || !name) return null
      const rights = [high >>> 4, high & 0xf, low >>> 4, low & 0xf] as const
      const file = { mode: name, rights, size: parameters.readUInt32LE(6) }
      return done(chip.createFile(reader.session, number, file))
    }),
    changeKey: onChip((chip, parameters) => {
      const number = parameters.readUInt8(1)
      const key = keyOf(parameters.readUInt32LE(42), parameters.subarray(20, 36))
      if (parameters[2] !== 16 || parameters[19] !== 16 || !key) return null
      if (!chip.changeKey(reader.session, number, parameters.subarray(3, 19), key)) return null
      if (reader.session.key === number) reader.session = { ...reader.session, key: null }
      return []
    }),
    formatCard: onChip((chip) => done(chip.format(reader.session))),
  }
}

function onChip(act: (chip: DesfireChip, parameters: Buffer) => Reply) {
  return ({ desfire }: SimulatedCard, parameters: Buffer): Reply =>
    desfire ? act(desfire, parameters) : null
}

function keyOf(type: number, bytes: Uint8Array): DesfireKey | null {
  if (bytes.length !== 16 || (type !== 0 && type !== 2)) return null
  return { type: type === 2 ? 'AES' : '3DES', bytes: Uint8Array.from(bytes) }
}

function done(isDone: boolean | null | undefined): Reply {
  return isDone ? [] : null
}

function long(value: number): number[] {
  return [value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24]
}
