import { placeOf } from '../../../src/devices/mifare-classic.ts'
import type { SimulatedAntenna, SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import { identificationOf } from '../../../src/simulators/devices/simulated-field.ts'
import type { Ifd510CommandName } from '../protocol.ts'

/** Executes a command on its data; returns the data of an answer with status 00, or the reason of one with 01. */
export type Ifd510Handler = (data: Uint8Array) => Iterable<number> | { reason: number }

const noCard = { reason: 0x83 }
const notReceived = { reason: 0x84 }
const badParameter = { reason: 0x85 }
const wrongKey = { reason: 0x8c }
export const done = [0x80]

/**
 * The radio part of a simulated reader. It works on the first card of its antenna, which it selects anew with each
 * command; it keeps neither a selection nor a login.
 */
export function radio(antenna: SimulatedAntenna) {
  return {
    request: () => onCard(atqaOf),
    halt: () => onCard(() => done),
    serialOf: () => onCard((card) => [antenna.cards().length > 1 ? 1 : 0, ...firstFour(card)]),
    readBlock: ([mode = 0, count = 0, block = 0, ...key]) =>
      inSector(mode, block, key, (card, login) => {
        const blocks = Array.from({ length: count }, (_, index) => card.readBlock(block + index, login))
        if (count < 1 || count > 4) return badParameter
        return blocks.every((each) => each !== null)
          ? [...firstFour(card), ...blocks.flatMap((each) => [...each])]
          : notReceived
      }),
    writeBlock: ([mode = 0, count = 0, block = 0, ...rest]) =>
      inSector(mode, block, rest.slice(0, 6), (card, login) => {
        const data = rest.slice(6)
        if (count < 1 || count > 4 || data.length !== count * 16) return badParameter
        for (let index = 0; index < count; index++) {
          const piece = Uint8Array.from(data.slice(index * 16, index * 16 + 16))
          if (!card.writeBlock(block + index, piece, login)) return notReceived
        }
        return [...firstFour(card)]
      }),
    readPages: ([, page = 0]) =>
      onCard((card) => {
        const pages = card.readPages(page)
        return pages ? [...pages, ...card.uid] : notReceived
      }),
    writePage: ([, , page = 0, ...data]) =>
      onCard((card) => (card.writePage(page, Uint8Array.from(data)) ? [...card.uid] : notReceived)),
  } satisfies Partial<Record<Ifd510CommandName, Ifd510Handler>>

  function onCard(act: (card: SimulatedCard) => ReturnType<Ifd510Handler>): ReturnType<Ifd510Handler> {
    const [card] = antenna.cards()
    return card ? act(card) : noCard
  }

  function inSector(
    mode: number,
    block: number,
    key: number[],
    act: (
      card: SimulatedCard,
      login: { sector: number; kind: 'A' | 'B' },
    ) => Iterable<number> | { reason: number },
  ): ReturnType<Ifd510Handler> {
    return onCard((card) => {
      const login = { sector: placeOf(block).sector, kind: mode & 2 ? ('B' as const) : ('A' as const) }
      return card.login(login.sector, login.kind, Uint8Array.from(key)) ? act(card, login) : wrongKey
    })
  }
}

function atqaOf(card: SimulatedCard): number[] {
  const { atqa } = identificationOf(card)
  return [atqa & 0xff, atqa >> 8]
}

/**
 * A card with a 7-byte serial number shows the first step of its cascade: 88, and three bytes. The answer of a real
 * reader is not known.
 */
function firstFour({ uid }: SimulatedCard): Uint8Array {
  return uid.length === 4 ? uid : Uint8Array.of(0x88, ...uid.subarray(0, 3))
}
