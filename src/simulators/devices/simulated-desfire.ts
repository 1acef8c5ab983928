import type { DesfireFile, DesfireKey, DesfireMode, DesfireSettings } from '../../devices/capability.ts'
import {
  type DesfireChip,
  type DesfireSession,
  isEqual,
  type Silicon,
  sealedAgainstAll,
} from './simulated-silicon.ts'

/**
 * The memory: a header of 16 bytes that begins with the serial number, then 8 slots of 256 bytes. Slot 0 is the card
 * itself, the others are applications. The layout is our own: that of a real chip is not public.
 *
 *   offset in a slot    0 in use   1 number (3)   4 rights   5 number of keys   6 key type   8 four keys of 16
 *                       80 four files of 12   128 data of all files (128)
 *   offset in a file    0 in use   1 number   2 mode   3 four rights   7 size   8 offset of its data in the slot's data
 */
const slots = 8
const slotBytes = 256
const headerBytes = 16
const most = { keys: 4, files: 4, data: 128 }
const types = ['3DES', 'AES'] as const
const modes = ['plain', 'maced', 'enciphered'] as const

/**
 * The silicon of a DESFire, with a serial number of 7 bytes. In a new one the master key is 3DES and all zeros, and
 * every operation is free.
 */
export const desfireSilicon: Silicon = {
  sizes: [headerBytes + slots * slotBytes],
  serial(uid) {
    if (uid.length !== 7) throw new RangeError('the serial number of a DESFire has 7 bytes')
    return uid
  },
  fresh(uid) {
    const memory = new Uint8Array(headerBytes + slots * slotBytes)
    memory.set(desfireSilicon.serial(uid))
    memory.set([1, 0, 0, 0, 0x0f, 1, types.indexOf('3DES')], headerBytes)
    return memory
  },
  behaviour: (memory) => ({ ...sealedAgainstAll, desfire: desfireChip(memory) }),
}

function desfireChip(memory: Uint8Array): DesfireChip {
  const all = Array.from({ length: slots }, (_, index) => slotIn(memory, headerBytes + index * slotBytes))
  const slotOf = (application: number) => all.find((slot) => slot.inUse() && slot.number() === application)
  const mayList = (slot: Slot, { key }: DesfireSession) =>
    key === 0 || (slot.settings().rights & 0b0010) !== 0
  const mayCreate = (slot: Slot, { key }: DesfireSession) =>
    key === 0 || (slot.settings().rights & 0b0100) !== 0

  return {
    has: (application) => slotOf(application) !== undefined,
    authenticate(application, keyNumber, { type, bytes }) {
      const slot = slotOf(application)
      if (!slot || keyNumber >= slot.settings().keys || slot.settings().type !== type) return false
      return isEqual(slot.key(keyNumber), bytes)
    },
    settings(session) {
      const slot = slotOf(session.application)
      return slot && mayList(slot, session) ? slot.settings() : null
    },
    file(session, number) {
      const slot = slotOf(session.application)
      return slot && mayList(slot, session) ? (slot.file(number)?.settings ?? null) : null
    },
    read(session, number, offset, length, mode) {
      const file = slotOf(session.application)?.file(number)
      if (!file || !isAllowed(file.settings, session, [0, 2], mode)) return null
      return offset + length <= file.settings.size ? file.data.slice(offset, offset + length) : null
    },
    write(session, number, offset, data, mode) {
      const file = slotOf(session.application)?.file(number)
      if (!file || !isAllowed(file.settings, session, [1, 2], mode)) return false
      if (offset + data.length > file.settings.size) return false
      file.data.set(data, offset)
      return true
    },
    createApplication(session, application, settings) {
      const free = all.find((slot) => !slot.inUse())
      if (session.application !== 0 || !mayCreate(all[0]!, session) || !free || slotOf(application))
        return false
      if (settings.keys < 1 || settings.keys > most.keys) return false
      free.create(application, settings)
      return true
    },
    createFile(session, number, file) {
      const slot = slotOf(session.application)
      if (!slot || session.application === 0 || !mayCreate(slot, session)) return false
      return slot.createFile(number, file)
    },
    changeKey(session, ...change) {
      const slot = slotOf(session.application)
      return slot !== undefined && changeKey(slot, session, ...change)
    },
    format(session) {
      if (session.application !== 0 || session.key !== 0) return false
      memory.fill(0, headerBytes + slotBytes)
      return true
    },
  }
}

function changeKey(
  slot: Slot,
  session: DesfireSession,
  keyNumber: number,
  from: Uint8Array,
  to: DesfireKey,
): boolean {
  const { rights, keys, type } = slot.settings()
  if (keyNumber >= keys || session.key === null) return false
  if (session.application !== 0 && to.type !== type) return false
  if (session.key !== keyNumber && !isEqual(from, slot.key(keyNumber))) return false
  const changer = keyNumber === 0 || rights >> 4 === 0xe ? keyNumber : rights >> 4
  if (changer !== session.key || (keyNumber === 0 && (rights & 1) === 0)) return false
  slot.setKey(keyNumber, to)
  return true
}

/**
 * `places` are the indexes of the rights that count. Data that everyone may read is not enciphered for a reader without
 * a key.
 */
function isAllowed(
  { rights, mode }: DesfireFile,
  { key }: DesfireSession,
  places: readonly (0 | 1 | 2)[],
  requested: DesfireMode,
): boolean {
  if (key !== null && places.some((place) => rights[place] === key)) return requested === mode
  return places.some((place) => rights[place] === 0xe) && requested === 'plain'
}

type Slot = ReturnType<typeof slotIn>

function slotIn(memory: Uint8Array, at: number) {
  const bytes = memory.subarray(at, at + slotBytes)
  const view = new DataView(memory.buffer, memory.byteOffset + at, slotBytes)
  const key = (number: number) => bytes.subarray(8 + number * 16, 24 + number * 16)
  const entries = Array.from({ length: most.files }, (_, index) =>
    bytes.subarray(80 + index * 12, 92 + index * 12),
  )
  const inUse = () => entries.filter((entry) => entry[0] === 1)

  return {
    inUse: () => bytes[0] === 1,
    number: () => view.getUint32(0, true) >>> 8,
    settings: (): DesfireSettings => ({ rights: bytes[4]!, keys: bytes[5]!, type: types[bytes[6]!]! }),
    key,
    setKey(number: number, to: DesfireKey) {
      key(number).set(to.bytes)
      bytes[6] = types.indexOf(to.type)
    },
    create(application: number, { rights, keys, type }: DesfireSettings) {
      view.setUint32(0, ((application << 8) | 1) >>> 0, true)
      bytes.set([rights, keys, types.indexOf(type)], 4)
    },
    file(number: number) {
      const entry = inUse().find((each) => each[1] === number)
      if (!entry) return null
      const [, , mode = 0, read = 0, write = 0, both = 0, change = 0, size = 0, from = 0] = entry
      const settings: DesfireFile = { mode: modes[mode]!, rights: [read, write, both, change], size }
      return { settings, data: bytes.subarray(128 + from, 128 + from + size) }
    },
    createFile(number: number, { mode, rights, size }: DesfireFile) {
      const free = entries.find((entry) => entry[0] === 0)
      const from = inUse().reduce((sum, entry) => sum + entry[7]!, 0)
      if (!free || inUse().some((entry) => entry[1] === number) || from + size > most.data) return false
      free.set([1, number, modes.indexOf(mode), ...rights, size, from])
      return true
    },
  }
}
