import { deadline } from '../../src/devices/inbox.ts'
import type { Clock } from '../../src/host/clock.ts'
import type { EncoderLine } from './line.ts'
import type { Owing } from './owing.ts'
import {
  answers,
  type EncoderCommandName,
  isRefusal,
  limits,
  noEncoder,
  offers,
  refusals,
} from './protocol.ts'

type Deadline = ReturnType<typeof deadline>
type Fields = readonly string[]

/** Receives a message of the encoder. `maybeOfStop`: a failure may be the answer to the cancellation. */
type Hear = (fields: Fields, maybeOfStop: boolean) => void

export interface EncoderRequest {
  name: EncoderCommandName
  encoder: string
  /** All fields, with `name` and `encoder` among them. */
  fields: Fields
}

/**
 * How a request ended. `answered`: with `calledOff` when the answer came after an attempt to cancel the request.
 * Without `left` the request was not executed; with it, it may have been.
 */
export type ExchangeOutcome =
  | { end: 'answered'; fields: Fields; calledOff: boolean }
  | { end: 'busy' | 'owing' | 'declined' | 'silent' | 'gone'; left: false }
  | { end: 'unconfirmed' | 'unanswered' | 'garbled' | 'gone'; left: true }

export interface Exchanging {
  /**
   * Sends one request and waits for its end, until `by` at the latest. For one caller at a time. A request is sent
   * again only while the lock system declines it.
   */
  exchange(request: EncoderRequest, by: Deadline): Promise<ExchangeOutcome>
  /** Whether the lock system answers at all. Closes the line when it does not. */
  isThere(): Promise<boolean>
}

/** The link to a lock system, with its outstanding answers. */
interface Link {
  line: EncoderLine
  owed: Owing
  /** Multiplies every deadline. */
  patience: number
  clock: Clock
}

/** Requests on one line. `owed` outlives the line. */
export function exchanging(line: EncoderLine, owed: Owing, patience: number, clock: Clock): Exchanging {
  const link: Link = { line, owed, patience, clock }
  return {
    exchange: (request, by) => exchange(link, request, by),
    isThere: () => isThere(link),
  }
}

async function isThere({ line, owed }: Link): Promise<boolean> {
  for (const late of await line.unheard()) owed.settle(late)
  const heard = await line.enquire()
  if (heard === 'late') line.fail('the lock system does not answer')
  return heard === 'ack' || heard === 'nak'
}

async function exchange(link: Link, request: EncoderRequest, by: Deadline): Promise<ExchangeOutcome> {
  const { line, owed } = link
  const { encoder, fields } = request
  for (const late of await line.unheard()) owed.settle(late)
  if (owed.owes(encoder) && !(await paid(link, encoder, by))) return unsent(line.isOpen() ? 'owing' : 'gone')
  for (let tries = 0; tries < offers; tries++) {
    const heard = await readiness(link, by)
    if (heard !== 'ready') return unsent(heard)
    // A message from before the lock system was ready is not an answer to the next request.
    for (const late of await line.unheard()) owed.settle(late)
    if (!line.isOpen()) return unsent('gone')
    const offered = await line.offer(fields)
    if (offered === 'accepted') return answer(link, request, by)
    if (offered === 'declined') continue
    owe(link, request)
    if (offered === 'unconfirmed') return (await calledOff(link, request, by)) ?? lost('unconfirmed')
    if (offered === 'blocked') line.fail('the line does not accept bytes')
    return lost('gone')
  }
  return unsent('declined')
}

/** Enquires until the lock system is ready, while it reports that it is busy. */
async function readiness(
  { line, clock, patience }: Link,
  by: Deadline,
): Promise<'ready' | 'busy' | 'silent' | 'gone'> {
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

async function answer(link: Link, request: EncoderRequest, by: Deadline): Promise<ExchangeOutcome> {
  const { line, owed, patience } = link
  // An encoder that still waits for a card is cancelled in time, so that the outcome of the request becomes known.
  const spare = request.encoder === noEncoder ? 0 : Math.min(limits.callOffMs * patience, by.left() / 3)
  for (;;) {
    const heard = await line.hear(by.left() - spare)
    if (heard === 'late' || heard === 'damaged') {
      owe(link, request)
      const end = heard === 'late' ? 'unanswered' : 'garbled'
      return (await calledOff(link, request, by)) ?? lost(end)
    }
    if (heard === 'gone') {
      owe(link, request)
      return lost('gone')
    }
    if (isAnswer(request, heard, owed.any())) return { end: 'answered', fields: heard, calledOff: false }
    owed.settle(heard)
  }
}

/** The final outcome of the request after its encoder was cancelled; null when it stays unknown. */
async function calledOff(
  link: Link,
  { name, encoder }: EncoderRequest,
  by: Deadline,
): Promise<ExchangeOutcome | null> {
  let answered: ExchangeOutcome | null = null
  await stop(link, encoder, by, (fields, maybeOfStop) => {
    const [said = ''] = fields
    const failed = maybeOfStop ? refusals[said]?.ofCard : isRefusal(said)
    if (failed || answers(name, said)) answered ??= { end: 'answered', fields, calledOff: true }
  })
  return answered
}

/** Whether the encoder has no outstanding answer any more, after its work was cancelled. */
async function paid(link: Link, encoder: string, by: Deadline): Promise<boolean> {
  await stop(link, encoder, by, () => {})
  return !link.owed.owes(encoder)
}

/**
 * Cancels the work of an encoder, and passes messages to `hear` until the encoder has confirmed; a failure may then be
 * that of the cancellation. Without an encoder there is nothing to cancel, and the answer is awaited.
 */
async function stop(link: Link, encoder: string, by: Deadline, hear: Hear): Promise<void> {
  const { line, owed, clock, patience } = link
  const within = deadline(clock, Math.min(by.left(), limits.callOffMs * patience))
  const isSent = encoder !== noEncoder && (await sendStop(link, encoder, within))
  while (owed.owes(encoder)) {
    const heard = await line.hear(within.left())
    if (heard === 'late' || heard === 'gone') return
    if (heard === 'damaged') continue
    owed.settle(heard)
    if (sameEncoder(encoder, heard)) hear(heard, isSent)
  }
  await quiet(link, encoder, (fields) => hear(fields, isSent))
}

/** Sends the cancellation. False when it was not sent, or declined. */
async function sendStop({ line, owed, patience }: Link, encoder: string, within: Deadline): Promise<boolean> {
  const ready = await line.enquire(within.left())
  if (ready === 'late') line.fail('the lock system does not answer')
  // A busy lock system may still accept the cancellation. When it declines that as well, the answer is awaited.
  if (ready !== 'ack' && ready !== 'nak') return false
  const offered = await line.offer(['EX', encoder, 'E'])
  const isSent = offered !== 'declined'
  if (isSent) owed.owe(encoder, 'EX', limits.owesMs * patience)
  if (offered === 'blocked') line.fail('the line does not accept bytes')
  return isSent
}

/** A message sent before the confirmation may arrive after it. */
async function quiet(
  { line, patience }: Link,
  encoder: string,
  hear: (fields: Fields) => void,
): Promise<void> {
  const heard = await line.hear(limits.quietMs * patience)
  if (typeof heard !== 'string' && sameEncoder(encoder, heard)) hear(heard)
}

function owe({ owed, patience }: Link, { name, encoder }: EncoderRequest): void {
  owed.owe(encoder, name, (encoder === noEncoder ? limits.owesWithoutCardMs : limits.owesMs) * patience)
}

/** A failure without an encoder answers the one request in progress, unless an earlier answer is outstanding. */
function isAnswer({ name, encoder }: EncoderRequest, fields: Fields, othersOwed: boolean): boolean {
  const [said = '', from] = fields
  if (from === undefined) return isRefusal(said) && !othersOwed
  return sameEncoder(encoder, fields) && (answers(name, said) || isRefusal(said))
}

function sameEncoder(encoder: string, [, from = '']: Fields): boolean {
  return /^\d+$/.test(from) && Number(from) === Number(encoder)
}

function unsent(end: 'busy' | 'owing' | 'declined' | 'silent' | 'gone'): ExchangeOutcome {
  return { end, left: false }
}

function lost(end: 'unconfirmed' | 'unanswered' | 'garbled' | 'gone'): ExchangeOutcome {
  return { end, left: true }
}
