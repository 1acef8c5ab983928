import type { Duplex } from 'node:stream'
import type { WallTime } from '../../../src/devices/lock-system.ts'
import type { Clock } from '../../../src/host/clock.ts'
import { alive } from '../alive.ts'
import type { CodePage } from '../code-page.ts'
import type { Framing } from '../framing.ts'
import { type Line, line } from '../line.ts'
import { stamp } from '../moments.ts'
import { answers } from '../protocol.ts'
import { type FiasRecord, fieldNames, recordText } from '../record.ts'

/** The fields that the other side accepts, by record. It does not accept a record that is absent here. */
export type Wanted = ReadonlyMap<string, ReadonlySet<string>>

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
  readonly wanted: Wanted
  /** Sends a request, reduced to the fields that the other side wants. Rejects with NotSent. */
  send(id: string, fields: Readonly<Record<string, string | null>>): Promise<void>
  /** Whether the other side is there: true as soon as anything is received, false once the link has ended. */
  isThere(): Promise<boolean>
  close(): void
}

const startMs = 15_000
const closeMs = 2_000
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

/** The link over an open wire. Never throws. */
export function pmsLink(wire: Duplex, options: PmsLinkOptions): PmsLink {
  const { clock, patience } = options
  let wanted = new Map<string, ReadonlySet<string>>()
  let isActive = false
  let startsAsked = 0
  const started = Promise.withResolvers<void>()
  started.promise.catch(() => {})
  const other = alive({ clock, patience, started: started.promise, ask: () => say('LS'), giveUp: close })
  const side: Line = line(wire, { ...options, hear, gone: lost })

  /** Handles the link records of the key system. */
  const heard: Partial<Record<string, (fields: FiasRecord['fields']) => void>> = {
    LS() {
      // Before the key system has described itself, its LS may mean that it missed the LS of the appliance. A later LS
      // asks whether the appliance is there.
      if (isActive) say('LA')
      else askForStart()
    },
    LD({ RT }) {
      setActive(false)
      wanted = new Map()
      sendDetails(Number(RT))
    },
    LR({ RI, FL }) {
      if (RI && wanted.size < mostWanted) wanted.set(RI, new Set(fieldNames(FL ?? '')))
    },
    LA() {
      if (isActive) return
      if (wanted.size === 0) return
      say('LA')
      setActive(true)
      started.resolve()
    },
    LE() {
      say('LE')
      setActive(false)
      clock.setTimeout(close, Math.min(closeMs, 200) * patience)
    },
  }

  return {
    get wanted() {
      return wanted
    },
    async start() {
      const late = clock.setTimeout(
        () => started.reject(new Error('the key system does not describe itself')),
        startMs * patience,
      )
      askForStart()
      try {
        await started.promise
      } finally {
        late.cancel()
      }
    },
    send(id, fields) {
      const names = wanted.get(id) ?? new Set()
      const wantedFields = Object.entries(fields).filter(([name]) => names.has(name))
      return side.send(recordText(id, Object.fromEntries(wantedFields)))
    },
    isThere: other.isThere,
    close,
  }

  function hear(record: FiasRecord): void {
    other.heard()
    if (record.fields.DA && record.fields.TI) options.stamped(record.fields)
    if (answers.includes(record.id)) options.answered(record)
    else heard[record.id]?.(record.fields)
  }

  function sendDetails(asked: number): void {
    const known = ownDetails.filter(([bit]) => asked & bit)
    const RT = known.reduce((sum, [bit]) => sum + bit, 0)
    const details = Object.fromEntries(known.map(([, field, value]) => [field, value]))
    if (RT > 0) post('LC', { RT: String(RT), ...details })
  }

  /** Sends three starts at most: two sides that answer each start with a start would never end. */
  function askForStart(): void {
    if (startsAsked++ < 3) say('LS')
  }

  function setActive(next: boolean): void {
    if (next === isActive) return
    isActive = next
    if (next) startsAsked = 0
    options.active(next)
  }

  function say(id: 'LS' | 'LA' | 'LE'): void {
    post(id, stamp(options.wallTime()))
  }

  function post(id: string, fields: Record<string, string>): void {
    // A lost link record needs no repetition: the next one, or a new link, replaces it.
    side.send(recordText(id, fields)).catch(() => {})
  }

  function close(): void {
    side.close()
  }

  function lost(): void {
    started.reject(new Error('the line was closed'))
    other.end()
    setActive(false)
    options.gone()
  }
}
