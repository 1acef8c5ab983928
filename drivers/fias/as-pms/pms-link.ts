import type { Duplex } from 'node:stream'
import type { WallTime } from '../../../src/devices/lock-system.ts'
import type { Clock } from '../../../src/host/clock.ts'
import { alive } from '../alive.ts'
import type { CodePage } from '../code-page.ts'
import type { Framing } from '../framing.ts'
import { line, type RecordLine } from '../line.ts'
import { stamp } from '../moments.ts'
import { answers } from '../protocol.ts'
import { type FiasRecord, fieldNames, recordText } from '../record.ts'

/** The fields that the other side accepts, by record. It does not accept a record that is absent here. */
export type AcceptedFields = ReadonlyMap<string, ReadonlySet<string>>

interface PmsLinkOptions {
  clock: Clock
  framing: Framing
  page: CodePage
  patience: number
  wallTime(): WallTime
  /** Called with an answer to a request. */
  answered(record: FiasRecord): void
  /** Called with any record that carries the date and time of the other side's clock. */
  stamped(fields: FiasRecord['fields']): void
  /** Called when the link becomes active or inactive. */
  active(isActive: boolean): void
  /** Called once when the wire is gone. */
  gone(): void
}

/** The PMS's end of a link. */
export interface PmsLink {
  /** Resolves once the key system has described itself; rejects with an Error when it does not. */
  start(): Promise<void>
  readonly wanted: AcceptedFields
  /** Sends a request, reduced to the fields that the other side wants. Rejects with NotSent. */
  send(id: string, fields: Readonly<Record<string, string | null>>): Promise<void>
  /** Whether the other side is there: true as soon as anything is received, false once the link has ended. */
  isThere(): Promise<boolean>
  close(): void
}

const startMs = 15_000
/** How long the line stays open after LE, so that it is sent. */
const closeMs = 200
/**
 * The details that LC reports when a key system requests them by bits of RT in LD: the versions of the PMS, of its
 * interface and of the driver there, and the deadlines of answers in seconds.
 */
const ownDetails: readonly (readonly [bit: number, field: string, value: string])[] = [
  [4, 'A1', 'nightporter'],
  [16, 'A3', 'nightporter'],
  [32, 'A2', 'nightporter'],
  [128, 'A0', '60;60'],
]
const mostWanted = 64

/** The state of a link. */
interface Link {
  options: PmsLinkOptions
  wanted: Map<string, ReadonlySet<string>>
  isActive: boolean
  /** The number of LS sent since the link was last active. */
  startsRequested: number
  /** Resolves once the key system has described itself. */
  started: PromiseWithResolvers<void>
  line: RecordLine
}

type Fields = FiasRecord['fields']

/** The link over an open wire. Never throws. */
export function pmsLink(wire: Duplex, options: PmsLinkOptions): PmsLink {
  const { clock, patience } = options
  const started = Promise.withResolvers<void>()
  started.promise.catch(() => {})
  const close = () => link.line.close()
  const other = alive({
    clock,
    patience,
    started: started.promise,
    ask: () => send(link, 'LS'),
    giveUp: close,
  })
  const receive = (record: FiasRecord) => {
    other.received()
    take(link, record)
  }
  const gone = () => {
    started.reject(new Error('the line was closed'))
    other.end()
    setActive(link, false)
    options.gone()
  }
  const link: Link = {
    options,
    wanted: new Map(),
    isActive: false,
    startsRequested: 0,
    started,
    line: line(wire, { ...options, receive, gone }),
  }

  return {
    get wanted() {
      return link.wanted
    },
    start: () => start(link),
    send(id, fields) {
      const names = link.wanted.get(id) ?? new Set()
      const wantedFields = Object.entries(fields).filter(([name]) => names.has(name))
      return link.line.send(recordText(id, Object.fromEntries(wantedFields)))
    },
    isThere: other.isThere,
    close,
  }
}

async function start(link: Link): Promise<void> {
  const { clock, patience } = link.options
  const { promise, reject } = link.started
  const tooLate = () => reject(new Error('the key system does not send its description'))
  const timer = clock.setTimeout(tooLate, startMs * patience)
  askForStart(link)
  try {
    await promise
  } finally {
    timer.cancel()
  }
}

function take(link: Link, record: FiasRecord): void {
  const { id, fields } = record
  if (fields.DA && fields.TI) link.options.stamped(fields)
  if (answers.includes(id)) link.options.answered(record)
  else linkRecords[id]?.(link, fields)
}

/** Handles the link records of the key system. */
const linkRecords: Partial<Record<string, (link: Link, fields: Fields) => void>> = {
  LS(link) {
    // Before the key system has described itself, its LS may mean that it missed the LS of the appliance. A later LS
    // asks whether the appliance is there.
    if (link.isActive) send(link, 'LA')
    else askForStart(link)
  },
  LD(link, { RT }) {
    setActive(link, false)
    link.wanted = new Map()
    sendDetails(link, Number(RT))
  },
  LR({ wanted }, { RI, FL }) {
    if (RI && wanted.size < mostWanted) wanted.set(RI, new Set(fieldNames(FL ?? '')))
  },
  LA(link) {
    if (link.isActive || link.wanted.size === 0) return
    send(link, 'LA')
    setActive(link, true)
    link.started.resolve()
  },
  LE(link) {
    const { clock, patience } = link.options
    send(link, 'LE')
    setActive(link, false)
    clock.setTimeout(() => link.line.close(), closeMs * patience)
  },
}

function sendDetails(link: Link, requested: number): void {
  const known = ownDetails.filter(([bit]) => requested & bit)
  const RT = known.reduce((sum, [bit]) => sum + bit, 0)
  const details = Object.fromEntries(known.map(([, field, value]) => [field, value]))
  if (RT > 0) post(link, 'LC', { RT: String(RT), ...details })
}

/** Sends three starts at most: two sides that answer each start with a start would never end. */
function askForStart(link: Link): void {
  if (link.startsRequested++ < 3) send(link, 'LS')
}

function setActive(link: Link, next: boolean): void {
  if (next === link.isActive) return
  link.isActive = next
  if (next) link.startsRequested = 0
  link.options.active(next)
}

function send(link: Link, id: 'LS' | 'LA' | 'LE'): void {
  post(link, id, stamp(link.options.wallTime()))
}

function post({ line }: Link, id: string, fields: Record<string, string>): void {
  // A lost link record needs no repetition: the next one, or a new link, replaces it.
  line.send(recordText(id, fields)).catch(() => {})
}
