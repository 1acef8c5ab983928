import type { Duplex } from 'node:stream'
import type { WallTime } from '../../../src/devices/lock-system.ts'
import type { Clock, Timer } from '../../../src/host/clock.ts'
import { alive } from '../alive.ts'
import type { CodePage } from '../code-page.ts'
import type { Framing } from '../framing.ts'
import { line, type RecordLine } from '../line.ts'
import { stamp } from '../moments.ts'
import { type FiasRecord, recordText } from '../record.ts'

type Fields = Readonly<Record<string, string | null | undefined>>

interface VendorLinkOptions {
  clock: Clock
  framing: Framing
  page: CodePage
  patience: number
  wallTime(): WallTime
  /** The interface type that the appliance announces, in the terms of the PMS: `DL` is door locks. */
  family: string
  /** The fields that the appliance wants and those of its answers, by record. */
  wanted: readonly (readonly [record: string, fields: readonly string[]])[]
  /** Called with each record that is not a link record, in the order of arrival. */
  received(record: FiasRecord): void
  /** Called with the text of what arrived and is not a record; null when it was damaged. */
  unread?(text: string | null): void
  /** Called when the PMS has confirmed the announcement, for the first time or again: it sends records from now on. */
  linked?(): void
}

/** The vendor's end of a link: that of a key system, or of another system of a vendor that a PMS talks to. */
export interface VendorLink {
  /** Resolves once the PMS has confirmed the announcement; rejects with an Error when it does not. */
  start(): Promise<void>
  /** Sends a record with the date and time. Rejects with NotSent. */
  send(id: string, fields: Fields): Promise<void>
  /** Whether the other side is there: true as soon as anything is received, false once the link has ended. */
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
  const other = alive({ clock, patience, started: started.promise, ask: () => send('LS'), giveUp: close })

  /** Handles the link records. */
  const about: Partial<Record<string, () => void>> = {
    LS() {
      // On a serial line this is the only sign that the PMS has restarted. In both cases the answer ends with LA.
      if (isActive && framing === 'tcp') send('LA')
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
      send('LE')
      clock.setTimeout(close, leaveMs * patience)
    },
    LC() {},
  }

  const side: RecordLine = line(wire, { ...options, receive, gone: lost })

  return {
    async start() {
      unasked = clock.setTimeout(() => {
        unasked = null
        send('LS')
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

  function receive(record: FiasRecord): void {
    other.received()
    const known = about[record.id]
    if (known) known()
    else options.received(record)
  }

  function describe(): void {
    unasked?.cancel()
    unasked = null
    isDescribed = true
    post('LD', { ...stamp(options.wallTime()), 'V#': '1.0', IF: options.family })
    for (const [RI, names] of options.wanted) post('LR', { RI, FL: names.join('') })
    send('LA')
  }

  function send(id: 'LS' | 'LA' | 'LE'): void {
    post(id, stamp(options.wallTime()))
  }

  function post(id: string, fields: Fields): void {
    // A lost link record needs no repetition: the next one, or a new link, replaces it.
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
