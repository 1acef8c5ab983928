import type { CardEncoder } from '../capability.ts'
import { oneAtATime } from '../one-at-a-time.ts'
import { demand, isBelow, isByte } from './demand.ts'

/** A key of a MIFARE Classic sector. */
export interface SectorLogin {
  sector: number
  kind: 'A' | 'B'
  key: Uint8Array
}

/**
 * The commands of a reader for contactless cards. `encoder` calls one at a time, with checked arguments and with copies
 * of keys and data. Every method rejects with a DeviceFault.
 */
export interface CardReader extends Omit<CardEncoder, 'authenticate' | 'unlockPages' | 'desfire'> {
  /** Throws unless a card was found and has not left since. */
  expectCard(): void
  logIn(login: SectorLogin): Promise<boolean>
}

const callsWaiting = 16

/** A mutex for the calls of one encoder: they run one at a time, in call order. */
export function encoderTurns(): <T>(call: () => Promise<T>) => Promise<T> {
  return oneAtATime(callsWaiting, 'encoder-busy')
}

/**
 * Makes a CardEncoder of a reader. A missing card is reported before a wrong argument. Pass `inTurn` when the driver
 * has further calls that need the same mutex.
 */
export function encoder(reader: CardReader, inTurn = encoderTurns()): CardEncoder {
  const onCard = <T>(isValid: boolean, expected: string, call: () => Promise<T>) =>
    inTurn(async () => {
      reader.expectCard()
      demand(isValid, expected)
      return call()
    })
  return {
    identify: () => inTurn(reader.identify),
    find: () => inTurn(reader.find),
    authenticate: (sector, kind, key) =>
      onCard(isBelow(40, sector) && key.length === 6, 'a sector is 0..39 and its key 6 bytes', () =>
        reader.logIn({ sector, kind, key: Uint8Array.from(key) }),
      ),
    readBlock: (block) => onCard(isByte(block), 'a block is 0..255', () => reader.readBlock(block)),
    writeBlock: (block, data) =>
      onCard(isByte(block) && data.length === 16, 'a block is 0..255 and its data 16 bytes', () =>
        reader.writeBlock(block, Uint8Array.from(data)),
      ),
    readPages: (page) => onCard(isByte(page), 'a page is 0..255', () => reader.readPages(page)),
    writePage: (page, data) =>
      onCard(isByte(page) && data.length === 4, 'a page is 0..255 and its data 4 bytes', () =>
        reader.writePage(page, Uint8Array.from(data)),
      ),
    off: () => inTurn(reader.off),
    signal: (kind) => inTurn(() => reader.signal(kind)),
    close: reader.close,
  }
}
