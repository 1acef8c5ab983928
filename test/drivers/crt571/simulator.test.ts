import assert from 'node:assert/strict'
import { duplexPair } from 'node:stream'
import { describe, it } from 'node:test'
import { crt571 } from '../../../drivers/crt571/device.ts'
import type { Crt571Machine } from '../../../drivers/crt571/simulator/mechanics.ts'
import { machine, simulateCrt571 } from '../../../drivers/crt571/simulator/simulator.ts'
import type { SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import { blankCards } from '../../../src/simulators/devices/simulated-card.ts'
import { testClock } from '../../test-clock.ts'

const clock = testClock()

function connect(machine: Crt571Machine) {
  const [box, far] = duplexPair()
  const over = simulateCrt571(far, machine)
  return { dispenser: crt571(box, { model: machine.model, patience: 1, options: {}, clock }), far, over }
}

describe('the simulated crt571', { concurrency: true }, () => {
  it('takes its time when it is asked to', async () => {
    const there = machine({ clock, stack: blankCards(1, 'slow', 'classic'), pace: 1 })
    const { dispenser } = connect(there)
    await dispenser.initialise('leave')
    assert.equal((await dispenser.move('encoder')).card, 'encoder')
  })

  it('stops a motion under way on EOT', async () => {
    const there = machine({ clock, stack: blankCards(1, 'aborted', 'classic') })
    const { dispenser } = connect(there)
    await dispenser.initialise('leave')
    there.pace = 50
    await assert.rejects(dispenser.move('encoder'), { code: 'dispenser-timeout' })
    assert.equal(there.stack.length, 1)
    there.pace = 0
    assert.equal((await dispenser.status()).card, 'none')
  })

  it('shows an encoder the card at its antenna, and no other', async () => {
    const there = machine({ clock, stack: blankCards(1, 'antenna', 'classic') })
    const [card] = there.stack as [SimulatedCard]
    const { dispenser } = connect(there)
    await dispenser.initialise('leave')
    assert.deepEqual(there.cards(), [])
    await dispenser.move('encoder')
    assert.deepEqual(there.cards(), [card])
    await dispenser.move('front')
    assert.deepEqual(there.cards(), [])
  })

  it('has a guest who takes the card, and tells of cards taken and captured', async () => {
    const told: string[] = []
    const taken = Promise.withResolvers<SimulatedCard>()
    const there = machine({
      clock,
      stack: blankCards(2, 'guest', 'classic'),
      takenAfterMs: 5,
      onTaken: taken.resolve,
      onCaptured: () => told.push('captured'),
    })
    const [first, second] = there.stack
    const { dispenser } = connect(there)
    await dispenser.initialise('leave')
    await dispenser.move('encoder')
    await dispenser.move('front')
    // The guest's hand does not keep a process alive that waits for nothing else.
    const alive = clock.setInterval(() => {}, 1_000)
    assert.equal(await taken.promise, first)
    alive.cancel()
    assert.equal((await dispenser.status()).card, 'none')
    await dispenser.move('encoder')
    await dispenser.move('capture')
    assert.deepEqual(there.bin, [second])
    assert.deepEqual(told, ['captured'])
  })

  it('keeps its card when the cable is pulled, and ends with the wire', async () => {
    const there = machine({ clock, stack: blankCards(1, 'cable', 'classic') })
    const before = connect(there)
    await before.dispenser.initialise('leave')
    await before.dispenser.move('encoder')
    before.far.destroy()
    await before.over
    const after = connect(there)
    assert.equal((await after.dispenser.status()).card, 'encoder')
  })
})
