import { type Duplex, duplexPair } from 'node:stream'
import { crt571 } from '../../../drivers/crt571/device.ts'
import { deframer } from '../../../drivers/crt571/framing.ts'
import { commandNamed, profileOf } from '../../../drivers/crt571/protocol.ts'
import type { Crt571Machine } from '../../../drivers/crt571/simulator/mechanics.ts'
import { machine as imitate, simulateCrt571 } from '../../../drivers/crt571/simulator/simulator.ts'
import { readCommand } from '../../../drivers/crt571/text.ts'
import { blankCards } from '../../../src/simulators/devices/simulated-card.ts'
import { type TestClock, testClock } from '../../test-clock.ts'

/** A change to what one side said: other bytes in its place, or null for nothing. */
export type Tamper = (said: Uint8Array) => Uint8Array | null

export interface TamperedBench {
  clock: TestClock
  dispenser: ReturnType<typeof crt571>
  machine: Crt571Machine
  /** The names of the commands the driver sent, each copy counted; control bytes as `ack`, `nak`, `eot`. */
  sent: string[]
  /** The raw bytes the driver sent, in hexadecimal. */
  raw: string[]
  /** Changes what the machine, or the driver, says from now on. */
  tamper: { machine: Tamper; driver: Tamper }
  /** Stops taking what the driver says, until it is called with false. */
  jam(jammed: boolean): void
  /** Says something in the machine's name. */
  inject(bytes: Uint8Array): void
}

/** A driver and its simulator with a hand on the wire between them. The machine has been initialised. */
export async function tamperedBench(
  options: Partial<{
    model: string
    contacts: boolean
    countsCaptures: boolean
    cards: number
    machine: Partial<Crt571Machine>
  }> = {},
): Promise<TamperedBench> {
  const { model = 'crt571', contacts = false, countsCaptures = false, cards = 3 } = options
  const clock = testClock()
  const stack = blankCards(cards, 'tampered', 'classic')
  const machine = imitate({ clock, model, stack, ...options.machine })
  // A wire that holds next to nothing by itself: what the far end does not take has not been written.
  const [box, boxEnd] = duplexPair({ highWaterMark: 1 })
  const [machineEnd, far] = duplexPair()
  const told = { address: machine.address, contacts, countsCaptures }
  const dispenser = crt571(box, { model, patience: 1, options: told, clock })
  void simulateCrt571(far, machine)
  const bench: TamperedBench = {
    clock,
    dispenser,
    machine,
    sent: [],
    raw: [],
    tamper: { machine: (said) => said, driver: (said) => said },
    jam: (jammed) => void (jammed ? boxEnd.pause() : boxEnd.resume()),
    inject: (bytes) => void boxEnd.write(bytes),
  }
  const heard = deframer()
  boxEnd.on('data', (said: Uint8Array) => {
    bench.raw.push(Buffer.from(said).toString('hex'))
    for (const each of heard.push(said)) bench.sent.push(each.kind === 'control' ? each.word : nameIn(each))
    pass(machineEnd, bench.tamper.driver(said))
  })
  machineEnd.on('data', (said: Uint8Array) => pass(boxEnd, bench.tamper.machine(said)))
  await dispenser.initialise('leave')
  bench.sent.length = 0
  bench.raw.length = 0
  return bench

  function nameIn(heard: { kind: string; payload?: Uint8Array }): string {
    const command = heard.payload && readCommand(heard.payload)
    return (command && commandNamed(profileOf(model).commands, command)) || 'unknown'
  }
}

function pass(to: Duplex, bytes: Uint8Array | null) {
  if (bytes) to.write(bytes)
}

/** Only the first thing said that `concerns` is changed. */
export function once(concerns: (said: Uint8Array) => boolean, change: Tamper): Tamper {
  let done = false
  return (said) => {
    if (done || !concerns(said)) return said
    done = true
    return change(said)
  }
}

export const isFrame = (said: Uint8Array) => said[0] === 0xf2
export const isControl = (byte: number) => (said: Uint8Array) => said.length === 1 && said[0] === byte
/** A frame, of either side, with this CM and PM. */
export const isAbout = (cm: number, pm: number) => (said: Uint8Array) =>
  isFrame(said) && said[5] === cm && said[6] === pm
