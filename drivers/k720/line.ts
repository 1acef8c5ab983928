import type { Duplex } from 'node:stream'
import { writeWithin } from '../../src/devices/driving/write-within.ts'
import { deadline, inbox } from '../../src/devices/inbox.ts'
import type { Bytes } from '../../src/devices/network/listening.ts'
import { listen } from '../../src/devices/network/listening.ts'
import type { Clock } from '../../src/host/clock.ts'
import type { ControlWord, Heard } from './framing.ts'
import { control, deframer, frame } from './framing.ts'
import type { Command, Query } from './protocol.ts'
import { limits } from './protocol.ts'

/**
 * How a conversation went wrong. `declined`: every copy came back as damaged. `unheard`: no ACK. `unanswered`: no
 * reply after ENQ. `garbled`: a reply nobody could read. `blocked`: the wire took nothing. `gone`: the wire ended.
 */
export interface Failure {
  end: 'declined' | 'unheard' | 'unanswered' | 'garbled' | 'blocked' | 'gone'
  /** True after ENQ was sent: the command may be executed. */
  begun: boolean
}

export interface Line {
  /** Has a command without a reply carried out; null once ENQ has left. One caller at a time. */
  tell(command: Command): Promise<Failure | null>
  /** The payload that answers a question. One caller at a time. */
  ask(query: Query): Promise<Uint8Array | Failure>
  close(): void
}

/** The host's end of the wire. `patience` multiplies every deadline. */
export function line(wire: Duplex, address: number, patience: number, clock: Clock): Line {
  const box = inbox<Heard | Bytes>(clock)
  // An earlier user of the wire may have left a conversation open on it.
  let clear = false
  listen(wire, deframer(), clock, limits.gapMs * patience, box.put, box.end)

  return {
    tell: (command) => offer(command),
    async ask(query) {
      const failure = await offer(query)
      if (failure) return failure
      const answer = await reply(query)
      if (!(answer instanceof Uint8Array)) clear = false
      return answer
    },
    close: () => void wire.destroy(),
  }

  //   > frame    < ACK (500 ms)    > ENQ
  async function offer({ payload }: Command): Promise<Failure | null> {
    if (!clear) await settle()
    box.empty()
    let end: Failure['end'] = 'unheard'
    for (let sends = 0; sends < limits.sends; sends++) {
      if (!(await write(frame(address, Buffer.from(payload, 'latin1'))))) return { end: gone(), begun: false }
      const heard = await confirmation()
      if (heard === 'ack') return (await write(control('enq', address))) ? null : { end: gone(), begun: true }
      if (heard === 'gone') return { end: 'gone', begun: false }
      end = heard === 'nak' ? 'declined' : 'unheard'
    }
    // The machine may hold a copy: the ENQ of the next command must not execute it.
    clear = false
    await write(control('eot', address))
    return { end, begun: false }
  }

  async function confirmation(): Promise<'ack' | 'nak' | 'late' | 'gone'> {
    const by = deadline(clock, limits.ackMs * patience)
    for (;;) {
      const heard = await box.next(by.left())
      if (heard === 'late' || heard === 'gone') return heard
      if (isWord(heard, 'ack')) return 'ack'
      if (isWord(heard, 'nak')) return 'nak'
    }
  }

  async function reply(query: Query): Promise<Uint8Array | Failure> {
    const by = deadline(clock, limits.replyMs * patience)
    let end: Failure['end'] = 'unanswered'
    for (;;) {
      const heard = await box.next(by.left())
      if (heard === 'late') return { end, begun: true }
      if (heard === 'gone') return { end: 'gone', begun: true }
      if (heard.kind === 'damaged') end = 'garbled'
      if (heard.kind !== 'frame' || heard.address !== address) continue
      if (Buffer.from(heard.payload).toString('latin1').startsWith(query.reply)) return heard.payload
    }
  }

  /** Drops the command that the machine holds, and waits until no earlier answer can still arrive. */
  async function settle(): Promise<void> {
    if (!(await write(control('eot', address)))) return
    const by = deadline(clock, limits.settleMs * patience)
    while (by.left() > 0) {
      const heard = await box.next(limits.quietMs * patience)
      if (heard === 'gone') return
      if (heard === 'late') {
        clear = true
        return
      }
    }
  }

  function isWord(heard: Heard | Bytes, word: ControlWord): boolean {
    return heard.kind === 'control' && heard.word === word && heard.address === address
  }

  function gone(): 'gone' | 'blocked' {
    return box.ended ? 'gone' : 'blocked'
  }

  /** Whether the wire accepted the bytes: copies that pile up before a blocked wire would all be executed. */
  async function write(bytes: Uint8Array): Promise<boolean> {
    if (box.ended || !wire.writable) return false
    const sent = await writeWithin(wire, bytes, limits.ackMs * patience, clock)
    if (sent === 'failed') box.end()
    return sent === 'taken'
  }
}
