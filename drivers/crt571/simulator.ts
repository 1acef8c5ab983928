import type { Duplex } from 'node:stream'
import type { Bytes } from '../../src/devices/listening.ts'
import { listen } from '../../src/devices/listening.ts'
import type { Misbehaviour } from '../../src/devices/misbehaviour.ts'
import { misbehaviourFor } from '../../src/devices/misbehaviour.ts'
import type { Antenna, SimulatedCard } from '../../src/devices/simulated-card.ts'
import type { ControlWord, Heard } from './framing.ts'
import { control, deframer, frame } from './framing.ts'
import type { Result } from './mechanics.ts'
import { give, isFull, perform } from './mechanics.ts'
import type { Command, CommandName } from './protocol.ts'
import { profileOf } from './protocol.ts'
import { readCommand, replyText } from './text.ts'

/** The machine behind the wire. It outlives the wire: a card stays where it is when the cable is pulled. */
export interface Machine {
  /** The words and numbers it speaks: a model of the driver. */
  model: string
  address: number
  serialNumber: string
  /** Blank cards; the first is fed next. */
  stack: SimulatedCard[]
  /** Where `card` stands; `none` when there is none. */
  at: 'none' | 'gate' | 'encoder'
  card: SimulatedCard | null
  /** Captured cards, and cards in a guest's hand, in order. */
  bin: SimulatedCard[]
  taken: SimulatedCard[]
  binCapacity: number
  /** With this many cards or fewer the stacker counts as low. */
  lowAt: number
  /** False since power-on: all but an initialisation is refused with B0. */
  initialised: boolean
  entry: boolean
  /** `at` is a name of the command table, such as `move-front`. */
  misbehaviours: Misbehaviour[]
  /** 0 answers at once; 1 takes as long as a real machine. */
  pace: number
  /** How long a guest leaves a card at the gate; null leaves it there. */
  takenAfterMs: number | null
  onTaken?: (card: SimulatedCard) => void
  onCaptured?: (card: SimulatedCard) => void
}

const tookMs: Record<Command['kind'], number> = { query: 10, reset: 2_000, motion: 1_200 }
const gapMs = 20

/** A machine just switched on, with an empty stacker unless `options.stack` fills it. Its antenna is the encoder's. */
export function machine(options: Partial<Machine> = {}): Machine & Antenna {
  return {
    model: 'crt571',
    address: 0,
    serialNumber: '59100042',
    stack: [],
    at: 'none',
    card: null,
    bin: [],
    taken: [],
    binCapacity: 50,
    lowAt: 10,
    initialised: false,
    entry: false,
    misbehaviours: [],
    pace: 0,
    takenAfterMs: null,
    ...options,
    cards() {
      return this.at === 'encoder' && this.card ? [this.card] : []
    },
  }
}

/** The guest pulls the card from the gate. False when none stands there. */
export function take(machine: Machine): boolean {
  if (machine.at !== 'gate') return false
  give(machine)
  return true
}

/** The guest pushes a card in at the front. False when the machine does not take it. */
export function insert(machine: Machine, card: SimulatedCard): boolean {
  if (!machine.entry || machine.card) return false
  machine.card = card
  machine.at = 'encoder'
  return true
}

/** Plays the machine at the other end of a wire. Resolves when the wire has ended. */
export function simulateCrt571(wire: Duplex, machine: Machine): Promise<void> {
  const { commands, binFull } = profileOf(machine.model)
  let lastReply: Uint8Array | undefined
  let running: NodeJS.Timeout | undefined
  return new Promise((resolve) => listen(wire, deframer(), gapMs, hear, resolve))

  function hear(sound: Heard | Bytes) {
    if (sound.kind === 'control') return heed(sound.word)
    if (sound.kind === 'bytes' || sound.address !== machine.address) return
    if (sound.kind === 'damaged') return say('nak')
    const command = readCommand(sound.text)
    if (command && !running) obey(command)
  }

  function heed(word: ControlWord) {
    if (word === 'nak' && lastReply) write(lastReply)
    if (word !== 'eot') return
    clearTimeout(running)
    running = undefined
    say('eot')
  }

  function obey({ cm, pm }: { cm: number; pm: number }) {
    const rows = Object.entries(commands) as [CommandName, Command][]
    const [name, row] = rows.find(([, each]) => each.cm === cm && each.pm === pm) ?? []
    if (!name || !row) {
      say('ack')
      return reply(cm, pm, { code: rows.some(([, each]) => each.cm === cm) ? '01' : '00' })
    }
    const wrong = misbehaviourFor(name, machine.misbehaviours)
    if (wrong?.does === 'silence') return
    if (wrong?.does === 'close') return void wire.destroy()
    say('ack')
    lastReply = undefined
    const finish = () => {
      running = undefined
      const refused = wrong?.does === 'refuse' && { code: wrong.code ?? '10' }
      const result = refused || perform(machine, name)
      if (wrong?.does !== 'late') reply(cm, pm, result, wrong?.does === 'garble')
    }
    if (machine.pace === 0) finish()
    else running = setTimeout(finish, tookMs[row.kind] * machine.pace)
  }

  function reply(cm: number, pm: number, result: Result, garbled = false) {
    const text =
      'code' in result
        ? replyText({ ok: false, cm, pm, code: result.code })
        : replyText({ ok: true, cm, pm, ...statusBytes(), data: result.data })
    lastReply = frame(machine.address, text)
    if (garbled) lastReply[lastReply.length - 1]! ^= 0xff
    write(lastReply)
  }

  function statusBytes() {
    const { at, stack, lowAt } = machine
    return {
      card: { none: '0', gate: '1', encoder: '2' }[at],
      stacker: stack.length === 0 ? '0' : stack.length <= lowAt ? '1' : '2',
      bin: isFull(machine) ? binFull : '0',
    }
  }

  function say(word: ControlWord) {
    write(Uint8Array.of(control[word]))
  }

  function write(bytes: Uint8Array) {
    if (wire.writable) wire.write(bytes)
  }
}
