import type { DesfireKey, DesfireMode } from '../../../src/devices/capability.ts'
import type { SimulatedCard } from '../../../src/devices/simulator/simulated-card.ts'
import type { DesfireChip } from '../../../src/devices/simulator/simulated-silicon.ts'

type Reply = Iterable<number> | null

/** The modes by their codes on the wire. Not imported from the driver, so that tests detect a wrong code there. */
const modes: readonly (DesfireMode | undefined)[] = ['plain', 'maced', undefined, 'enciphered']

/** The DESFire part of a simulated reader: it decodes commands, keeps the session, and calls the card. */
export function desfireRadio() {
  let session: { application: number; key: number | null } = { application: 0, key: null }

  return {
    reset() {
      session = { application: 0, key: null }
    },
    selectApplication: onChip((chip, parameters) => {
      const application = parameters.readUInt32LE(1)
      if (!chip.has(application)) return null
      session = { application, key: null }
      return []
    }),
    authenticate: onChip((chip, parameters) => {
      const number = parameters.readUInt8(1)
      const [type = 0, mode] = parameters.subarray(-2)
      const key = keyOf(type, parameters.subarray(3, -2))
      // An AES key cannot authenticate in the compatible mode.
      if (!key || (key.type === 'AES' && mode !== 1)) return null
      if (!chip.authenticate(session.application, number, key)) return null
      session = { ...session, key: number }
      return []
    }),
    keySettings: onChip((chip) => {
      const settings = chip.settings(session)
      if (!settings) return null
      return [settings.rights, ...long(settings.keys), ...long(settings.type === 'AES' ? 2 : 0)]
    }),
    fileSettings: onChip((chip, parameters) => {
      const file = chip.file(session, parameters.readUInt8(1))
      if (!file) return null
      const [read, write, both, change] = file.rights
      const rights = [(both << 4) | change, (read << 4) | write]
      return [0, modes.indexOf(file.mode), ...rights, ...long(file.size), ...new Uint8Array(12)]
    }),
    readFile: onChip((chip, parameters) => {
      const mode = modes[parameters.readUInt8(5)]
      const length = parameters.readUInt8(4)
      const data =
        mode && chip.read(session, parameters.readUInt8(1), parameters.readUInt16LE(2), length, mode)
      return data ? [length, ...data] : null
    }),
    writeFile: onChip((chip, parameters) => {
      const mode = modes[parameters.at(-1)!]
      const data = Uint8Array.from(parameters.subarray(5, -1))
      return done(
        mode && chip.write(session, parameters.readUInt8(1), parameters.readUInt16LE(2), data, mode),
      )
    }),
    createApplication: onChip((chip, parameters) => {
      const key = keyOf(parameters.readUInt32LE(10), new Uint8Array(16))
      const settings = key && {
        rights: parameters.readUInt8(5),
        keys: parameters.readUInt32LE(6),
        type: key.type,
      }
      return done(settings && chip.createApplication(session, parameters.readUInt32LE(1), settings))
    }),
    createFile: onChip((chip, parameters) => {
      const [, number = 0, type, mode = 0, low = 0, high = 0] = parameters
      const name = modes[mode]
      if (type !== 0 || !name) return null
      const rights = [high >>> 4, high & 0xf, low >>> 4, low & 0xf] as const
      return done(chip.createFile(session, number, { mode: name, rights, size: parameters.readUInt32LE(6) }))
    }),
    changeKey: onChip((chip, parameters) => {
      const number = parameters.readUInt8(1)
      const key = keyOf(parameters.readUInt32LE(42), parameters.subarray(20, 36))
      if (parameters[2] !== 16 || parameters[19] !== 16 || !key) return null
      if (!chip.changeKey(session, number, parameters.subarray(3, 19), key)) return null
      if (session.key === number) session = { ...session, key: null }
      return []
    }),
    formatCard: onChip((chip) => done(chip.format(session))),
  }

  function onChip(act: (chip: DesfireChip, parameters: Buffer) => Reply) {
    return ({ desfire }: SimulatedCard, parameters: Buffer): Reply =>
      desfire ? act(desfire, parameters) : null
  }
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
