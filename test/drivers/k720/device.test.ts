import assert from 'node:assert/strict'
import { type Duplex, duplexPair } from 'node:stream'
import { describe, it } from 'node:test'
import { k720 } from '../../../drivers/k720/device.ts'
import { machine as imitate, insert, type K720Machine } from '../../../drivers/k720/simulator/mechanics.ts'
import { simulateK720 } from '../../../drivers/k720/simulator/simulator.ts'
import type { CardDispenser } from '../../../src/devices/capability.ts'
import { blankCards } from '../../../src/simulators/devices/simulated-card.ts'
import { take } from '../../../src/simulators/devices/simulated-card-path.ts'
import { testClock } from '../../test-clock.ts'
import { fault } from '../dispenser-contract.ts'
import { commandFrames } from './vectors.ts'

const clock = testClock()

type Tamper = (said: string) => string | null

interface Bench {
  dispenser: CardDispenser
  machine: K720Machine
  /** What the driver said, in hexadecimal, a line each. */
  said: string[]
  /** Changes what either side says from now on; null swallows it. */
  tamper: { driver: Tamper; machine: Tamper }
}

const hex = (line: string) => line.replaceAll(' ', '').toLowerCase()
const enq = '053030'
/** Commands that the machine remembers, so that they are said once for all. */
const kept = ['reset-leaves', 'entry-by-command']

/** A driver and its simulator with a hand on the wire between them. The machine has been initialised. */
async function bench(given: Omit<Partial<K720Machine>, 'cards'> & { cards?: number } = {}): Promise<Bench> {
  const { cards = 3, ...rest } = given
  const machine = imitate({ clock, lowAt: 0, stack: blankCards(cards, 'bench', 'classic'), ...rest })
  const [box, boxEnd] = duplexPair()
  const [machineEnd, far] = duplexPair()
  const dispenser = k720(box, { model: machine.model, patience: 1, options: {}, clock })
  void simulateK720(far, machine)
  const made: Bench = {
    dispenser,
    machine,
    said: [],
    tamper: { driver: (said) => said, machine: (said) => said },
  }
  boxEnd.on('data', (bytes: Buffer) => {
    made.said.push(bytes.toString('hex'))
    pass(machineEnd, made.tamper.driver(bytes.toString('hex')))
  })
  machineEnd.on('data', (bytes: Buffer) => pass(boxEnd, made.tamper.machine(bytes.toString('hex'))))
  await dispenser.initialise('leave')
  made.said.length = 0
  return made
}

function pass(to: Duplex, said: string | null): void {
  if (said !== null) to.write(Buffer.from(said, 'hex'))
}

/** Swallows the ENQ that follows a command, once. */
function losingEnqAfter(command: keyof typeof commandFrames): Tamper {
  let armed = false
  let done = false
  return (said) => {
    if (said === hex(commandFrames[command])) armed = true
    if (!armed || done || said !== enq) return said
    done = true
    return null
  }
}

describe('k720', { concurrency: true }, () => {
  it('sends the frames of the documents, and each ENQ after its ACK', async () => {
    const { dispenser, said } = await bench({ model: 'k750', cards: 9 })
    await dispenser.initialise('capture')
    for (const to of ['encoder', 'front', 'capture', 'encoder', 'eject', 'encoder', 'stacker'] as const)
      await dispenser.move(to)
    await dispenser.entry(true)
    await dispenser.entry(false)
    const sent = new Set(said)
    for (const [name, line] of Object.entries(commandFrames))
      if (!kept.includes(name)) assert.ok(sent.has(hex(line)), name)
    const frames = said.filter((each) => each.startsWith('02'))
    assert.equal(said.filter((each) => each === enq).length, frames.length)
  })

  it('meets what the machine does wrong also where it had to say the command twice', async () => {
    const { dispenser, machine, tamper } = await bench()
    machine.misbehaviours.push({ at: 'move-encoder', does: 'late' })
    let lost = 0
    tamper.machine = (said) =>
      said === '063030' && machine.misbehaviours.length === 0 && lost++ === 0 ? null : said
    await assert.rejects(dispenser.move('encoder'), fault('dispenser-timeout', true))
    assert.ok(lost > 1)
    assert.equal(machine.at, 'encoder')
  })

  it('writes what the machine keeps for good only where it has another setting', async () => {
    const other = await bench({ onReset: 3, onInsert: 2 })
    assert.deepEqual([other.machine.onReset, other.machine.onInsert], [1, 1])
    await other.dispenser.initialise('leave')
    for (const name of ['reset-leaves', 'entry-by-command'] as const)
      assert.ok(!other.said.includes(hex(commandFrames[name])), name)
  })

  const failing: [name: string, code: string][] = [
    ['that the machine cannot execute', '4000'],
    ['whose ENQ was lost', '0000'],
  ]
  for (const [name, code] of failing)
    it(`does not reset a card out of the path after a setting ${name}`, async () => {
      const { dispenser, machine } = await bench()
      await dispenser.move('encoder')
      machine.onReset = 3
      machine.misbehaviours.push({ at: 'reset-leaves', does: 'refuse', code })
      await assert.rejects(dispenser.initialise('leave'), fault('dispenser-offline', false))
      assert.deepEqual([machine.at, machine.bin.length], ['encoder', 0])
      await dispenser.initialise('leave')
      assert.equal(machine.at, 'encoder')
    })

  it('takes no card at the front though the machine was set to take any', async () => {
    const { machine } = await bench({ onInsert: 2 })
    const [card] = blankCards(1, 'guest', 'classic')
    assert.equal(insert(machine, card!), false)
  })

  it('does not take a fresh card for the one that it was to hold', async () => {
    const { dispenser, machine, tamper } = await bench()
    await dispenser.move('encoder')
    await dispenser.move('front')
    tamper.driver = (said) => {
      if (said === hex(commandFrames['move-encoder'])) take(machine)
      return said
    }
    await assert.rejects(dispenser.move('hold'), fault('dispenser-timeout', true))
    assert.equal(machine.taken.length, 1)
  })

  it('tells model and firmware, and is content with a machine that tells neither', async () => {
    const { dispenser } = await bench()
    const identity = { model: 'K720', firmware: 'TTCE_K720_V2.00', serialNumber: '' }
    assert.deepEqual(await dispenser.initialise('leave'), identity)
    const silent = await bench({ model: 'k750' })
    for (let times = 0; times < 3; times++)
      silent.machine.misbehaviours.push({ at: times ? 'settings' : 'version', does: 'refuse' })
    silent.machine.trouble = 0
    const told = await silent.dispenser.initialise('leave')
    assert.deepEqual(told, { model: 'K750', firmware: '', serialNumber: '' })
  })

  it('knows that nothing moved when the machine never began', async () => {
    for (const [to, command] of [
      ['encoder', 'move-encoder'],
      ['front', 'move-front'],
      ['capture', 'move-capture'],
    ] as const) {
      const { dispenser, machine, tamper } = await bench()
      if (to !== 'encoder') await dispenser.move('encoder')
      const before = [machine.stack.length, machine.at]
      tamper.driver = losingEnqAfter(command)
      await assert.rejects(dispenser.move(to), fault('dispenser-offline', false))
      assert.deepEqual([machine.stack.length, machine.at], before)
    }
  })

  it('sends a command again whose ACK was lost: without ENQ the machine has done nothing', async () => {
    const { dispenser, machine, tamper } = await bench()
    let lost = 0
    tamper.machine = (said) => (said === '063030' && lost++ < 2 ? null : said)
    assert.equal((await dispenser.move('encoder')).card, 'encoder')
    assert.equal(machine.stack.length, 2)
  })

  it('never begins a motion twice', async () => {
    const { dispenser, said } = await bench()
    await dispenser.move('encoder')
    const begun = said.filter(
      (each, index) => each === enq && said[index - 1] === hex(commandFrames['move-encoder']),
    )
    assert.equal(begun.length, 1)
  })

  it('does not call a card captured that was pulled out of the mouth', async () => {
    const { dispenser, machine, tamper } = await bench()
    await dispenser.move('encoder')
    await dispenser.move('front')
    tamper.driver = (said) => {
      if (said === hex(commandFrames['move-capture'])) take(machine)
      return said
    }
    await assert.rejects(dispenser.move('capture'), fault('dispenser-timeout', true))
    assert.equal(machine.bin.length, 0)
    assert.equal(machine.taken.length, 1)
  })

  it('does not call a card captured whose capture nobody saw begin', async () => {
    const { dispenser, machine, tamper } = await bench()
    await dispenser.move('encoder')
    await dispenser.move('front')
    const lose = losingEnqAfter('move-capture')
    tamper.driver = (said) => {
      const passed = lose(said)
      if (passed === null) take(machine)
      return passed
    }
    await assert.rejects(dispenser.move('capture'), fault('dispenser-timeout', true))
    assert.equal(machine.bin.length, 0)
  })

  it('waits until a K720 has prepared its next card', async () => {
    const { dispenser, machine } = await bench({ cards: 2 })
    for (let times = 0; times < 2; times++) {
      await dispenser.move('encoder')
      await dispenser.move('eject')
    }
    assert.equal(machine.taken.length, 2)
    assert.equal(machine.trouble, 0)
    await assert.rejects(dispenser.move('encoder'), fault('dispenser-empty', false))
  })

  it('feeds the last card, which waits at the exit of an empty hopper', async () => {
    const { dispenser, tamper } = await bench({ cards: 1 })
    const [waiting, empty] = ['53463030303403', '53463030303c03'] as const
    const checked = (said: string) => {
      const bytes = Buffer.from(said, 'hex')
      bytes[bytes.length - 1] = bytes.subarray(0, -1).reduce((sum, byte) => sum ^ byte, 0)
      return bytes.toString('hex')
    }
    tamper.machine = (said) => (said.includes(waiting) ? checked(said.replace(waiting, empty)) : said)
    assert.equal((await dispenser.status()).stacker, 'nearEmpty')
    assert.equal((await dispenser.move('encoder')).card, 'encoder')
  })

  it('puts a card back into the hopper where the model can', async () => {
    const { dispenser, machine } = await bench({ model: 'k750', cards: 1 })
    await dispenser.move('encoder')
    assert.equal((await dispenser.move('stacker')).card, 'none')
    assert.equal(machine.stack.length, 1)
    await assert.rejects(dispenser.move('stacker'), fault('no-card', false))
  })

  it('reads sensors that a unit numbers in another way', async () => {
    const machine = imitate({ clock, stack: blankCards(1, 'turned', 'classic'), lowAt: 0 })
    const [box, far] = duplexPair()
    void simulateK720(far, machine)
    const options = { sensors: { mask: 3, encoder: 1, gate: 3 } }
    const dispenser = k720(box, { model: 'k750', patience: 1, options, clock })
    Object.assign(machine, { card: machine.stack.pop(), at: 'gate' })
    assert.equal((await dispenser.status()).card, 'encoder')
  })
})
