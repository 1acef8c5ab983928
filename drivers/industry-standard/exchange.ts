import type { Timing } from '../../src/devices/driver.ts'
import { deadline } from '../../src/devices/inbox.ts'
import type { Clock } from '../../src/host/clock.ts'
import type { EncoderLine } from './line.ts'
import type { OutstandingAnswers } from './outstanding-answers.ts'
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
type Receive = (fields: Fields, maybeOfStop: boolean) => void

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
  | Unsent
  | { end: 'unconfirmed' | 'unanswered' | 'garbled' | 'gone'; left: true }

export interface Unsent {
  end: 'busy' | 'owing' | 'declined' | 'silent' | 'gone'
  left: false
}

export type Exchanging = ReturnType<typeof exchanging>

/** The link to a lock system, with its outstanding answers. */
interface Link extends Timing {
  line: EncoderLine
  outstanding: OutstandingAnswers
}

/** Requests on one line. `outstanding` outlives the line. */
export function exchanging(
  line: EncoderLine,
  outstanding: OutstandingAnswers,
  patience: number,
  clock: Clock,
) {
  const link: Link = { line, outstanding, patience, clock }
  return {
    /**
     * Sends one request and waits for its end, until `by` at the latest. For one caller at a time. A request is sent
     * again only while the lock system declines it.
     */
    exchange: (request: EncoderRequest, by: Deadline): Promise<ExchangeOutcome> =>
      exchange(link, request, by),
    /** Why the encoder still owes an answer, after its work was cancelled; null when it owes none. For one caller at a time. */
    debt: (encoder: string, by: Deadline): Promise<Unsent | null> => debt(link, encoder, by),
    /** Why a request for this encoder could not be sent now; null when it could. For one caller at a time. */
    obstacle: (encoder: string, by: Deadline): Promise<Unsent | null> => obstacle(link, encoder, by),
    /** Whether the lock system answers at all. Closes the line when it does not. */
    isThere: (): Promise<boolean> => isThere(link),
  }
}

async function isThere({ line, outstanding }: Link): Promise<boolean> {
  for (const late of await line.unheard()) outstanding.settle(late)
  const received = await line.enquire()
  if (received === 'late') line.fail('the lock system does not answer')
  return received === 'ack' || received === 'nak'
}

/** Settles what has arrived late, and cancels the work of an encoder that still owes an answer. */
async function debt(link: Link, encoder: string, by: Deadline): Promise<Unsent | null> {
  const { line, outstanding } = link
  for (const late of await line.unheard()) outstanding.settle(late)
  if (!outstanding.owes(encoder) || (await paid(link, encoder, by))) return null
  return unsent(line.isOpen() ? 'owing' : 'gone')
}

async function obstacle(link: Link, encoder: string, by: Deadline): Promise<Unsent | null> {
  const owing = await debt(link, encoder, by)
  if (owing) return owing
  const received = await readiness(link, by)
  return received === 'ready' ? null : unsent(received)
}

async function exchange(link: Link, request: EncoderRequest, by: Deadline): Promise<ExchangeOutcome> {
  const { line, outstanding } = link
  const { encoder, fields } = request
  const owing = await debt(link, encoder, by)
  if (owing) return owing
  for (let tries = 0; tries < offers; tries++) {
    const received = await readiness(link, by)
    if (received !== 'ready') return unsent(received)
    // A message from before the lock system was ready is not an answer to the next request.
    for (const late of await line.unheard()) outstanding.settle(late)
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
    const received = await line.enquire(by.left())
    if (received === 'ack') return by.left() > 0 ? 'ready' : 'busy'
    if (received === 'gone') return 'gone'
    if (received === 'late') {
      line.fail('the lock system does not answer')
      return 'silent'
    }
    if (busy.left() <= 0) return 'busy'
    await clock.sleep(Math.max(1, Math.min(limits.againMs * patience, by.left())))
  }
  return 'busy'
}

async function answer(link: Link, request: EncoderRequest, by: Deadline): Promise<ExchangeOutcome> {
  const { line, outstanding, patience } = link
  // An encoder that still waits for a card is cancelled in time, so that the outcome of the request becomes known.
  const spare = request.encoder === noEncoder ? 0 : Math.min(limits.callOffMs * patience, by.left() / 3)
  for (;;) {
    const received = await line.receive(by.left() - spare)
    if (received === 'late' || received === 'damaged') {
      owe(link, request)
      const end = received === 'late' ? 'unanswered' : 'garbled'
      return (await calledOff(link, request, by)) ?? lost(end)
    }
    if (received === 'gone') {
      owe(link, request)
      return lost('gone')
    }
    if (isAnswer(request, received, outstanding.any()))
      return { end: 'answered', fields: received, calledOff: false }
    outstanding.settle(received)
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
    const [command = ''] = fields
    const failed = maybeOfStop ? refusals[command]?.ofCard : isRefusal(command)
    if (failed || answers(name, command)) answered ??= { end: 'answered', fields, calledOff: true }
  })
  return answered
}

/** Whether the encoder has no outstanding answer any more, after its work was cancelled. */
async function paid(link: Link, encoder: string, by: Deadline): Promise<boolean> {
  await stop(link, encoder, by, () => {})
  return !link.outstanding.owes(encoder)
}

/**
 * Cancels the work of an encoder, and passes messages to `receive` until the encoder has confirmed; a failure may then be
 * that of the cancellation. Without an encoder there is nothing to cancel, and the answer is awaited.
 */
async function stop(link: Link, encoder: string, by: Deadline, receive: Receive): Promise<void> {
  const { line, outstanding, clock, patience } = link
  const within = deadline(clock, Math.min(by.left(), limits.callOffMs * patience))
  const isSent = encoder !== noEncoder && (await sendStop(link, encoder, within))
  while (outstanding.owes(encoder)) {
    const received = await line.receive(within.left())
    if (received === 'late' || received === 'gone') return
    if (received === 'damaged') continue
    outstanding.settle(received)
    if (sameEncoder(encoder, received)) receive(received, isSent)
  }
  await quiet(link, encoder, (fields) => receive(fields, isSent))
}

/** Sends the cancellation. False when it was not sent, or declined. */
async function sendStop(
  { line, outstanding, patience }: Link,
  encoder: string,
  within: Deadline,
): Promise<boolean> {
  const ready = await line.enquire(within.left())
  if (ready === 'late') line.fail('the lock system does not answer')
  // A busy lock system may still accept the cancellation. When it declines that as well, the answer is awaited.
  if (ready !== 'ack' && ready !== 'nak') return false
  const offered = await line.offer(['EX', encoder, 'E'])
  const isSent = offered !== 'declined'
  if (isSent) outstanding.owe(encoder, 'EX', limits.owesMs * patience)
  if (offered === 'blocked') line.fail('the line does not accept bytes')
  return isSent
}

/** A message sent before the confirmation may arrive after it. */
async function quiet(
  { line, patience }: Link,
  encoder: string,
  receive: (fields: Fields) => void,
): Promise<void> {
  const received = await line.receive(limits.quietMs * patience)
  if (typeof received !== 'string' && sameEncoder(encoder, received)) receive(received)
}

function owe({ outstanding, patience }: Link, { name, encoder }: EncoderRequest): void {
  outstanding.owe(
    encoder,
    name,
    (encoder === noEncoder ? limits.owesWithoutCardMs : limits.owesMs) * patience,
  )
}

/** A failure without an encoder answers the one request in progress, unless an earlier answer is outstanding. */
function isAnswer({ name, encoder }: EncoderRequest, fields: Fields, othersOutstanding: boolean): boolean {
  const [command = '', from] = fields
  if (from === undefined) return isRefusal(command) && !othersOutstanding
  return sameEncoder(encoder, fields) && (answers(name, command) || isRefusal(command))
}

function sameEncoder(encoder: string, [, from = '']: Fields): boolean {
  return /^\d+$/.test(from) && Number(from) === Number(encoder)
}

function unsent(end: Unsent['end']): Unsent {
  return { end, left: false }
}

function lost(end: 'unconfirmed' | 'unanswered' | 'garbled' | 'gone'): ExchangeOutcome {
  return { end, left: true }
}
