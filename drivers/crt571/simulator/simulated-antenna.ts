import {
  blocksPerSector,
  sectorTrailer,
  transportConditions,
  transportKey,
} from '../../../src/devices/mifare-classic.ts'
import type { Antenna, SimulatedCard, Technology } from '../../../src/devices/simulator/simulated-card.ts'
import type { Login } from '../../../src/devices/simulator/simulated-silicon.ts'
import type { AntennaCommandName } from '../antenna-protocol.ts'
import type { Result } from './mechanics.ts'

const done = [0x90, 0x00]
const refused = [0x6f, 0x00]
const noSuchAddress = [0x6b, 0x00]

/**
 * The reply of each kind of card to an activation: the first byte, ATQA, SAK and the rest. The last value is its type
 * in a status reply.
 */
const kinds: Record<Technology, { kind: number; atqa: number[]; sak: number; ats: number[]; type: string }> =
  {
    classic: { kind: 0x4d, atqa: [0x00, 0x04], sak: 0x08, ats: [], type: '10' },
    ultralight: { kind: 0x4d, atqa: [0x00, 0x44], sak: 0x00, ats: [], type: '12' },
    ntag: { kind: 0x4d, atqa: [0x00, 0x44], sak: 0x00, ats: [], type: '12' },
    desfire: {
      kind: 0x41,
      atqa: [0x03, 0x44],
      sak: 0x20,
      ats: [0x06, 0x75, 0x77, 0x81, 0x02, 0x80],
      type: '20',
    },
  }

/**
 * The reader over the antenna. A card that refused a command, was moved or was taken is inactive until it is activated
 * again.
 */
export function simulatedAntenna(antenna: Antenna) {
  let active: SimulatedCard | null = null
  let login: Login | null = null

  const deeds: Record<AntennaCommandName, (data: Uint8Array) => Result> = {
    'rf-activate': () => {
      select(antenna.cards()[0] ?? null)
      if (!active) return { code: '61' }
      const { uid, technology } = active
      const { kind, atqa, sak, ats } = kinds[technology]
      return { data: Uint8Array.of(kind, ...atqa, uid.length, ...uid, sak, ...ats) }
    },
    'rf-off': () => {
      select(null)
      return { data: new Uint8Array() }
    },
    'rf-status': () => ({ data: Buffer.from(active ? kinds[active.technology].type : '00') }),
    'rf-login': ([, , ks, sector = 0, , ...key]) =>
      onCard((card) => {
        const next: Login = { sector, kind: ks === 0 ? 'A' : 'B' }
        if (!card.login(sector, next.kind, Uint8Array.from(key))) return null
        login = next
        return []
      }),
    'rf-read': ([, , sector = 0, index = 0, count = 0]) =>
      onCard((card) => {
        // As on a real card: four pages, wrapping at the end.
        if (card.technology !== 'classic') return card.readPages(index)?.subarray(0, count * 4) ?? null
        if (index >= blocksPerSector) return noSuchAddress
        return count === 1 ? card.readBlock(sector * blocksPerSector + index, login) : null
      }),
    'rf-write': ([, , sector = 0, index = 0, , ...bytes]) =>
      onCard((card) => {
        const data = Uint8Array.from(bytes)
        if (card.technology !== 'classic') return card.writePage(index, data) ? [] : null
        if (index >= blocksPerSector - 1) return null
        return card.writeBlock(sector * blocksPerSector + index, data, login) ? [] : null
      }),
    'rf-change-key': ([, , , sector = 0, , ...key]) =>
      onCard((card) => {
        const trailer = sectorTrailer(Uint8Array.from(key), transportConditions, transportKey)
        return card.writeBlock(sector * blocksPerSector + blocksPerSector - 1, trailer, login) ? [] : null
      }),
  }

  return {
    carryOut: (name: AntennaCommandName, data: Uint8Array): Result => deeds[name](data),
    /** Ends the field, because the machine moved or was initialised. */
    lose: () => select(null),
  }

  /**
   * The card's data and the result. A null from the card, or a card that has left, is a refusal and makes the card
   * inactive.
   */
  function onCard(act: (card: SimulatedCard) => Iterable<number> | null): Result {
    if (!active) return { code: '65' }
    const given = antenna.cards().includes(active) ? act(active) : null
    if (given === noSuchAddress) return { data: Uint8Array.from(noSuchAddress) }
    if (given) return { data: Uint8Array.of(...given, ...done) }
    select(null)
    return { data: Uint8Array.from(refused) }
  }

  function select(card: SimulatedCard | null): void {
    active = card
    login = null
  }
}
