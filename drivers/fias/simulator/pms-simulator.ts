import type { Duplex } from 'node:stream'
import { inbox } from '../../../src/devices/inbox.ts'
import type { Clock } from '../../../src/host/clock.ts'
import type { Framing } from '../framing.ts'
import { type FiasRecord, recordText } from '../record.ts'
import { type SerialManners, type SimulatedLine, simulatedLine } from './simulated-line.ts'

type Fields = Readonly<Record<string, string>>

/** A property management system of some vendor, which may be changed at any time. */
export interface SimulatedPms {
  clock: Clock
  framing: Framing
  /** Whether it says LS when a wire opens, or waits to be told. */
  speaksFirst: boolean
  /** Without it nothing is heard or said, and nothing closes the line. */
  hasPower: boolean
  manners: SerialManners
  /** What the key system wants to be told with each record, by its LR. */
  wanted: Map<string, string>
  /** How many times a link has become active. */
  links: number
  /** Everything that has come, the newest 1,000. */
  heard: FiasRecord[]
  /** Sends one request, and gives the next answer; `late` when none comes, `gone` without a link. */
  ask(id: string, fields: Fields, ms: number): Promise<FiasRecord | 'late' | 'gone'>
  /** Sends requests all in one piece, and does not wait. */
  post(...requests: [id: string, fields: Fields][]): void
  /** Sends records as they are given, all in one piece. */
  say(...texts: string[]): void
  /** Told of each record that is neither about the link nor an answer. */
  asked(record: FiasRecord): void
  /** The next answer. */
  next(ms: number): Promise<FiasRecord | 'late' | 'gone'>
  /** Asks whether the key system is there. */
  alive(): void
  /** Ends the link in the orderly way. */
  leave(): void
  /** Pulls the line out. */
  drop(): void
  /** Plays it on a wire until that closes. */
  play(wire: Duplex): Promise<void>
}

const most = 1_000
const stamp = { DA: '260801', TI: '120000' }

/** A PMS that is not connected yet. */
export function pms(over: Partial<SimulatedPms> & Pick<SimulatedPms, 'clock'>): SimulatedPms {
  const { clock } = over
  const answers = inbox<FiasRecord>(clock)
  let current: SimulatedLine | null = null

  let isDescribing = false

  /** What else a key system says. */
  const heardBy: Partial<Record<string, (line: SimulatedLine, record: FiasRecord) => void>> = {
    LD() {
      isDescribing = true
      simulated.wanted.clear()
    },
    LR(_line, { fields: { RI = '', FL = '' } }) {
      simulated.wanted.set(RI, FL)
    },
    LS: (line) => line.send(recordText('LA', stamp)),
    LA(line) {
      if (!isDescribing) return
      isDescribing = false
      line.send(recordText('LA', stamp))
      simulated.links++
    },
    LE: (line) => line.close(),
  }

  const simulated: SimulatedPms = {
    framing: 'tcp',
    speaksFirst: true,
    hasPower: true,
    manners: { naks: 0, unacknowledged: 0 },
    wanted: new Map(),
    links: 0,
    heard: [],
    async ask(id, fields, ms) {
      answers.empty()
      if (!current) return 'gone'
      current.send(recordText(id, { ...fields, ...stamp }))
      return answers.next(ms)
    },
    post(...requests) {
      current?.send(...requests.map(([id, fields]) => recordText(id, { ...fields, ...stamp })))
    },
    say: (...texts) => current?.send(...texts),
    asked() {},
    next: (ms) => answers.next(ms),
    alive: () => current?.send(recordText('LS', stamp)),
    leave: () => current?.send(recordText('LE', stamp)),
    drop: () => current?.close(),
    play(wire) {
      const { promise: gone, resolve } = Promise.withResolvers<void>()
      const line = simulatedLine(wire, simulated.framing, simulated.manners, {
        clock,
        hear: (record) => hear(line, record),
        gone() {
          if (current === line) current = null
          resolve()
        },
      })
      current = line
      if (simulated.speaksFirst) line.send(recordText('LS', stamp))
      return gone
    },
    ...over,
  }
  return simulated

  function hear(line: SimulatedLine, record: FiasRecord): void {
    if (!simulated.hasPower) return
    simulated.heard.push(record)
    if (simulated.heard.length > most) simulated.heard.shift()
    const known = heardBy[record.id]
    if (record.id === 'KA' || record.id === 'KZ') answers.put(record)
    else if (known) known(line, record)
    else simulated.asked(record)
  }
}
