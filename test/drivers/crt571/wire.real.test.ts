import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import antennaDriver from '../../../drivers/crt571/antenna-driver.ts'
import driver from '../../../drivers/crt571/driver.ts'
import { machine as imitate, simulateCrt571 } from '../../../drivers/crt571/simulator/simulator.ts'
import { branch } from '../../../src/devices/branch.ts'
import { systemClock } from '../../../src/host/clock.ts'
import { blankCards } from '../../../src/simulators/devices/simulated-card.ts'
import { take } from '../../../src/simulators/devices/simulated-card-path.ts'
import { fault } from '../dispenser-contract.ts'
import { pluggable, transports } from '../pluggable.ts'

const page = Uint8Array.of(0xde, 0xad, 0xbe, 0xef)
const blank = new Uint8Array(4)

for (const { name, at, skip } of transports)
  describe(`a crt571 and its antenna over ${name}`, { skip, concurrency: true }, () => {
    it('make a card together', async (test) => {
      const { machine, connect } = await bench(test)
      const { dispenser, encoder } = await connect()
      const [card] = machine.stack
      await dispenser.move('encoder')
      assert.deepEqual((await encoder.find())?.uid, card!.uid)
      await encoder.writePage(4, page)
      assert.deepEqual((await encoder.readPages(4)).subarray(0, 4), page)
      assert.equal((await dispenser.move('front')).card, 'gate')
      assert.equal(take(machine), true)
      assert.equal((await dispenser.status()).card, 'none')
    })

    for (const [to, place] of [
      ['encoder', 'encoder'],
      ['front', 'gate'],
      ['capture', 'none'],
    ] as const)
      it(`find a card where it is after the cable was pulled in the middle of a move to ${to}`, async (test) => {
        const { machine, pull, connect } = await bench(test)
        const { dispenser, end } = await connect()
        if (to !== 'encoder') await dispenser.move('encoder')
        const then = pull
        machine.misbehaviours.push({ at: `move-${to}`, does: 'late', then })
        await assert.rejects(dispenser.move(to), fault('dispenser-timeout', true))
        if (!end.closed) await new Promise((resolve) => end.once('close', resolve))
        const again = await connect()
        assert.equal((await again.dispenser.status()).card, place)
        assert.equal(machine.stack.length, 2)
        assert.equal(Boolean(await again.encoder.find()), place === 'encoder')
      })

    for (const [does, held] of [
      ['close', blank],
      ['late', page],
    ] as const)
      it(`do not know of a write when the cable is pulled, and read it afterwards: ${does}`, async (test) => {
        const { machine, pull, connect } = await bench(test)
        const { dispenser, encoder } = await connect()
        await dispenser.move('encoder')
        await encoder.find()
        const then = does === 'late' ? pull : () => {}
        machine.misbehaviours.push({ at: 'rf-write', does, then })
        await assert.rejects(encoder.writePage(4, page), fault('encoder-timeout-writing', true))
        await assert.rejects(dispenser.status(), fault('dispenser-offline', false))
        const again = await connect()
        assert.ok(await again.encoder.find())
        assert.deepEqual((await again.encoder.readPages(4)).subarray(0, 4), held)
      })

    it('are offline when the cable is pulled while a card is read', async (test) => {
      const { machine, pull, connect } = await bench(test)
      const { dispenser, encoder } = await connect()
      await dispenser.move('encoder')
      await encoder.find()
      const then = pull
      machine.misbehaviours.push({ at: 'rf-read', does: 'late', then })
      await assert.rejects(encoder.readPages(4), fault('encoder-offline', false))
      await assert.rejects(dispenser.move('front'), fault('dispenser-offline', false))
      assert.equal((await (await connect()).dispenser.status()).card, 'encoder')
    })

    async function bench(test: TestContext) {
      const machine = imitate({ clock: systemClock, stack: blankCards(3, 'real', 'ultralight') })
      const { plugIn, pull } = await pluggable(test, at, (wire) => simulateCrt571(wire, machine))
      return {
        machine,
        pull,
        async connect() {
          const wire = await plugIn()
          const end = branch(wire)
          const options = { patience: 1, options: {}, clock: systemClock }
          const dispenser = driver.open(wire, { model: 'crt571', ...options })
          const encoder = antennaDriver.open(end, { model: 'crt571-rf', ...options })
          await dispenser.initialise('leave')
          return { end, dispenser, encoder }
        },
      }
    }
  })
