import {
  blocksPerSector,
  sectorTrailer,
  transportConditions,
  transportKey,
} from '../../../src/devices/mifare-classic.ts'
import type {
  SimulatedAntenna,
  SimulatedCard,
  Technology,
} from '../../../src/simulators/devices/simulated-card.ts'
import { identificationOf, simulatedField } from '../../../src/simulators/devices/simulated-field.ts'
import type { AntennaCommandName } from '../antenna-protocol.ts'
import type { MechanicsResult } from './mechanics.ts'

const done = [0x90, 0x00]
const refused = [0x6f, 0x00]
const noSuchAddress = [0x6b, 0x00]

/** The first byte of the reply to an activation, what follows the SAK, and the type in a status reply. */
const kinds: Record<Technology, { kind: number; ats: number[]; type: string }> = {
  classic: { kind: 0x4d, ats: [], type: '10' },
  ultralight: { kind: 0x4d, ats: [], type: '12' },
  ntag: { kind: 0x4d, ats: [], type: '12' },
  desfire: { kind: 0x41, ats: [0x06, 0x75, 0x77, 0x81, 0x02, 0x80], type: '20' },
}

/**
 * The reader over the antenna. A card that refused a command, was moved or was taken is inactive until it is activated
 * again.
 */
export function simulatedAntenna(antenna: SimulatedAntenna) {
  const field = simulatedField(antenna)

  const actions: Record<AntennaCommandName, (data: Uint8Array) => MechanicsResult> = {
    'rf-activate': () => {
      const card = field.select()
      if (!card) return { code: '61' }
      const { uid, technology } = card
      const { atqa, sak } = identificationOf(card)
      const { kind, ats } = kinds[technology]
      return { data: Uint8Array.of(kind, atqa >> 8, atqa & 0xff, uid.length, ...uid, sak, ...ats) }
    },
    'rf-off': () => {
      field.drop()
      return { data: new Uint8Array() }
    },
    'rf-status': () => ({ data: Buffer.from(field.card ? kinds[field.card.technology].type : '00') }),
    'rf-login': ([, , ks, sector = 0, , ...key]) =>
      onCard(() => (field.logIn({ sector, kind: ks === 0 ? 'A' : 'B' }, Uint8Array.from(key)) ? [] : null)),
    'rf-read': ([, , sector = 0, index = 0, count = 0]) =>
      onCard((card) => {
        // As on a real card: four pages, wrapping at the end.
        if (card.technology !== 'classic') return card.readPages(index)?.subarray(0, count * 4) ?? null
        if (index >= blocksPerSector) return noSuchAddress
        return count === 1 ? card.readBlock(sector * blocksPerSector + index, field.login) : null
      }),
    'rf-write': ([, , sector = 0, index = 0, , ...bytes]) =>
      onCard((card) => {
        const data = Uint8Array.from(bytes)
        if (card.technology !== 'classic') return card.writePage(index, data) ? [] : null
        if (index >= blocksPerSector - 1) return null
        return card.writeBlock(sector * blocksPerSector + index, data, field.login) ? [] : null
      }),
    'rf-change-key': ([, , , sector = 0, , ...key]) =>
      onCard((card) => {
        const trailer = sectorTrailer(Uint8Array.from(key), transportConditions, transportKey)
        return card.writeBlock(sector * blocksPerSector + blocksPerSector - 1, trailer, field.login)
          ? []
          : null
      }),
  }

  return {
    carryOut: (name: AntennaCommandName, data: Uint8Array): MechanicsResult => actions[name](data),
    /** Ends the field, because the machine moved or was initialised. */
    lose: field.drop,
  }

  /** The card's data and the result. Null from the card is a refusal. */
  function onCard(act: (card: SimulatedCard) => Iterable<number> | null): MechanicsResult {
    if (!field.card) return { code: '65' }
    const result = field.act(act)
    if (result === noSuchAddress) return { data: Uint8Array.from(noSuchAddress) }
    return { data: Uint8Array.from(result ? [...result, ...done] : refused) }
  }
}
