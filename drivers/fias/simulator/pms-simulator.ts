import type { Duplex } from 'node:stream'
import { inbox } from '../../../src/devices/inbox.ts'
import type { Clock } from '../../../src/host/clock.ts'
import { type CodePageName, codePage } from '../code-page.ts'
import type { Framing } from '../framing.ts'
import { type FiasRecord, recordText } from '../record.ts'
import { type SerialManners, type SimulatedLine, simulatedLine } from './simulated-line.ts'

type Fields = Readonly<Record<string, string>>

/** A simulated property management system; a test may change its fields at any time. */
export interface SimulatedFiasPms {
  clock: Clock
  framing: Framing
  /** The encoding of what it sends. A change counts from the next wire on. */
  codePage: CodePageName
  /** Whether it sends LS when a wire opens, or waits for the other side. */
  speaksFirst: boolean
  /** Without power it neither receives nor sends, and does not close the line. */
  hasPower: boolean
  manners: SerialManners
  /** The fields that the key system wants in each record, from its LR. */
  wanted: Map<string, string>
  /** Whether the key system is announcing what it wants. */
  isDescribing: boolean
  /** How many times a link has become active. */
  links: number
  /** The records received, the newest 1,000. */
  received: FiasRecord[]
  /** Sends one request, and returns the next answer; `late` when none comes, `gone` without a link. */
  ask(id: string, fields: Fields, ms: number): Promise<FiasRecord | 'late' | 'gone'>
  /** Sends requests in one piece, and does not wait. */
  post(...requests: [id: string, fields: Fields][]): void
  /** Sends records as they are, in one piece. */
  send(...texts: string[]): void
  /** Called with each record that is neither a link record nor an answer. */
  requested(record: FiasRecord): void
  next(ms: number): Promise<FiasRecord | 'late' | 'gone'>
  /** Asks whether the key system is there. */
  alive(): void
  /** Ends the link in the orderly way. */
  leave(): void
  /** Unplugs the line. */
  drop(): void
  /** Simulates it on a wire until the wire closes. */
  play(wire: Duplex): Promise<void>
}

const most = 1_000
const stamp = { DA: '260801', TI: '120000' }

/** A PMS without a connection. */
export function pms(over: Partial<SimulatedFiasPms> & Pick<SimulatedFiasPms, 'clock'>): SimulatedFiasPms {
  const { clock } = over
  const answers = inbox<FiasRecord>(clock)
  let current: SimulatedLine | null = null

  const simulated: SimulatedFiasPms = {
    framing: 'tcp',
    codePage: 'windows-1252',
    speaksFirst: true,
    hasPower: true,
    manners: { naks: 0, unacknowledged: 0 },
    wanted: new Map(),
    isDescribing: false,
    links: 0,
    received: [],
    async ask(id, fields, ms) {
      answers.empty()
      if (!current) return 'gone'
      current.send(recordText(id, { ...fields, ...stamp }))
      return answers.next(ms)
    },
    post(...requests) {
      current?.send(...requests.map(([id, fields]) => recordText(id, { ...fields, ...stamp })))
    },
    send: (...texts) => current?.send(...texts),
    requested() {},
    next: (ms) => answers.next(ms),
    alive: () => current?.send(recordText('LS', stamp)),
    leave: () => current?.send(recordText('LE', stamp)),
    drop: () => current?.close(),
    play(wire) {
      const { promise: gone, resolve } = Promise.withResolvers<void>()
      const line = simulatedLine(wire, simulated.framing, simulated.manners, {
        clock,
        page: codePage(simulated.codePage),
        receive: (record) => receive(line, record),
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

  function receive(line: SimulatedLine, record: FiasRecord): void {
    if (!simulated.hasPower) return
    simulated.received.push(record)
    if (simulated.received.length > most) simulated.received.shift()
    const handle = linkRecords[record.id]
    if (record.id === 'KA' || record.id === 'KZ') answers.put(record)
    else if (handle) handle(simulated, line, record)
    else simulated.requested(record)
  }
}

type Handler = (pms: SimulatedFiasPms, line: SimulatedLine, record: FiasRecord) => void

/** Handles the link records of a key system. */
const linkRecords: Partial<Record<string, Handler>> = {
  LD(pms) {
    pms.isDescribing = true
    pms.wanted.clear()
  },
  LR({ wanted }, _line, { fields: { RI = '', FL = '' } }) {
    wanted.set(RI, FL)
  },
  LS: (_pms, line) => line.send(recordText('LA', stamp)),
  LA(pms, line) {
    if (!pms.isDescribing) return
    pms.isDescribing = false
    line.send(recordText('LA', stamp))
    pms.links++
  },
  LE: (_pms, line) => line.close(),
}
