import { deadline } from '../../src/devices/inbox.ts'
import type { Clock } from '../../src/host/clock.ts'
import type { Line } from './line.ts'
import type { Owing } from './owing.ts'
import { answers, type CommandName, isRefusal, limits, noEncoder, offers, refusals } from './protocol.ts'

type Deadline = ReturnType<typeof deadline>
type Fields = readonly string[]

type Hear = (fields: Fields, maybeOfStop: boolean) => void

export interface Request {
  name: CommandName
  encoder: string
  /** All fields, with `name` and `encoder` among them. */
  fields: Fields
}

/**
 * How a request ended. `answered`: with `calledOff` when the answer came after an attempt to cancel the request.
 * Without `left` the request was not executed; with it, it may have been.
 */
export type Outcome =
  | { end: 'answered'; fields: Fields; calledOff: boolean }
  | { end: 'busy' | 'owing' | 'declined' | 'silent' | 'gone'; left: false }
  | { end: 'unconfirmed' | 'unanswered' | 'garbled' | 'gone'; left: true }

export interface Exchanging {
  /**
   * Sends one request and waits for its end, until `by` at the latest. For one caller at a time. A request is sent
   * again only while the lock system declines it.
   */
  exchange(request: Request, by: Deadline): Promise<Outcome>
  /** Whether the lock system answers at all. Closes the line when it does not. */
  isThere(): Promise<boolean>
}

export function exchanging(line: Line, owed: Owing, patience: number, clock: Clock): Exchanging {
  return { exchange, isThere }

  async function isThere(): Promise<boolean> {
    for (const late of await line.unheard()) owed.settle(late)
    const heard = await line.enquire()
    if (heard === 'late') line.fail('the lock system does not answer')
    return heard === 'ack' || heard === 'nak'
  }

  async function exchange(request: Request, by: Deadline): Promise<Outcome> {
    const { encoder, fields } = request
    for (const late of await line.unheard()) owed.settle(late)
    if (owed.owes(encoder) && !(await paid(encoder, by))) return unsent(line.isOpen() ? 'owing' : 'gone')
    for (let tries = 0; tries < offers; tries++) {
      const heard = await readiness(by)
      if (heard !== 'ready') return unsent(heard)
      // A message from before the lock system was ready is not an answer to the next request.
      for (const late of await line.unheard()) owed.settle(late)
      if (!line.isOpen()) return unsent('gone')
      const offered = await line.offer(fields)
      if (offered === 'accepted') return answer(request, by)
      if (offered === 'declined') continue
      owe(request)
      if (offered === 'unconfirmed') return (await calledOff(request, by)) ?? lost('unconfirmed')
      if (offered === 'blocked') line.fail('the line takes nothing')
      return lost('gone')
    }
    return unsent('declined')
  }

  /** Enquires until the lock system is ready, while it reports that it is busy. */
  async function readiness(by: Deadline): Promise<'ready' | 'busy' | 'silent' | 'gone'> {
    const busy = deadline(clock, limits.busyMs * patience)
    while (by.left() > 0) {
      if (!line.isOpen()) return 'gone'
      const heard = await line.enquire(by.left())
      if (heard === 'ack') return by.left() > 0 ? 'ready' : 'busy'
      if (heard === 'gone') return 'gone'
      if (heard === 'late') {
        line.fail('the lock system does not answer')
        return 'silent'
      }
      if (busy.left() <= 0) return 'busy'
      await clock.sleep(Math.max(1, Math.min(limits.againMs * patience, by.left())))
    }
    return 'busy'
  }

  async function answer(request: Request, by: Deadline): Promise<Outcome> {
    // An encoder that still waits for a card is cancelled in time, so that the outcome of the request becomes known.
    const spare = request.encoder === noEncoder ? 0 : Math.min(limits.callOffMs * patience, by.left() / 3)
    for (;;) {
      const heard = await line.hear(by.left() - spare)
      if (heard === 'late' || heard === 'damaged') {
        owe(request)
        const end = heard === 'late' ? 'unanswered' : 'garbled'
        return (await calledOff(request, by)) ?? lost(end)
      }
      if (heard === 'gone') {
        owe(request)
        return lost('gone')
      }
      if (isAnswer(request, heard, owed.any())) return { end: 'answered', fields: heard, calledOff: false }
      owed.settle(heard)
    }
  }

  /** The final outcome of the request after its encoder was cancelled; null when it stays unknown. */
  async function calledOff({ name, encoder }: Request, by: Deadline): Promise<Outcome | null> {
    let answered: Outcome | null = null
    await stop(encoder, by, (fields, maybeOfStop) => {
      const [said = ''] = fields
      const failed = maybeOfStop ? refusals[said]?.ofCard : isRefusal(said)
      if (failed || answers(name, said)) answered ??= { end: 'answered', fields, calledOff: true }
    })
    return answered
  }

  async function paid(encoder: string, by: Deadline): Promise<boolean> {
    await stop(encoder, by, () => {})
    return !owed.owes(encoder)
  }

  /**
   * Cancels the work of an encoder, and passes messages to `hear` until the encoder has confirmed; a failure may then
   * be that of the cancellation. Without an encoder there is nothing to cancel, and the answer is awaited.
   */
  async function stop(encoder: string, by: Deadline, hear: Hear): Promise<void> {
    const within = deadline(clock, Math.min(by.left(), limits.callOffMs * patience))
    let asked = false
    if (encoder !== noEncoder) {
      const ready = await line.enquire(within.left())
      if (ready === 'late') line.fail('the lock system does not answer')
      // A busy lock system may still accept the cancellation. When it declines that as well, the answer is awaited.
      if (ready === 'ack' || ready === 'nak') {
        const offered = await line.offer(['EX', encoder, 'E'])
        asked = offered !== 'declined'
        if (asked) owed.owe(encoder, 'EX', limits.owesMs * patience)
        if (offered === 'blocked') line.fail('the line takes nothing')
      }
    }
    while (owed.owes(encoder)) {
      const heard = await line.hear(within.left())
      if (heard === 'late' || heard === 'gone') return
      if (heard === 'damaged') continue
      owed.settle(heard)
      if (sameEncoder(encoder, heard)) hear(heard, asked)
    }
    await quiet(encoder, (fields) => hear(fields, asked))
  }

  /** A message sent before the confirmation may arrive after it. */
  async function quiet(encoder: string, hear: (fields: Fields) => void): Promise<void> {
    const heard = await line.hear(limits.quietMs * patience)
    if (typeof heard !== 'string' && sameEncoder(encoder, heard)) hear(heard)
  }

  function owe({ name, encoder }: Request): void {
    owed.owe(encoder, name, (encoder === noEncoder ? limits.owesWithoutCardMs : limits.owesMs) * patience)
  }
}

/** A failure without an encoder answers the one request in progress, unless an earlier answer is outstanding. */
function isAnswer({ name, encoder }: Request, fields: Fields, othersOwed: boolean): boolean {
  const [said = '', from] = fields
  if (from === undefined) return isRefusal(said) && !othersOwed
  return sameEncoder(encoder, fields) && (answers(name, said) || isRefusal(said))
}

function sameEncoder(encoder: string, [, from = '']: Fields): boolean {
  return /^\d+$/.test(from) && Number(from) === Number(encoder)
}

function unsent(end: 'busy' | 'owing' | 'declined' | 'silent' | 'gone'): Outcome {
  return { end, left: false }
}

function lost(end: 'unconfirmed' | 'unanswered' | 'garbled' | 'gone'): Outcome {
  return { end, left: true }
}
