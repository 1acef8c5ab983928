import type { Duplex } from 'node:stream'
import type { WallTime } from '../../src/devices/lock-system.ts'
import { alive } from './alive.ts'
import { type LineOptions, line } from './line.ts'
import { stamp } from './moments.ts'
import { type FiasRecord, recordText } from './record.ts'

type Fields = Readonly<Record<string, string | null | undefined>>

export interface LinkEndOptions extends Omit<LineOptions, 'receive' | 'gone'> {
  wallTime(): WallTime
}

/** What both ends of a link have in common. */
export type LinkEnd = ReturnType<typeof linkEnd>

const startMs = 15_000
const closeMs = 200

/** One end of a link over an open wire. `take` receives each record, in order; `gone` is called once at the end. */
export function linkEnd(
  wire: Duplex,
  options: LinkEndOptions,
  take: (record: FiasRecord) => void,
  gone: () => void,
) {
  const { clock, patience, wallTime } = options
  /** Settles when the link has begun, or cannot begin. */
  const started = Promise.withResolvers<void>()
  started.promise.catch(() => {})
  const close = () => records.close()
  /** Sends a record. Rejects with NotSent. */
  const send = (id: string, fields: Fields) => records.send(recordText(id, fields))
  /** Sends a link record. A lost one needs no repetition: the next one, or a new link, replaces it. */
  const post = (id: string, fields: Fields) => void send(id, fields).catch(() => {})
  /** Sends a link record that carries only the date and the time. */
  const sign = (id: string) => post(id, stamp(wallTime()))
  const ask = () => sign('LS')
  const other = alive({ clock, patience, started: started.promise, ask, giveUp: close })
  const receive = (record: FiasRecord) => {
    other.received()
    take(record)
  }
  const lost = () => {
    started.reject(new Error('the line was closed'))
    other.end()
    gone()
  }
  const records = line(wire, { ...options, receive, gone: lost })

  return {
    started,
    send,
    post,
    sign,
    /**
     * Waits until the link has begun. Rejects with an Error of this text when it has not within 15 s.
     */
    async start(tooLate: string): Promise<void> {
      const timer = clock.setTimeout(() => started.reject(new Error(tooLate)), startMs * patience)
      try {
        await started.promise
      } finally {
        timer.cancel()
      }
    },
    /** Whether the other side is there: true as soon as anything is received, false once the link has ended. */
    isThere: other.isThere,
    close,
    /** Closes the line a moment later, so that the last record is still sent. */
    closeSoon: (): void => void clock.setTimeout(close, closeMs * patience),
  }
}
