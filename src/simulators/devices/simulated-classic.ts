import { exclusiveOr } from '../../devices/driving/exclusive-or.ts'
import {
  accessConditions,
  accessOffset,
  blocksPerSector,
  type Conditions,
  dataRights,
  keyBLogsIn,
  sectorTrailer,
  trailerRights,
  transportConditions,
  transportKey,
} from '../../devices/mifare-classic.ts'
import { isEqual, type Login, type Silicon, sealedAgainstAll } from './simulated-silicon.ts'

const classicBytes = 1024

/** The silicon of a MIFARE Classic 1K, with a serial number of 4 or 7 bytes. */
export const classicSilicon: Silicon = {
  sizes: [classicBytes],
  serial: classicSerial,
  fresh(uid) {
    const memory = new Uint8Array(classicBytes)
    const trailer = sectorTrailer(transportKey, transportConditions, transportKey)
    for (let end = 64; end <= classicBytes; end += 64) memory.set(trailer, end - 16)
    memory.set(classicSerial(uid))
    return memory
  },
  behaviour: classic,
}

/** How block 0 begins: the serial number, its check byte when it has 4 bytes, then SAK and ATQA. */
function classicSerial(uid: Uint8Array): Uint8Array {
  if (uid.length === 4) return Uint8Array.of(...uid, exclusiveOr(uid), 0x08, 0x04, 0x00)
  if (uid.length === 7) return Uint8Array.of(...uid, 0x08, 0x44, 0x00)
  throw new RangeError('the serial number of a MIFARE Classic has 4 or 7 bytes')
}

function classic(memory: Uint8Array): ReturnType<Silicon['behaviour']> {
  const block = (number: number) => memory.subarray(number * 16, number * 16 + 16)
  const trailerOf = (sector: number) => block(sector * blocksPerSector + blocksPerSector - 1)
  const conditionsOf = (sector: number) =>
    Number.isInteger(sector) && sector >= 0 && sector < 16 ? accessConditions(trailerOf(sector)) : null

  /** The conditions of the login's sector when the block lies in that sector; otherwise null. */
  const reached = (number: number, login: Login | null): Conditions | null => {
    if (!login || login.sector !== Math.floor(number / blocksPerSector)) return null
    const conditions = conditionsOf(login.sector)
    return conditions && (login.kind === 'A' || keyBLogsIn(conditions)) ? conditions : null
  }

  return {
    ...sealedAgainstAll,
    login(sector, kind, key) {
      const conditions = conditionsOf(sector)
      if (!conditions || (kind === 'B' && !keyBLogsIn(conditions))) return false
      const trailer = trailerOf(sector)
      return isEqual(key, kind === 'A' ? trailer.subarray(0, 6) : trailer.subarray(10))
    },
    readBlock(number, login) {
      const conditions = reached(number, login)
      if (!conditions || !login) return null
      const index = number % blocksPerSector
      if (index === 3) return trailerAsSeen(block(number), conditions, login.kind)
      return dataRights[conditions[index]!]!.read.includes(login.kind) ? block(number).slice() : null
    },
    writeBlock(number, data, login) {
      const conditions = reached(number, login)
      if (!conditions || !login || data.length !== 16 || number === 0) return false
      const index = number % blocksPerSector
      if (index === 3) return writeTrailer(block(number), data, conditions, login.kind)
      if (!dataRights[conditions[index]!]!.write.includes(login.kind)) return false
      block(number).set(data)
      return true
    },
  }
}

function trailerAsSeen(trailer: Uint8Array, conditions: Conditions, kind: 'A' | 'B'): Uint8Array {
  const seen = trailer.slice().fill(0, 0, accessOffset)
  return trailerRights[conditions[3]]!.readB.includes(kind) ? seen : seen.fill(0, 10)
}

/** Changes the parts that the key may change; false when it may change none. */
function writeTrailer(
  trailer: Uint8Array,
  data: Uint8Array,
  conditions: Conditions,
  kind: 'A' | 'B',
): boolean {
  const { writeA, writeAccess, writeB } = trailerRights[conditions[3]]!
  if (writeA.includes(kind)) trailer.set(data.subarray(0, accessOffset))
  if (writeAccess.includes(kind)) trailer.set(data.subarray(accessOffset, 10), accessOffset)
  if (writeB.includes(kind)) trailer.set(data.subarray(10), 10)
  return [writeA, writeAccess, writeB].some((keys) => keys.includes(kind))
}
