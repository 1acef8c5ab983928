import type { SimulatedAntenna, SimulatedCard } from './simulated-card.ts'
import type { Login } from './simulated-silicon.ts'

/** The field of a simulated reader, without a selected card. `dropped` is called at the end of each selection. */
export function simulatedField(antenna: SimulatedAntenna, dropped = () => {}) {
  let card: SimulatedCard | null = null
  let login: Login | null = null
  /** Ends selection and login. */
  const drop = () => {
    card = null
    login = null
    dropped()
  }
  return {
    get card(): SimulatedCard | null {
      return card
    },
    get login(): Login | null {
      return login
    },
    /** Selects the first card on the antenna; null when there is none. Ends the login. */
    select(): SimulatedCard | null {
      drop()
      card = antenna.cards()[0] ?? null
      return card
    },
    drop,
    /** Logs in to a sector of the selected card. False when the card refuses the key. */
    logIn(next: Login, key: Uint8Array): boolean {
      if (!card?.login(next.sector, next.kind, key)) return false
      login = next
      return true
    },
    /**
     * What the selected card gives. Null when none is selected, when the card has left, or when it refuses. Null ends
     * selection and login, as on a real card.
     */
    act<Value>(perform: (card: SimulatedCard) => Value | null): Value | null {
      const value = card && antenna.cards().includes(card) ? perform(card) : null
      if (value === null) drop()
      return value
    },
  }
}

/** How a card identifies itself to a reader, by ISO 14443A: ATQA as a number of two bytes, and SAK. */
export function identificationOf({ technology, uid, memory }: SimulatedCard): { atqa: number; sak: number } {
  if (technology === 'desfire') return { atqa: 0x0344, sak: 0x20 }
  if (technology !== 'classic') return { atqa: 0x0044, sak: 0x00 }
  const isLarge = memory.length > 1_024
  const short = isLarge ? 0x0002 : 0x0004
  return { atqa: uid.length === 4 ? short : 0x0040 | short, sak: isLarge ? 0x18 : 0x08 }
}
