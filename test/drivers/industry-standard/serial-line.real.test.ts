import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cardsFor, opening } from '../../../drivers/industry-standard/simulator/lock-pc.ts'
import type { Misbehaviour } from '../../../src/simulators/devices/misbehaviour.ts'
import { call, fault, grantFor, held, toldOf } from '../lock-system-bench.ts'
import { until } from '../lock-system-contract.ts'
import { grant, made, opened, there, under } from './opened-house.ts'
import { noSocat, serial } from './serial-line.ts'

describe('industry-standard on a serial line', { skip: noSocat }, () => {
  it('makes a card, reads it, and checks the room out', async (test) => {
    const at = await opened(test, { wire: serial })
    const card = at.freshCard(1)
    const asked = grantFor({ ...under, clock: at.clock }, { validFrom: at.clock.now() - 60_000 })
    const key = await at.system.create(asked, call())
    assert.deepEqual(opening(at.pc, '101'), [card.uid])
    assert.deepEqual((await at.system.read!('1', call())).found?.locks, ['101'])
    await at.system.revoke!(held(asked, key), call())
    assert.deepEqual(opening(at.pc, '101'), [])
  })

  it('notices that the lock PC is switched off, and that it is there again', async (test) => {
    const at = await opened(test, { wire: serial })
    const quiet: Misbehaviour[] = Array.from({ length: 3 }, () => ({ at: 'ENQ', does: 'silence' }))
    at.pc.misbehaviours.push(...quiet)
    await until(at.clock, () => at.system.state().line !== 'online')
    assert.match(at.system.state().fault?.message ?? '', /does not answer/)
    await until(at.clock, () => at.system.state().line === 'online')
  })

  for (const knowsReset of [true, false])
    it(`makes the next card although an answer comes after the line was plugged in again, ${knowsReset ? 'with' : 'without'} EX`, async (test) => {
      const at = await opened(test, { wire: serial, pc: { knowsReset } })
      const first = at.freshCard(1)
      let release = () => {}
      at.pc.instead.push((send) => {
        release = send
      })
      const lost = assert.rejects(at.system.create(grant(), call()), fault('lock-system-timeout', true))
      await until(at.clock, () => at.pc.cards.size === 1)
      await at.unplug()
      await lost
      await at.plug()
      const second = at.freshCard(1)
      const next = at.system.create(grant(there), call())
      release()
      assert.equal(toldOf(await next), second.uid)
      assert.deepEqual(cardsFor(at.pc, '101'), [first])
      assert.deepEqual(cardsFor(at.pc, '102'), [second])
      assert.equal(made(at).length, 2)
    })
})
