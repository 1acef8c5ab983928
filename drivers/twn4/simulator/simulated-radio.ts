import type { Antenna, SimulatedCard } from '../../../src/devices/simulator/simulated-card.ts'
import type { Login } from '../../../src/devices/simulator/simulated-silicon.ts'
import type { CommandName } from '../protocol.ts'
import { desfireRadio } from './simulated-desfire.ts'

/** Carries a command out on its parameters, and gives the bytes that follow ERR 00. */
export type Action = (parameters: Buffer) => Iterable<number>

/** What a command makes the selected card do: the bytes it gives, or null for its refusal. */
type CardAction = (card: SimulatedCard, parameters: Buffer) => Iterable<number> | null

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
  let unlocked = false
  const desfire = desfireRadio()

  const onPages = {
    read: onCard((card, [page = 0]) => card.readPages(page, unlocked)),
    write: onCard((card, [page = 0, ...data]) => done(card.writePage(page, Uint8Array.from(data), unlocked))),
    unlock: onCard((card, parameters) => {
      const acknowledged = card.unlock(parameters.subarray(0, 4))
      unlocked = acknowledged !== null && parameters.subarray(4).equals(acknowledged)
      return done(unlocked)
    }),
  }

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
    sak: onCard((card) => [kinds[kindOf(card)].sak]),
    atqa: onCard((card) => kinds[kindOf(card)].atqa),
    login: onCard((card, parameters) => {
      const [kind, sector = 0] = parameters.subarray(6)
      const next: Login = { sector, kind: kind === 0 ? 'A' : 'B' }
      if (!card.login(next.sector, next.kind, parameters.subarray(0, 6))) return null
      login = next
      return []
    }),
    readBlock: onCard((card, [block = 0]) => card.readBlock(block, login)),
    writeBlock: onCard((card, [block = 0, ...data]) =>
      done(card.writeBlock(block, Uint8Array.from(data), login)),
    ),
    readPages: onPages.read,
    writePage: onPages.write,
    unlockEv1: onPages.unlock,
    readNtag: onPages.read,
    writeNtag: onPages.write,
    unlockNtag: onPages.unlock,
    pageVersion: onCard((card) => card.version()),
    selectApplication: onCard(desfire.selectApplication),
    authenticate: onCard(desfire.authenticate),
    keySettings: onCard(desfire.keySettings),
    fileSettings: onCard(desfire.fileSettings),
    readFile: onCard(desfire.readFile),
    writeFile: onCard(desfire.writeFile),
    createApplication: onCard(desfire.createApplication),
    createFile: onCard(desfire.createFile),
    changeKey: onCard(desfire.changeKey),
    formatCard: onCard(desfire.formatCard),
  } satisfies Partial<Record<CommandName, Action>>

  /** Bool and what the card gives; "no" when it gives null, or when the selected card has left. */
  function onCard(act: CardAction): Action {
    return (parameters) => {
      const given = selected && antenna.cards().includes(selected) ? act(selected, parameters) : null
      if (given) return [...yes, ...given]
      lastError = someError
      select(null)
      return no
    }
  }

  function select(card: SimulatedCard | null): void {
    selected = card
    login = null
    unlocked = false
    desfire.reset()
  }
}

/** No bytes follow a "yes" of this sort. */
function done(isDone: boolean): Iterable<number> | null {
  return isDone ? [] : null
}

const kinds = {
  classic1K: { sak: 0x08, atqa: [0x04, 0x00] },
  classic4K: { sak: 0x18, atqa: [0x02, 0x00] },
  pages: { sak: 0x00, atqa: [0x44, 0x00] },
  desfire: { sak: 0x20, atqa: [0x44, 0x03] },
}

function kindOf({ technology, memory }: SimulatedCard): keyof typeof kinds {
  if (technology === 'desfire') return 'desfire'
  if (technology !== 'classic') return 'pages'
  return memory.length > 1_024 ? 'classic4K' : 'classic1K'
}
