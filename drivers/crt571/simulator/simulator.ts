import type { Duplex } from 'node:stream'
import { type Bytes, listen } from '../../../src/devices/network/listening.ts'
import type { Timer } from '../../../src/host/clock.ts'
import { misbehaviourFor } from '../../../src/simulators/devices/misbehaviour.ts'
import { isMotion, machineEnd, simulatedMachine } from '../../../src/simulators/devices/simulated-machine.ts'
import { type AntennaCommandName, antennaCommands } from '../antenna-protocol.ts'
import { type Crt571ControlWord, type Crt571Received, control, deframer, frame } from '../framing.ts'
import { type Crt571CommandName, commandNamed, profileOf, rules } from '../protocol.ts'
import { readCommand, replyText } from '../text.ts'
import { type Crt571Machine, type MechanicsResult, mechanics, move, statusOf } from './mechanics.ts'
import { simulatedAntenna } from './simulated-antenna.ts'

const tookMs: Record<keyof typeof rules, number> = { query: 10, reset: 2_000, motion: 1_200, write: 100 }
const gapMs = 20

/**
 * A machine after power-on, with an empty stacker unless `options.stack` fills it. Its antenna is also that of the
 * encoder.
 */
export function machine(options: Partial<Crt571Machine> & Pick<Crt571Machine, 'clock'>): Crt571Machine {
  return {
    ...simulatedMachine({ model: 'crt571', ...options }),
    serialNumber: '59100042',
    initialised: false,
    counts: false,
    binCount: 0,
    light: 0,
    ...options,
  }
}

/** Simulates the machine at the other end of a wire. Resolves when the wire has ended. */
export function simulateCrt571(wire: Duplex, machine: Crt571Machine): Promise<void> {
  const { commands, binFull } = profileOf(machine.model)
  const antenna = simulatedAntenna(machine)
  const { sendWord, send, write } = machineEnd<Crt571ControlWord>(wire, { frame, control }, machine)
  let lastReply: Uint8Array | undefined
  let running: Timer | null = null
  return new Promise((resolve) => listen(wire, deframer(), machine.clock, gapMs, receive, resolve))

  function receive(sound: Crt571Received | Bytes) {
    if (sound.kind === 'control') return heed(sound.word)
    if (sound.kind === 'bytes' || sound.address !== machine.address) return
    if (sound.kind === 'damaged') return sendWord('nak')
    const command = readCommand(sound.payload)
    if (command && !running) obey(command)
  }

  function heed(word: Crt571ControlWord) {
    if (word === 'nak' && lastReply) write(lastReply)
    if (word !== 'eot') return
    running?.cancel()
    running = null
    sendWord('eot')
  }

  function obey({ cm, pm, data }: { cm: number; pm: number; data: Uint8Array }) {
    const name = commandNamed(commands, { cm, pm, data })
    if (!name) {
      sendWord('ack')
      return reply(cm, pm, { code: Object.values(commands).some((each) => each.cm === cm) ? '01' : '00' })
    }
    const wrong = misbehaviourFor(name, machine.misbehaviours)
    if (wrong?.does === 'silence') return
    if (wrong?.does === 'close') return void wire.destroy()
    sendWord('ack')
    lastReply = undefined
    const finish = () => {
      running = null
      const refused = wrong?.does === 'refuse' && { code: wrong.code ?? '10' }
      const result = refused || carryOut(name, data)
      if (wrong?.does !== 'late') reply(cm, pm, result, wrong?.does === 'garble')
    }
    if (machine.pace === 0) finish()
    else running = machine.clock.setTimeout(finish, tookMs[commands[name]!.kind] * machine.pace)
  }

  function carryOut(name: Crt571CommandName, data: Uint8Array): MechanicsResult {
    const { endsField } = rules[commands[name]!.kind]
    if (endsField) antenna.lose()
    if (!machine.initialised && !name.startsWith('initialise')) return { code: 'B0' }
    if (isAntennas(name)) return antenna.carryOut(name, data)
    return isMotion(name) ? move(machine, name) : mechanics[name](machine, data)
  }

  function reply(cm: number, pm: number, result: MechanicsResult, garbled = false) {
    lastReply = send(textOf(machine, binFull, { cm, pm }, result), garbled)
  }
}

function textOf(
  machine: Crt571Machine,
  binFull: string,
  command: { cm: number; pm: number },
  result: MechanicsResult,
): Uint8Array {
  if ('code' in result) return replyText({ ok: false, ...command, code: result.code })
  return replyText({ ok: true, ...command, ...statusOf(machine, binFull), data: result.data })
}

function isAntennas(name: Crt571CommandName): name is AntennaCommandName {
  return Object.hasOwn(antennaCommands, name)
}
