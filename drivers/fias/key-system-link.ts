import type { Duplex } from 'node:stream'
import type { WallTime } from '../../src/devices/lock-system.ts'
import type { CodePage } from './code-page.ts'
import type { Framing } from './framing.ts'
import { type Line, line } from './line.ts'
import { stamp } from './moments.ts'
import { type FiasRecord, recordText } from './record.ts'

type Fields = Readonly<Record<string, string | null | undefined>>

export interface KeySystemLinkOptions {
  framing: Framing
  page: CodePage
  patience: number
  wallTime(): WallTime
  /** A request; the answer is sent through `answer`. */
  asked(record: FiasRecord, answer: (id: 'KA' | 'KZ', fields: Fields) => void): void
  /** An answer did not get through. */
  unanswered(error: Error): void
}

/** The key system's end of a link. */
export interface KeySystemLink {
  /** Resolves once the PMS has confirmed what we said of us; rejects with an Error when it does not. */
  start(): Promise<void>
  close(): void
}

/** What we want to be told with each request, and what we answer with. */
const wanted = [
  ['KR', 'KCKTRNWSG#GAGDDTSIKO$2DATI'],
  ['KD', 'KCRNWSG#DATI'],
  ['KZ', 'KCWSDATI'],
  ['KA', 'ASKCWSG#CT$2DATI'],
] as const

const requests = ['KR', 'KD', 'KM', 'KZ']
const startMs = 15_000
const unaskedMs = 3_000
const aliveEveryMs = 300_000
const aliveAnswerMs = 30_000
const leaveMs = 200

/** The link over an open wire. Never throws. */
export function keySystemLink(wire: Duplex, options: KeySystemLinkOptions): KeySystemLink {
  const { patience, framing } = options
  let isDescribed = false
  let isActive = false
  let unasked: NodeJS.Timeout | undefined
  let alive: NodeJS.Timeout | undefined
  let doubt: NodeJS.Timeout | undefined
  const started = Promise.withResolvers<void>()
  started.promise.catch(() => {})

  const heard: Partial<Record<string, () => void>> = {
    LS() {
      // On a serial line nothing else tells that the PMS has started anew. Either way the answer ends with LA.
      if (isActive && framing === 'tcp') say('LA')
      else describe()
    },
    LA() {
      if (!isDescribed) return
      isActive = true
      started.resolve()
    },
    LE() {
      say('LE')
      setTimeout(close, leaveMs * patience)
    },
  }

  const side: Line = line(wire, { ...options, hear, gone: lost })

  return {
    async start() {
      unasked = setTimeout(() => {
        unasked = undefined
        say('LS')
        describe()
      }, unaskedMs * patience)
      const late = setTimeout(
        () => started.reject(new Error('the PMS does not confirm the link')),
        startMs * patience,
      )
      try {
        await started.promise
      } finally {
        clearTimeout(unasked)
        clearTimeout(late)
      }
    },
    close,
  }

  function hear(record: FiasRecord): void {
    stillAlive()
    if (!requests.includes(record.id)) heard[record.id]?.()
    else
      options.asked(record, (id, fields) => {
        side
          .send(recordText(id, { ...fields, ...stamp(options.wallTime()) }))
          .catch((error: Error) => options.unanswered(error))
      })
  }

  function describe(): void {
    clearTimeout(unasked)
    unasked = undefined
    isDescribed = true
    post('LD', { ...stamp(options.wallTime()), 'V#': '1.0', IF: 'DL' })
    for (const [RI, FL] of wanted) post('LR', { RI, FL })
    say('LA')
  }

  function stillAlive(): void {
    clearTimeout(doubt)
    clearTimeout(alive)
    doubt = undefined
    alive = setTimeout(() => {
      alive = undefined
      say('LS')
      doubt = setTimeout(close, aliveAnswerMs * patience)
    }, aliveEveryMs * patience)
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
    clearTimeout(doubt)
    clearTimeout(alive)
    clearTimeout(unasked)
    started.reject(new Error('the line was closed'))
  }
}
