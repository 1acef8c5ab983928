import type { Duplex } from 'node:stream'
import { type Bytes, listen } from '../../../src/devices/network/listening.ts'
import { type Misbehaviour, misbehaviourFor } from '../../../src/simulators/devices/misbehaviour.ts'
import { control, deframer, type EncoderReceived, fieldsIn, message } from '../framing.ts'
import { checkOut, type DeskResult, make, objection, readCard } from './desk-work.ts'
import type { LockPc, PcEncoder } from './lock-pc.ts'

const gapMs = 200
type Answer = (result: DeskResult) => void

const byCard = ['CN', 'CC', 'CA', 'LT']

/** The values of `at` in a misbehaviour. */
export const simulatedCommands: readonly string[] = ['ENQ', ...byCard, 'CO', 'EX']

/** The lock PC's end of one wire. */
interface PcEnd {
  wire: Duplex
  pc: LockPc
  write(bytes: Uint8Array): void
}

/**
 * Simulates a lock PC at the other end of a wire; it accepts a request while an encoder works. Resolves when the wire
 * has ended. `late` executes and loses the answer, `garble` breaks its LRC, `refuse` answers with the code (`NAK`: that
 * in place of ACK; default ES), `silence` and `close` act before anything is executed.
 */
export function simulateLockPc(wire: Duplex, pc: LockPc): Promise<void> {
  const end: PcEnd = { wire, pc, write: writer(wire, pc) }
  pc.wires.push(end.write)
  return new Promise((resolve) => {
    const received = (sound: EncoderReceived | Bytes) => receive(end, sound)
    listen(wire, deframer(), pc.clock, gapMs, received, () => {
      pc.wires = pc.wires.filter((each) => each !== end.write)
      resolve()
    })
  })
}

function receive(end: PcEnd, sound: EncoderReceived | Bytes): void {
  if (sound.kind === 'message') take(end, fieldsIn(sound.text))
  if (sound.kind === 'damaged') end.write(word('nak'))
  if (sound.kind === 'control' && sound.word === 'enq') enquired(end)
}

function enquired({ wire, pc, write }: PcEnd): void {
  const does = misbehaviourFor('ENQ', pc.misbehaviours)?.does ?? 'pass'
  const isAtWork = [...pc.encoders.values()].some(({ task }) => task !== null)
  const isBusy = pc.isBusy || (pc.isBusyAtWork && isAtWork)
  if (does === 'close') wire.destroy()
  else if (does !== 'silence') write(word(isBusy || does === 'refuse' ? 'nak' : 'ack'))
}

function take(end: PcEnd, fields: readonly string[]): void {
  const { wire, pc, write } = end
  const [name = '', ...params] = fields
  const isDeclined = pc.naks > 0
  if (isDeclined) pc.naks--
  else pc.requests.push(fields.join('|'))
  const letters = name.slice(0, 2)
  const { does = 'pass', code = 'ES' } = (!isDeclined && misbehaviourFor(letters, pc.misbehaviours)) || {}
  if (does === 'close') wire.destroy()
  else if (isDeclined || (does === 'refuse' && code === 'NAK')) write(word('nak'))
  else if (does !== 'silence') {
    const answer = answering(end, { name, encoder: params[0] ?? '', does, before: acknowledge(end) })
    const result = does === 'refuse' ? { code } : carryOut(pc, letters, params, answer)
    if (result) answer(result)
  }
}

/** Sends the ACK. Returns it instead when it is sent in one piece with the result. */
function acknowledge({ pc, write }: PcEnd): Uint8Array {
  const isLost = pc.lostAcks > 0
  if (isLost) pc.lostAcks--
  else if (pc.joins) return word('ack')
  else write(word('ack'))
  return new Uint8Array()
}

/** Executes a request. Null when an encoder has begun to work: the answer follows when it ends. */
function carryOut(pc: LockPc, letters: string, params: readonly string[], answer: Answer): DeskResult | null {
  if (letters === 'CO') return checkOut(pc, params[1] ?? '')
  const encoder = pc.encoders.get(Number(params[0]))
  if (letters === 'EX') return reset(pc, encoder)
  if (!byCard.includes(letters)) return { code: 'ES' }
  if (params[0] === '0') return { code: 'EZ' }
  const code = objection(pc, letters, params)
  if (code) return { code }
  if (!encoder?.isOnline) return { code: 'NC' }
  if (encoder.task) return { code: 'OV' }
  begin(pc, encoder, { letters, params, answer })
  return null
}

function reset(pc: LockPc, encoder: PcEncoder | undefined): DeskResult {
  if (!pc.knowsReset) return { code: 'ES' }
  if (!encoder?.isOnline) return { code: 'NC' }
  encoder.task?.callOff()
  return { fields: [] }
}

/** A request that needs a card. */
interface CardWork {
  letters: string
  params: readonly string[]
  answer: Answer
}

/** Starts the encoder: it waits for a card, works on it, and then answers. */
function begin(pc: LockPc, encoder: PcEncoder, { letters, params, answer }: CardWork) {
  let timer = pc.clock.setTimeout(() => end({ code: 'ED' }), pc.cardWaitMs)
  const end = (result: DeskResult) => {
    timer.cancel()
    encoder.task = null
    answer(result)
  }
  encoder.task = {
    begin(card) {
      timer.cancel()
      const work = () => end(letters === 'LT' ? readCard(pc, card) : make(pc, letters, params, card))
      if (pc.pace === 0) work()
      else timer = pc.clock.setTimeout(work, pc.pace)
    },
    callOff: () => end({ code: 'EE' }),
  }
  if (pc.nextCard && letters !== 'LT' && (!encoder.card || encoder.card.holds)) encoder.card = pc.nextCard()
  if (encoder.card) encoder.task.begin(encoder.card)
}

/** How the result of one request is sent. `before` is sent in one piece with it. */
interface Answering {
  name: string
  encoder: string
  does: Misbehaviour['does']
  before: Uint8Array
}

/** The function that sends the result of one request. */
function answering(end: PcEnd, { name, encoder, does, before }: Answering): Answer {
  const { wire, pc, write } = end
  return (result) => {
    const fields = 'code' in result ? [result.code, encoder] : [name, encoder, ...result.fields]
    const bytes = message(fields)
    if (pc.skipsLrc) bytes[bytes.length - 1] = 0x0d
    if (does === 'garble') bytes[bytes.length - 1]! ^= 0x55
    const whole = does === 'late' ? before : Buffer.concat([before, bytes])
    const send = () => {
      const to = wire.writable || !pc.answersOnNewest ? write : (pc.wires.at(-1) ?? write)
      to(whole)
    }
    const instead = byCard.includes(name.slice(0, 2)) || name === 'CO' ? pc.instead.shift() : undefined
    if (instead) instead(send, () => void wire.destroy())
    else send()
  }
}

/**
 * Writes bytes to a wire, as far as it still accepts any; if `splits` is set, one by one with a turn of the event loop
 * between them.
 */
function writer(wire: Duplex, pc: LockPc): (bytes: Uint8Array) => void {
  let waiting: number[] = []
  const next = () => {
    const byte = waiting.shift()
    if (byte === undefined || !wire.writable) {
      waiting = []
      return
    }
    wire.write(Uint8Array.of(byte))
    setImmediate(next)
  }
  return (bytes) => {
    if (!wire.writable || bytes.length === 0) return
    if (!pc.splits) return void wire.write(bytes)
    const idle = waiting.length === 0
    waiting.push(...bytes)
    if (idle) setImmediate(next)
  }
}

function word(name: keyof typeof control): Uint8Array {
  return Uint8Array.of(control[name])
}
