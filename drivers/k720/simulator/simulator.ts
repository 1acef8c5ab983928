import type { Duplex } from 'node:stream'
import { type Bytes, listen } from '../../../src/devices/network/listening.ts'
import { type Misbehaviour, misbehaviourFor } from '../../../src/simulators/devices/misbehaviour.ts'
import { machineEnd } from '../../../src/simulators/devices/simulated-machine.ts'
import { control, deframer, frame, type K720ControlWord, type K720Received } from '../framing.ts'
import { commandNamed, commands, type K720CommandName, type QueryName } from '../protocol.ts'
import { stateText } from '../state-word.ts'
import { begin, type K720Machine, look } from './mechanics.ts'

const gapMs = 50

/** A command that was acknowledged and is executed at the next ENQ. */
interface Pending {
  name: K720CommandName | null
  wrong: Misbehaviour | undefined
}

/**
 * Simulates the machine at the other end of a wire. Resolves when the wire has ended. Motions have no reply. Therefore
 * `late` makes the machine silent for the rest of this wire, and `garble` makes all its later replies unreadable.
 */
export function simulateK720(wire: Duplex, machine: K720Machine): Promise<void> {
  let pending: Pending | null = null
  let ignored: K720CommandName | null = null
  let isMute = false
  let isGarbling = false
  const { sendWord, send } = machineEnd<K720ControlWord>(wire, { frame, control }, machine)
  return new Promise((resolve) => listen(wire, deframer(), machine.clock, gapMs, receive, resolve))

  function receive(sound: K720Received | Bytes) {
    if (sound.kind === 'bytes' || isMute) return
    if (sound.kind === 'damaged') return sendWord('nak')
    if (sound.address !== machine.address) return
    if (sound.kind === 'frame') return take(sound.payload)
    if (sound.word === 'eot') pending = null
    if (sound.word === 'enq' && pending) {
      const now = pending
      pending = null
      carryOut(now)
    }
  }

  function take(payload: Uint8Array) {
    const name = commandNamed(payload)
    // A command that is ignored is ignored in each copy too.
    if (name && name === ignored) return
    ignored = null
    // A copy of the command that waits for its ENQ: the host did not receive the ACK in time.
    if (name && pending?.name === name) return sendWord('ack')
    const wrong = name ? misbehaviourFor(name, machine.misbehaviours) : undefined
    if (wrong?.does === 'silence') ignored = name
    else {
      pending = { name, wrong }
      sendWord('ack')
    }
  }

  function carryOut({ name, wrong }: Pending) {
    if (wrong?.does === 'close') return void wire.destroy()
    if (wrong?.does === 'refuse') machine.trouble |= Number.parseInt(wrong.code ?? '0020', 16)
    if (wrong?.does === 'late') isMute = true
    if (wrong?.does === 'garble') isGarbling = true
    if (!name) return
    if (isQuery(name)) return wrong?.does === 'refuse' ? undefined : reply(answerTo(name))
    if (wrong?.does !== 'refuse') begin(machine, name)
    // The host opens another wire, and sees the end of the motion there.
    if (isMute || isGarbling) machine.moving?.finish()
  }

  function answerTo(name: QueryName): Uint8Array {
    if (name === 'status') return stateText(look(machine))
    if (name === 'version') return Buffer.from(machine.firmware, 'latin1')
    return Uint8Array.of(0x46, 0x52, machine.onInsert, machine.onReset)
  }

  function reply(payload: Uint8Array) {
    if (!isMute) send(payload, isGarbling)
  }
}

function isQuery(name: K720CommandName): name is QueryName {
  return commands[name].kind === 'query'
}
