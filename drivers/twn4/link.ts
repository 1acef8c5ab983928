import type { Duplex } from 'node:stream'
import { DeviceFault, type FaultCode } from '../../src/devices/fault.ts'
import type { Clock } from '../../src/host/clock.ts'
import { decode, encode, hear } from './framing.ts'
import { type CommandName, commands, errors, quietMs, type Result } from './protocol.ts'

/** Enough for any outstanding answer; further bytes are noise and are dropped. */
const inboxSize = 32
const tries = 3

/** The mode that the firmware was built for. */
interface Mode {
  crc: boolean
  binary: boolean
}

export interface Link {
  /**
   * Sends one command and resolves with its result. Not to be called again before it settled. Rejects with a
   * DeviceFault; `encoder-timeout-writing` from the moment that bytes of a write have left without a clear answer.
   */
  ask<Name extends CommandName>(name: Name, ...parameters: number[]): Promise<Result<Name>>
  /** The number of writing commands that were sent. */
  writesSent(): number
  close(): void
}

/** Sends one command at a time to the reader, which never sends on its own. `patience` scales every deadline. */
export function link(wire: Duplex, patience: number, clock: Clock, { crc, binary }: Mode): Link {
  const inbox: string[] = []
  let waiting: ((line?: string) => void) | undefined
  let leaving = Promise.resolve()
  let gone = false
  let inStep = true
  let writes = 0

  const { lines, forget } = hear(wire, binary)
  lines.on('data', take)
  lines.on('end', end)

  return {
    ask,
    writesSent: () => writes,
    close: end,
  }

  async function ask<Name extends CommandName>(name: Name, ...parameters: number[]): Promise<Result<Name>> {
    const { code, withinMs, writes: isWrite, read } = commands[name]
    const line = encode([code >>> 8, code & 0xff, ...parameters], crc, binary)
    let left = false
    for (let again = true; ; again = false) {
      if (!(await ready(withinMs))) throw fault(silence(), 'the reader is gone, silent or out of step')
      left = true
      if (isWrite) writes++
      send(line)
      const heard = await next(withinMs)
      const answer = heard === undefined ? null : decode(heard, crc)
      const result = answer?.[0] === 0 ? read(answer.subarray(1)) : undefined
      if (result !== undefined) return result as Result<Name>

      inStep = false
      if (heard === undefined)
        throw fault(silence(), gone ? 'the wire closed' : `no answer in ${withinMs} ms`)
      const refusal = answer?.length === 1 ? errors.get(answer[0]!) : undefined
      // A write whose answer is unreadable may have been carried out; one that met a parser error has not been.
      if (again && (refusal?.again || (!refusal && !isWrite))) continue
      if (refusal) throw fault(refusal.fault, refusal.text, heard)
      // The received bytes are not part of the fault: a line with an echo repeats the command, with the key of a
      // sector.
      throw fault('encoder-timeout', 'the answer is unreadable')
    }

    function silence(): FaultCode {
      return gone ? 'encoder-offline' : 'encoder-timeout'
    }

    function fault(code: FaultCode, detail: string, vendorCode?: string): DeviceFault {
      const unclear = left && isWrite && (code === 'encoder-offline' || code === 'encoder-timeout')
      const word = unclear ? 'encoder-timeout-writing' : code
      return new DeviceFault(word, `${name}: ${detail}`, vendorCode === undefined ? {} : { vendorCode })
    }
  }

  /** True once the reader takes bytes and owes no answer, so that the next line heard can only be the next answer. */
  async function ready(withinMs: number): Promise<boolean> {
    // No command is queued behind bytes that the reader has not accepted: they would all be executed later.
    if (wire.writableLength > 0) await taken(withinMs)
    if (gone || wire.writableLength > 0) return false
    if (inbox.length > 0) inStep = false
    return inStep || resynchronise()
  }

  /**
   * Asks for the USB type until that alone is answered. A late answer of one byte looks the same, but the reader
   * answers in order: it comes before, with the true one right behind it, and only silence after an answer ends this.
   */
  async function resynchronise(): Promise<boolean> {
    const { code, withinMs, read } = commands.usbType
    for (let left = tries; left > 0 && !gone; left--) {
      inbox.length = 0
      forget()
      send(encode([code >>> 8, code & 0xff], crc, binary))
      let last = await next(withinMs)
      for (let spare = inboxSize; last !== undefined && spare > 0; spare--) {
        const answer = decode(last, crc)
        last = await next(quietMs)
        if (last === undefined && !gone && answer?.[0] === 0 && read(answer.subarray(1))) {
          inStep = true
          return true
        }
      }
      if (wire.writableLength > 0) return false
    }
    return false
  }

  /** The next line received; undefined when none arrives in time, or ever. */
  function next(withinMs: number): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    if (inbox.length > 0 || gone) {
      resolve(inbox.shift())
      return promise
    }
    const timer = clock.setTimeout(() => waiting?.(), withinMs * patience)
    waiting = (line) => {
      timer.cancel()
      waiting = undefined
      resolve(line)
    }
    return promise
  }

  function take(line: string): void {
    if (waiting) waiting(line)
    else if (inbox.length < inboxSize) inbox.push(line)
  }

  function send(line: Buffer): void {
    const { promise, resolve } = Promise.withResolvers<void>()
    leaving = promise
    wire.write(line, (error) => {
      if (error) end()
      resolve()
    })
  }

  /** Waits until the wire has accepted the last line, within this limit. */
  async function taken(withinMs: number): Promise<void> {
    const { promise: late, resolve: giveUp } = Promise.withResolvers<void>()
    const timer = clock.setTimeout(giveUp, withinMs * patience)
    await Promise.race([leaving, late])
    timer.cancel()
  }

  function end(): void {
    gone = true
    waiting?.()
    wire.destroy()
  }
}
