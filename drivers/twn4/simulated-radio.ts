import type { Antenna, Login, SimulatedCard } from '../../src/devices/simulated-card.ts'
import type { CommandName } from './protocol.ts'

/** Carries a command out on its parameters, and gives the bytes that follow ERR 00. */
export type Action = (parameters: Buffer) => Iterable<number>

const no = [0x00]
const yes = [0x01]
/** The one error number that the vendor's manual shows; what it means it does not say. */
const someError = 203

/**
 * The radio part of a simulated reader. It works on the first card of its antenna: the reader cannot tell that there
 * are more. Every refusal of a card, and a card that has left, ends selection and login.
 */
export function radio(antenna: Antenna) {
  let searchesForCards = true
  let lastError = 0
  let selected: SimulatedCard | null = null
  let login: Login | null = null

  return {
    lastError: () => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32LE(lastError)
      return bytes
    },
    setTagTypes: (masks) => {
      searchesForCards = (masks.readUInt32LE(4) & 1) === 1
      return []
    },
    rfOff: () => {
      select(null)
      return []
    },
    searchTag: ([most = 0]) => {
      select((searchesForCards && antenna.cards()[0]) || null)
      if (!selected) return no
      const uid = selected.uid.subarray(0, most)
      return [...yes, 0x80, 8 * selected.uid.length, uid.length, ...uid]
    },
    sak: () => onCard((card) => [kinds[kindOf(card)].sak]),
    atqa: () => onCard((card) => kinds[kindOf(card)].atqa),
    login: (parameters) =>
      onCard((card) => {
        const [kind, sector = 0] = parameters.subarray(6)
        const next: Login = { sector, kind: kind === 0 ? 'A' : 'B' }
        if (!card.login(next.sector, next.kind, parameters.subarray(0, 6))) return null
        login = next
        return []
      }),
    readBlock: ([block = 0]) => onCard((card) => card.readBlock(block, login)),
    writeBlock: ([block = 0, ...data]) =>
      onCard((card) => (card.writeBlock(block, Uint8Array.from(data), login) ? [] : null)),
    readPages: ([page = 0]) => onCard((card) => card.readPages(page)),
    writePage: ([page = 0, ...data]) =>
      onCard((card) => (card.writePage(page, Uint8Array.from(data)) ? [] : null)),
  } satisfies Partial<Record<CommandName, Action>>

  /** Bool and what the card gives; "no" when it gives null, or when the selected card has left. */
  function onCard(act: (card: SimulatedCard) => Iterable<number> | null): Iterable<number> {
    const given = selected && antenna.cards().includes(selected) ? act(selected) : null
    if (given) return [...yes, ...given]
    lastError = someError
    select(null)
    return no
  }

  function select(card: SimulatedCard | null): void {
    selected = card
    login = null
  }
}

const kinds = {
  classic1K: { sak: 0x08, atqa: [0x04, 0x00] },
  classic4K: { sak: 0x18, atqa: [0x02, 0x00] },
  ultralight: { sak: 0x00, atqa: [0x44, 0x00] },
}

function kindOf({ technology, memory }: SimulatedCard): keyof typeof kinds {
  if (technology === 'ultralight') return 'ultralight'
  return memory.length > 1_024 ? 'classic4K' : 'classic1K'
}
