import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import driver from '../../../drivers/k720/driver.ts'
import { machine as imitate } from '../../../drivers/k720/simulator/mechanics.ts'
import { simulateK720 } from '../../../drivers/k720/simulator/simulator.ts'
import { systemClock } from '../../../src/host/clock.ts'
import { blankCards } from '../../../src/simulators/devices/simulated-card.ts'
import { take } from '../../../src/simulators/devices/simulated-card-path.ts'
import { fault } from '../dispenser-contract.ts'
import { pluggable, transports } from '../pluggable.ts'

for (const { name, at, skip } of transports)
  describe(`a k750 over ${name}`, { skip, concurrency: true }, () => {
    it('gives a card out, and takes one back', async (test) => {
      const { machine, connect } = await bench(test)
      const dispenser = await connect()
      await dispenser.move('encoder')
      assert.equal((await dispenser.move('front')).card, 'gate')
      assert.equal(take(machine), true)
      await dispenser.move('encoder')
      assert.equal((await dispenser.move('stacker')).card, 'none')
      assert.equal(machine.stack.length, 2)
    })

    for (const [to, place] of [
      ['encoder', 'encoder'],
      ['front', 'gate'],
      ['capture', 'none'],
      ['stacker', 'none'],
    ] as const)
      it(`finds a card where it is after the cable was pulled in the middle of a move to ${to}`, async (test) => {
        const { machine, connect } = await bench(test)
        const dispenser = await connect()
        if (to !== 'encoder') await dispenser.move('encoder')
        // Asked once before the motion, and then while it is under way.
        machine.misbehaviours.push({ at: 'status', skip: 1, does: 'close' })
        await assert.rejects(dispenser.move(to), fault('dispenser-timeout', true))
        assert.equal((await (await connect()).status()).card, place)
        const cards = [...machine.stack, ...machine.bin, ...(machine.card ? [machine.card] : [])]
        assert.equal(cards.length, 3)
      })

    async function bench(test: TestContext) {
      const machine = imitate({
        clock: systemClock,
        model: 'k750',
        lowAt: 0,
        pace: 0.05,
        stack: blankCards(3, 'real', 'classic'),
      })
      const { plugIn } = await pluggable(test, at, (wire) => simulateK720(wire, machine))
      return {
        machine,
        async connect() {
          const options = { model: 'k750', patience: 1, options: {}, clock: systemClock }
          const dispenser = driver.open(await plugIn(), options)
          await dispenser.initialise('leave')
          return dispenser
        },
      }
    }
  })
