import type { CardEncoder, FoundCard } from '../../../src/devices/capability.ts'
import { DeviceFault } from '../../../src/devices/fault.ts'
import type { Login, SimulatedCard } from '../../../src/devices/simulated-card.ts'

export interface Tear {
  /** How many writes succeed before the card is torn away. */
  afterWrites: number
  /** How many bytes of the next write still reach the card. */
  bytes: number
}

export interface MemoryEncoder extends CardEncoder {
  /** Every block and page written, in order. */
  readonly written: string[]
}

/**
 * An encoder without a wire, as strict as real ones: a card that refused a key must be found again, a write that the
 * card refuses is a fault. It can tear the card away in the middle of a write.
 */
export function memoryEncoder(card: SimulatedCard, tear?: Tear): MemoryEncoder {
  const written: string[] = []
  let selected = false
  let login: Login | null = null
  let gone = false

  const present = () => {
    if (gone) throw new DeviceFault('card-removed', 'torn away')
    if (!selected) throw new DeviceFault('no-card', 'not selected')
  }
  const write = (name: string, at: number, data: Uint8Array, put: (data: Uint8Array) => boolean) => {
    present()
    const torn = tear !== undefined && written.length === tear.afterWrites
    const old = card.memory.slice(at, at + data.length)
    const reaching = torn ? Uint8Array.of(...data.subarray(0, tear.bytes), ...old.subarray(tear.bytes)) : data
    if (!put(reaching)) throw new DeviceFault('card-write-protected', `${name} is protected`)
    if (torn) {
      gone = true
      throw new DeviceFault('card-removed', 'torn away')
    }
    written.push(name)
  }
  const read = (bytes: Uint8Array | null) => {
    if (!bytes) throw new DeviceFault('vendor-error', 'the card refuses to be read')
    return bytes
  }

  return {
    written,
    async identify() {
      return { model: 'memory', firmware: '', serialNumber: '' }
    },
    async find() {
      if (gone) return null
      selected = true
      login = null
      return found(card)
    },
    async authenticate(sector, kind, key) {
      present()
      selected = card.login(sector, kind, key)
      login = selected ? { sector, kind } : null
      return selected
    },
    async readBlock(block) {
      present()
      return read(card.readBlock(block, login))
    },
    async writeBlock(block, data) {
      write(`block ${block}`, block * 16, data, (bytes) => card.writeBlock(block, bytes, login))
    },
    async readPages(page) {
      present()
      return read(card.readPages(page))
    },
    async writePage(page, data) {
      write(`page ${page}`, page * 4, data, (bytes) => card.writePage(page, bytes))
    },
    async off() {
      selected = false
    },
    async signal() {},
    close() {},
  }
}

export function found(card: SimulatedCard): FoundCard {
  return { uid: card.uid, format: card.technology === 'classic' ? 'Mifare1K' : 'MifareUltralight' }
}
