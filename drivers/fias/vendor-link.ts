import type { Duplex } from 'node:stream'
import type { WallTime } from '../../src/devices/lock-system.ts'
import type { Clock, Timer } from '../../src/host/clock.ts'
import { alive } from './alive.ts'
import type { CodePage } from './code-page.ts'
import type { Framing } from './framing.ts'
import { type Line, line } from './line.ts'
import { stamp } from './moments.ts'
import { type FiasRecord, recordText } from './record.ts'

type Fields = Readonly<Record<string, string | null | undefined>>

interface VendorLinkOptions {
  clock: Clock
  framing: Framing
  page: CodePage
  patience: number
  wallTime(): WallTime
  /** What we say we are, as the PMS calls kinds of interfaces: `DL` is one for door locks. */
  family: string
  /** What we want to be told and what we answer with, by record. */
  wanted: readonly (readonly [record: string, fields: readonly string[]])[]
  /** A record that is not about the link itself, in the order in which they come. */
  heard(record: FiasRecord): void
  /** What came and is no record, as text; null for what did not come through whole. */
  unread?(text: string | null): void
  /** The PMS has confirmed what we said of us, for the first time or anew: from here on it tells. */
  linked?(): void
}

/** The end of a link that is no PMS: a key system, or whatever else of a vendor a PMS talks to. */
export interface VendorLink {
  /** Resolves once the PMS has confirmed what we said of us; rejects with an Error when it does not. */
  start(): Promise<void>
  /** Sends a record with the date and time. Rejects with NotSent. */
  send(id: string, fields: Fields): Promise<void>
  /** Whether the other side is there: true as soon as it is heard of, false once the link has ended. */
  isThere(): Promise<boolean>
  close(): void
}

const startMs = 15_000
const unaskedMs = 3_000
const leaveMs = 200

/** The link over an open wire. Never throws. */
export function vendorLink(wire: Duplex, options: VendorLinkOptions): VendorLink {
  const { clock, patience, framing } = options
  let isDescribed = false
  let isActive = false
  let unasked: Timer | null = null
  const started = Promise.withResolvers<void>()
  started.promise.catch(() => {})
  const other = alive({ clock, patience, started: started.promise, ask: () => say('LS'), giveUp: close })

  /** What is said about the link itself. */
  const about: Partial<Record<string, () => void>> = {
    LS() {
      // On a serial line nothing else tells that the PMS has started anew. Either way the answer ends with LA.
      if (isActive && framing === 'tcp') say('LA')
      else describe()
    },
    LA() {
      if (!isDescribed) return
      isDescribed = false
      isActive = true
      options.linked?.()
      started.resolve()
    },
    LE() {
      say('LE')
      clock.setTimeout(close, leaveMs * patience)
    },
    LC() {},
  }

  const side: Line = line(wire, { ...options, hear, gone: lost })

  return {
    async start() {
      unasked = clock.setTimeout(() => {
        unasked = null
        say('LS')
        describe()
      }, unaskedMs * patience)
      const late = clock.setTimeout(
        () => started.reject(new Error('the PMS does not confirm the link')),
        startMs * patience,
      )
      try {
        await started.promise
      } finally {
        unasked?.cancel()
        late.cancel()
      }
    },
    send: (id, fields) => side.send(recordText(id, { ...fields, ...stamp(options.wallTime()) })),
    isThere: other.isThere,
    close,
  }

  function hear(record: FiasRecord): void {
    other.heard()
    const known = about[record.id]
    if (known) known()
    else options.heard(record)
  }

  function describe(): void {
    unasked?.cancel()
    unasked = null
    isDescribed = true
    post('LD', { ...stamp(options.wallTime()), 'V#': '1.0', IF: options.family })
    for (const [RI, names] of options.wanted) post('LR', { RI, FL: names.join('') })
    say('LA')
  }

  function say(id: 'LS' | 'LA' | 'LE'): void {
    post(id, stamp(options.wallTime()))
  }

  function post(id: string, fields: Fields): void {
    // A link record that does not get through is made up for: by the next one, or by a new link.
    side.send(recordText(id, fields)).catch(() => {})
  }

  function close(): void {
    side.close()
  }

  function lost(): void {
    unasked?.cancel()
    started.reject(new Error('the line was closed'))
    other.end()
  }
}
