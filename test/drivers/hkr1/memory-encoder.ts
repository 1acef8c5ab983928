import type { CardEncoder, DesfireEncoder, FoundCard } from '../../../src/devices/capability.ts'
import { DeviceFault } from '../../../src/devices/fault.ts'
import type { SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import type { DesfireChip, DesfireSession, Login } from '../../../src/simulators/devices/simulated-silicon.ts'

export interface Tear {
  /** How many writes succeed before the card is torn away. */
  afterWrites: number
  /** How many bytes of the next write still reach the card; of what is done whole or not, any byte means all. */
  bytes: number
}

export interface MemoryEncoder extends CardEncoder {
  /** Every block and page written, and everything else that changed the card, in order. */
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
  let unlocked = false
  let gone = false

  const present = () => {
    if (gone) throw new DeviceFault('card-removed', 'torn away')
    if (!selected) throw new DeviceFault('no-card', 'not selected')
  }
  /** `put` is given how many bytes reach the card. */
  const change = (name: string, size: number, put: (reaching: number) => boolean) => {
    present()
    const torn = tear !== undefined && written.length === tear.afterWrites
    if (!put(torn ? tear.bytes : size)) throw new DeviceFault('card-write-protected', `${name} is protected`)
    if (torn) {
      gone = true
      throw new DeviceFault('card-removed', 'torn away')
    }
    written.push(name)
  }
  const write = (name: string, at: number, data: Uint8Array, put: (data: Uint8Array) => boolean) =>
    change(name, data.length, (reaching) => {
      const old = card.memory.slice(at, at + data.length)
      return put(Uint8Array.of(...data.subarray(0, reaching), ...old.subarray(reaching)))
    })
  const read = (bytes: Uint8Array | null) => {
    if (!bytes) throw new DeviceFault('vendor-error', 'the card refuses to be read')
    return bytes
  }
  const { desfire } = card
  let session: DesfireSession = { application: 0, key: null }

  return {
    written,
    async identify() {
      return { model: 'memory', firmware: '', serialNumber: '' }
    },
    async find() {
      if (gone) return null
      selected = true
      login = null
      unlocked = false
      session = { application: 0, key: null }
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
      return read(card.readPages(page, unlocked))
    },
    async writePage(page, data) {
      write(`page ${page}`, page * 4, data, (bytes) => card.writePage(page, bytes, unlocked))
    },
    async unlockPages(password, acknowledgement) {
      present()
      const acknowledged = card.unlock(password)
      unlocked = acknowledged !== null && Buffer.compare(acknowledged, acknowledgement) === 0
      return unlocked
    },
    ...(desfire && { desfire: onDesfire(desfire) }),
    async off() {
      selected = false
    },
    async signal() {},
    close() {},
  }

  function onDesfire(chip: DesfireChip): DesfireEncoder {
    const order = (name: string, put: () => boolean) => change(name, 1, (reaching) => reaching === 0 || put())
    /** Whoever is refused is no longer authenticated. */
    const told = <Answer>(answer: Answer | null): Answer | null => {
      if (answer === null) session = { ...session, key: null }
      return answer
    }
    return {
      async select(application) {
        present()
        if (!chip.has(application)) return false
        session = { application, key: null }
        return true
      },
      async authenticate(key, { type, bytes }) {
        present()
        const isRight = chip.authenticate(session.application, key, { type, bytes })
        session = { ...session, key: isRight ? key : null }
        return isRight
      },
      async settings() {
        present()
        return told(chip.settings(session))
      },
      async file(number) {
        present()
        return told(chip.file(session, number))
      },
      async read(...place) {
        present()
        return read(told(chip.read(session, ...place)))
      },
      async write(file, offset, data, mode) {
        change(`file ${file} at ${offset}`, data.length, (reaching) =>
          chip.write(session, file, offset, data.subarray(0, reaching), mode),
        )
      },
      async createApplication(application, settings) {
        order(`application ${application}`, () => chip.createApplication(session, application, settings))
      },
      async createFile(number, file) {
        order(`file ${number}`, () => chip.createFile(session, number, file))
      },
      async changeKey(number, from, to) {
        order(`key ${number}`, () => chip.changeKey(session, number, from, to))
        if (session.key === number) session = { ...session, key: null }
      },
      async format() {
        order('format', () => chip.format(session))
      },
    }
  }
}

export function found(card: SimulatedCard): FoundCard {
  const { uid, technology, memory } = card
  if (technology === 'classic') return { uid, format: 'Mifare1K' }
  if (technology === 'desfire') return { uid, format: 'Desfire' }
  const chip = ({ 180: 'NTAG213', 540: 'NTAG215', 924: 'NTAG216' } as const)[memory.length]
  return { uid, format: 'MifareUltralight', ...(chip && { chip }) }
}
