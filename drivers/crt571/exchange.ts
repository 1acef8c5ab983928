import type { Duplex } from 'node:stream'
import { deadline, inbox } from '../../src/devices/inbox.ts'
import type { Bytes } from '../../src/devices/listening.ts'
import { listen } from '../../src/devices/listening.ts'
import { damagedPacket } from './errors.ts'
import type { ControlWord, Heard } from './framing.ts'
import { control, deframer, frame } from './framing.ts'
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
  /** One command and its reply. Never rejects. One caller at a time. */
  exchange(command: Command): Promise<Reply | Failure>
  close(): void
}

type Sound = Heard | Bytes

/** The host's end of the wire. `patience` multiplies every deadline. */
export function line(wire: Duplex, address: number, patience: number): Line {
  const box = inbox<Sound>()
  // Whoever had the wire before may have left a conversation open on it.
  let clear = false
  let unwritten = 0
  let allWritten = () => {}
  listen(wire, deframer(), limits.gapMs * patience, box.put, box.end)

  return { exchange, close: () => void wire.destroy() }

  //   > command    < ACK (300 ms)    < reply    > ACK
  async function exchange(command: Command): Promise<Reply | Failure> {
    if (!clear) await settle(command)
    if (box.ended || !wire.writable) return { end: 'gone', left: false }
    if (!clear) return { end: 'blocked', left: false }
    box.empty()
    clear = false
    const { resend, moves } = rules[command.kind]
    let left = false
    for (let sends = 1; ; sends++) {
      write(frame(address, commandText(command)))
      const end = await hearOut(command)
      if (typeof end === 'object') {
        clear = end.tidy && sends === 1
        return end.reply
      }
      left ||= end !== 'declined'
      const again = sends < limits.sends && (end === 'declined' || (end === 'unheard' && resend))
      if (again && resend) {
        // Copies piled up before a wire that takes nothing would all be carried out when it does.
        if (await written()) continue
      } else if (moves && end !== 'gone') {
        const crossing = await settle(command)
        if (crossing) return crossing
        // On a line not cleared, a NAK said twice would send a motion again that is under way.
        if (again && clear) continue
      }
      return { end, left }
    }
  }

  /** Listens for ACK and reply after a command was sent. */
  async function hearOut(command: Command): Promise<{ reply: Reply; tidy: boolean } | Failure['end']> {
    const ackBy = deadline(limits.ackMs * patience)
    const replyBy = deadline(command.withinMs * patience)
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
    clear = false
    if (box.ended || !(await written())) return null
    let crossing: Reply | null = null
    const aborted = (await eot()) || (await eot())
    const quietMs = (aborted ? limits.quietMs : limits.longQuietMs) * patience
    const by = deadline(limits.settleMs * patience)
    for (;;) {
      const heard = await box.next(quietMs)
      if (heard === 'late') clear = await written()
      if (heard === 'late' || heard === 'gone' || by.left() < 0) return crossing
      notice(heard)
    }

    async function eot(): Promise<boolean> {
      say('eot')
      const by = deadline(limits.ackMs * patience)
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
    if (readCommand(heard.text)) return null
    const reply = readReply(heard.text)
    if (!reply) return 'damaged'
    say('ack')
    return reply
  }

  function say(word: ControlWord) {
    write(Uint8Array.of(control[word]))
  }

  function write(bytes: Uint8Array) {
    unwritten++
    wire.write(bytes, (error) => {
      unwritten--
      if (error) box.end()
      if (unwritten === 0) allWritten()
    })
  }

  /** Whether the wire has taken all that was said, or takes it soon. */
  async function written(): Promise<boolean> {
    if (unwritten > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limits.ackMs * patience)
        allWritten = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    return unwritten === 0
  }
}

function answers(reply: Reply, command: Command): boolean {
  return reply.cm === command.cm && reply.pm === command.pm
}
