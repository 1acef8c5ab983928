import type { Duplex } from 'node:stream'
import { trunkOf } from '../../src/devices/branch.ts'
import { deadline } from '../../src/devices/inbox.ts'
import type { Clock } from '../../src/host/clock.ts'
import { damagedPacket } from './errors.ts'
import type { ControlWord } from './framing.ts'
import { control, frame } from './framing.ts'
import { type Field, portOf, type Sound } from './port.ts'
import type { Command } from './protocol.ts'
import { limits, rules } from './protocol.ts'
import type { Reply } from './text.ts'
import { commandText, readCommand, readReply } from './text.ts'

/**
 * How asking went wrong. `blocked`: the line could not be cleared, nothing was sent. `declined`: every copy came back
 * as damaged, so none was carried out. `unheard`: no ACK. `unanswered`: ACK and no reply. `garbled`: a reply nobody
 * could read. `gone`: the wire ended.
 */
export interface Failure {
  end: 'blocked' | 'declined' | 'unheard' | 'unanswered' | 'garbled' | 'gone'
  /** Whether a copy of the command left that the machine may have taken. */
  left: boolean
}

export interface Line {
  /** One command and its reply, after whoever else stands on the wire. Never rejects. One caller at a time. */
  exchange(command: Command, data?: Uint8Array): Promise<Reply | Failure>
  /** The antenna's field, for all who stand on the wire. */
  field: Field
  close(): void
}

/** The host's end of the wire, or of a branch of it. `patience` multiplies every deadline. */
export function line(wire: Duplex, address: number, patience: number, clock: Clock): Line {
  const port = portOf(wire, patience, clock)
  const { heard: box } = port

  return { exchange, field: port.field, close: () => void wire.destroy() }

  /** Does not wait for the end of a conversation that goes on without this end of the wire. */
  async function exchange(command: Command, data = new Uint8Array()): Promise<Reply | Failure> {
    const talk = { left: false }
    const { promise: gone, resolve } = Promise.withResolvers<Failure>()
    const close = () => resolve({ end: 'gone', left: talk.left })
    wire.once('close', close)
    try {
      return await Promise.race([port.inTurn(() => converse(command, data, talk)), gone])
    } finally {
      wire.off('close', close)
    }
  }

  //   > command    < ACK (300 ms)    < reply    > ACK
  async function converse(
    command: Command,
    data: Uint8Array,
    talk: { left: boolean },
  ): Promise<Reply | Failure> {
    if (isGone()) return { end: 'gone', left: false }
    if (!port.clear) await settle(command)
    if (isGone()) return { end: 'gone', left: false }
    if (!port.clear) return { end: 'blocked', left: false }
    box.empty()
    port.clear = false
    const { resend, acts, endsField } = rules[command.kind]
    if (endsField) fieldIs('off')
    for (let sends = 1; ; sends++) {
      const before = talk.left
      talk.left = true
      port.write(frame(address, commandText(command, data)))
      const end = await hearOut(command)
      if (typeof end === 'object') {
        port.clear = end.tidy && sends === 1
        if (command.field && end.reply.ok) fieldIs(command.field)
        return end.reply
      }
      if (end === 'declined') talk.left = before
      const again = sends < limits.sends && (end === 'declined' || (end === 'unheard' && resend)) && !isGone()
      if (again && resend) {
        // Copies piled up before a wire that takes nothing would all be carried out when it does.
        if (await written()) continue
      } else if (acts && end !== 'gone') {
        const crossing = await settle(command)
        if (crossing) return crossing
        // On a line not cleared, a NAK said twice would send a motion again that is under way.
        if (again && port.clear && !isGone()) continue
      }
      return { end, left: talk.left }
    }
  }

  /** This end was closed, or the wire itself. */
  function isGone(): boolean {
    return box.ended || wire.destroyed || !trunkOf(wire).writable
  }

  function fieldIs(field: 'on' | 'off') {
    port.field.on = field === 'on'
    port.field.turn++
  }

  /** Listens for ACK and reply after a command was sent. */
  async function hearOut(command: Command): Promise<{ reply: Reply; tidy: boolean } | Failure['end']> {
    const ackBy = deadline(clock, limits.ackMs * patience)
    const replyBy = deadline(clock, command.withinMs * patience)
    let acked = false
    let tidy = true
    let naks = 0
    for (;;) {
      const by = acked || !rules[command.kind].resend ? replyBy : ackBy
      const heard = await box.next(by.left())
      if (heard === 'gone') return 'gone'
      if (heard === 'late') return acked ? 'unanswered' : 'unheard'
      if (heard.kind === 'control') {
        if (heard.word === 'ack') acked = true
        if (heard.word === 'nak' && !acked) return 'declined'
        continue
      }
      const reply = accept(heard)
      if (reply === 'damaged') {
        tidy = false
        if (naks++ === limits.naks) return 'garbled'
        say('nak')
      } else if (reply && !answers(reply, command)) {
        tidy = false
      } else if (reply) {
        if (!reply.ok && reply.code === damagedPacket) return 'declined'
        return { reply, tidy }
      }
    }
  }

  /**
   * Aborts whatever is under way and waits until nothing said to an earlier command can still arrive; `clear` tells
   * whether that was achieved. Gives the reply to `command` should it have crossed the abort.
   *
   *   > EOT    < EOT (300 ms, asked twice)    ... quiet
   */
  async function settle(command: Command): Promise<Reply | null> {
    port.clear = false
    if (box.ended || !(await written())) return null
    let crossing: Reply | null = null
    const aborted = (await eot()) || (await eot())
    const quietMs = (aborted ? limits.quietMs : limits.longQuietMs) * patience
    const by = deadline(clock, limits.settleMs * patience)
    for (;;) {
      const heard = await box.next(quietMs)
      if (heard === 'late') port.clear = await written()
      if (heard === 'late' || heard === 'gone' || by.left() < 0) return crossing
      notice(heard)
    }

    async function eot(): Promise<boolean> {
      say('eot')
      const by = deadline(clock, limits.ackMs * patience)
      for (;;) {
        const heard = await box.next(by.left())
        if (heard === 'late' || heard === 'gone') return false
        notice(heard)
        if (heard.kind === 'control' && heard.word === 'eot') return true
      }
    }

    function notice(heard: Sound) {
      const reply = accept(heard)
      if (reply && reply !== 'damaged' && answers(reply, command)) crossing = reply
    }
  }

  /** Takes a reply to anything and confirms it; null for what is no reply to us. */
  function accept(heard: Sound): Reply | 'damaged' | null {
    if (heard.kind === 'damaged') return 'damaged'
    if (heard.kind !== 'frame' || heard.address !== address) return null
    if (readCommand(heard.payload)) return null
    const reply = readReply(heard.payload)
    if (!reply) return 'damaged'
    say('ack')
    return reply
  }

  function say(word: ControlWord) {
    port.write(control(word, address))
  }

  function written(): Promise<boolean> {
    return port.written(limits.ackMs * patience)
  }
}

function answers(reply: Reply, command: Command): boolean {
  return reply.cm === command.cm && reply.pm === command.pm
}
