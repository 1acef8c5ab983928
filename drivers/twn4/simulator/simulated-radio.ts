import type { SimulatedAntenna, SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import { identificationOf, simulatedField } from '../../../src/simulators/devices/simulated-field.ts'
import type { Twn4CommandName } from '../protocol.ts'
import { desfireRadio } from './simulated-desfire.ts'

/** Executes a command on its parameters, and returns the bytes that follow ERR 00. */
export type Twn4Handler = (parameters: Buffer) => Iterable<number>

/** Executes a command on the selected card: the bytes that it gives, or null for its refusal. */
type CardAction = (card: SimulatedCard, parameters: Buffer) => Iterable<number> | null

const no = [0x00]
const yes = [0x01]
/** The only error number that the vendor's manual shows. Its meaning is not documented. */
const someError = 203

interface Radio {
  field: ReturnType<typeof simulatedField>
  searchesForCards: boolean
  lastError: number
  /** Whether the card has accepted a password. */
  unlocked: boolean
}

/**
 * The radio part of a simulated reader. It works on the first card of its antenna, because the reader cannot detect
 * further cards.
 */
export function radio(antenna: SimulatedAntenna) {
  const desfire = desfireRadio()
  const dropped = () => {
    state.unlocked = false
    desfire.reset()
  }
  const field = simulatedField(antenna, dropped)
  const state: Radio = { field, searchesForCards: true, lastError: 0, unlocked: false }

  /** A Bool, followed by what the card gives when it is true. */
  const onCard =
    (act: CardAction): Twn4Handler =>
    (parameters) => {
      const result = field.act((card) => act(card, parameters))
      if (result) return [...yes, ...result]
      state.lastError = someError
      return no
    }

  return {
    ...searching(state),
    ...onBlocks(state, onCard),
    ...onPages(state, onCard),
    sak: onCard((card) => [identificationOf(card).sak]),
    atqa: onCard((card) => {
      const { atqa } = identificationOf(card)
      return [atqa & 0xff, atqa >> 8]
    }),
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
  } satisfies Partial<Record<Twn4CommandName, Twn4Handler>>
}

type Handlers = Partial<Record<Twn4CommandName, Twn4Handler>>
type OnCard = (act: CardAction) => Twn4Handler

function searching(radio: Radio) {
  const { field } = radio
  return {
    lastError: () => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32LE(radio.lastError)
      return bytes
    },
    setTagTypes: (masks) => {
      radio.searchesForCards = (masks.readUInt32LE(4) & 1) === 1
      return []
    },
    rfOff: () => {
      field.drop()
      return []
    },
    searchTag: ([most = 0]) => {
      field.drop()
      const card = radio.searchesForCards ? field.select() : null
      if (!card) return no
      const uid = card.uid.subarray(0, most)
      return [...yes, 0x80, 8 * card.uid.length, uid.length, ...uid]
    },
  } satisfies Handlers
}

function onBlocks({ field }: Radio, onCard: OnCard) {
  return {
    login: onCard((_card, parameters) => {
      const [kind, sector = 0] = parameters.subarray(6)
      return done(field.logIn({ sector, kind: kind === 0 ? 'A' : 'B' }, parameters.subarray(0, 6)))
    }),
    readBlock: onCard((card, [block = 0]) => card.readBlock(block, field.login)),
    writeBlock: onCard((card, [block = 0, ...data]) =>
      done(card.writeBlock(block, Uint8Array.from(data), field.login)),
    ),
  } satisfies Handlers
}

function onPages(radio: Radio, onCard: OnCard) {
  const read = onCard((card, [page = 0]) => card.readPages(page, radio.unlocked))
  const write = onCard((card, [page = 0, ...data]) =>
    done(card.writePage(page, Uint8Array.from(data), radio.unlocked)),
  )
  const unlock = onCard((card, parameters) => {
    const acknowledged = card.unlock(parameters.subarray(0, 4))
    radio.unlocked = acknowledged !== null && parameters.subarray(4).equals(acknowledged)
    return done(radio.unlocked)
  })
  return {
    readPages: read,
    writePage: write,
    unlockEv1: unlock,
    readNtag: read,
    writeNtag: write,
    unlockNtag: unlock,
    pageVersion: onCard((card) => card.version()),
  } satisfies Handlers
}

/** The answer of a card that gives no bytes: null for a refusal. */
function done(isDone: boolean): Iterable<number> | null {
  return isDone ? [] : null
}
