import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { checkOf } from '../../../src/devices/driving/stx-messages.ts'
import type { Clock } from '../../../src/host/clock.ts'
import { type Misbehaviour, misbehaviourFor } from '../../../src/simulators/devices/misbehaviour.ts'
import type { Framing } from '../framing.ts'
import { type FiasRecord, recordText } from '../record.ts'
import { bookOf, type KeyBook } from './key-book.ts'
import { type SerialManners, type SimulatedLine, simulatedLine } from './simulated-line.ts'

/** An error that the key system makes at a request. `at` is KR, KD, KM, KZ, or `*` for any. */
export interface KeySystemDeed extends Omit<Misbehaviour, 'does'> {
  /**
   * silence: do not execute, do not answer. late: execute, do not answer. hold: execute, answer at `release`. close: do
   * not execute, drop the line. close-after: execute, drop the line. refuse: answer with the status `code`. garble:
   * answer with broken bytes. other-first: send an answer for another workstation first. one-piece: send a link record
   * and the answer in one piece. split: send the answer in two pieces. alive-first: ask whether the appliance is there
   * before the answer. describe: announce the wanted records again before the answer. check: word the answer so that
   * its check byte is the number `code`. pass: behave well.
   */
  does:
    | Misbehaviour['does']
    | 'hold'
    | 'close-after'
    | 'other-first'
    | 'one-piece'
    | 'split'
    | 'alive-first'
    | 'describe'
    | 'check'
}

/** A simulated key system; a test may change its fields at any time. */
export interface SimulatedKeySystem {
  clock: Clock
  framing: Framing
  /** Its announcement: each record, and the fields that it wants in it. */
  wanted: [id: string, fields: string][]
  /** RT of its LD. */
  asks: string | null
  /** The fields that are absent in all its answers. */
  leavesOut: readonly string[]
  /** Whether the number of an encoder has two digits in its answers, as in `KC01`. */
  padsEncoder: boolean
  deeds: KeySystemDeed[]
  /** Without power it neither receives nor sends, and does not close the line. */
  hasPower: boolean
  manners: SerialManners
  book: KeyBook
  /** What its clock shows, as DA and TI. */
  shown(): { DA: string; TI: string }
  /** The requests received, the newest 1,000. */
  requests: FiasRecord[]
  /** All other records received, the newest 1,000. */
  linkRecords: FiasRecord[]
  /** Sends the held answers. */
  release(): void
  /** Simulates it on a wire until the wire closes. A newer wire replaces an older one. */
  play(wire: Duplex): Promise<void>
}

const typical: [string, string][] = [
  ['KR', 'K#KCKTRNWSDADTG#GNGAGDTIKOSI'],
  ['KD', 'KCRNWSDATIG#'],
  ['KM', 'KCRNROWSDATIG#GAGDDTGNSI'],
  ['KZ', 'KCWSDATI'],
  ['KA', 'ASKCWSCTDATIG#$2$3'],
]
const most = 1_000
const requestKinds = ['KR', 'KD', 'KM', 'KZ']

/** A key system with these rooms; null for any room. */
export function keySystem(
  over: Partial<SimulatedKeySystem> &
    Pick<SimulatedKeySystem, 'clock'> & { rooms?: readonly string[] | null },
) {
  let held: (() => void)[] = []
  let current: SimulatedLine | null = null

  const system: SimulatedKeySystem = {
    ...freshSystem(over.rooms ?? null),
    release() {
      const all = held
      held = []
      for (const answer of all) answer()
    },
    play(wire) {
      current?.close()
      const { promise: gone, resolve } = Promise.withResolvers<void>()
      const line = simulatedLine(wire, system.framing, system.manners, {
        clock: system.clock,
        receive: (record) => receive(line, record),
        gone: resolve,
      })
      current = line
      return gone
    },
    ...over,
  }
  return system

  function receive(line: SimulatedLine, record: FiasRecord): void {
    if (!system.hasPower) return
    const list = requestKinds.includes(record.id) ? system.requests : system.linkRecords
    list.push(record)
    if (list.length > most) list.shift()
    if (record.id === 'LS') describe(system, line)
    if (requestKinds.includes(record.id)) carryOut(line, record)
  }

  function carryOut(line: SimulatedLine, record: FiasRecord): void {
    const { does = 'pass', code = 'UR' } = misbehaviourFor(record.id, system.deeds) ?? {}
    if (does === 'silence' || does === 'close') {
      if (does === 'close') line.close()
      return
    }
    const text = answerText(system, record, does === 'refuse' ? code : null)
    // A held answer goes to the wire that is connected at its release.
    if (does === 'hold') held.push(() => (current ?? line).send(text))
    else if (does === 'close-after') line.close()
    else if (does !== 'late') {
      if (does === 'describe') describe(system, line)
      const way = ways[does] ?? plainly
      way(line, does === 'check' ? withCheck(text, Number(code)) : text, record, system.clock)
    }
  }
}

/** A key system that nobody has used yet. */
function freshSystem(rooms: readonly string[] | null) {
  return {
    framing: 'tcp',
    wanted: typical,
    asks: null,
    leavesOut: [],
    padsEncoder: false,
    deeds: [],
    hasPower: true,
    manners: { naks: 0, unacknowledged: 0 },
    book: bookOf(rooms, () => randomBytes(4).toString('hex').toUpperCase()),
    shown: () => ({ DA: '260801', TI: '120000' }),
    requests: [],
    linkRecords: [],
  } satisfies Partial<SimulatedKeySystem>
}

function describe(system: SimulatedKeySystem, line: SimulatedLine): void {
  line.send(
    recordText('LD', { ...system.shown(), 'V#': '1.0', IF: 'DL', RT: system.asks }),
    ...system.wanted.map(([id, fields]) => recordText('LR', { RI: id, FL: fields })),
    recordText('LA', system.shown()),
  )
}

function answerText(system: SimulatedKeySystem, { id, fields }: FiasRecord, status: string | null): string {
  const { KC, WS, 'G#': reservation } = fields
  const done = status ? { AS: status, CT: `Status ${status}` } : system.book.carryOut(id, fields)
  const answer: Record<string, string | undefined> = {
    KC: system.padsEncoder ? KC?.padStart(2, '0') : KC,
    WS,
    'G#': reservation,
    ...done,
    ...system.shown(),
  }
  for (const name of system.leavesOut) delete answer[name]
  return recordText(id === 'KZ' && !status ? 'KZ' : 'KA', answer)
}

type Way = (line: SimulatedLine, text: string, request: FiasRecord, clock: Clock) => void

const plainly: Way = (line, text) => line.send(text)

const alive = { DA: '260801', TI: '120000' }

/** The ways in which an answer may be sent. */
const ways: Partial<Record<KeySystemDeed['does'], Way>> = {
  'other-first': (line, text, { fields }) => {
    const other = { AS: 'OK', KC: fields.KC, WS: 'ELSEWHERE', 'G#': '999', $2: 'DEADBEEF' }
    line.send(recordText('KA', other), text)
  },
  'one-piece': (line, text) => line.send(recordText('LS', alive), text),
  'alive-first': (line, text, _request, clock) => {
    line.send(recordText('LS', alive))
    clock.setTimeout(() => line.send(text), 20)
  },
  split: (line, text) => line.sendSplit(text),
  garble: (line) => line.raw(Buffer.from('\x02KA|ASO', 'latin1')),
}

/** The record with a text for the clerk that produces the wanted check byte. */
function withCheck(text: string, wanted: number): string {
  const worded = (word: string) => `${text.replace(/CT[^|]*\|/, '')}CT${word}|`
  const off = checkOf(Buffer.from(worded(''), 'latin1')) ^ wanted
  const letters = Array.from({ length: 256 }, (_, code) => code).filter(isLetter)
  const first = letters.find((code) => isLetter(code ^ off)) ?? 0x20
  return worded(String.fromCharCode(first, first ^ off))
}

function isLetter(code: number): boolean {
  return (code >= 0x30 && code <= 0x7a) || code >= 0xa0
}
