import assert from 'node:assert/strict'
import { it } from 'node:test'
import { nothingSeen } from '../../src/access/cards/antenna.ts'
import { captureCard } from '../../src/access/cards/capture-card.ts'
import type { DispenserHandle } from '../../src/access/handles/device-handle.ts'
import type { CardDispenser, DispenserStatus } from '../../src/devices/capability.ts'
import type { Writer } from '../../src/resource/command.ts'
import { testClock } from '../test-clock.ts'

it('leave no dispenser capturing for ever', async () => {
  const idle: Partial<DispenserHandle> = { id: 'one', clock: testClock(), activity: null }
  const handle = idle as DispenserHandle
  const writer: Writer = { execute: async () => [] as never }
  const move = async () => ({ card: 'none' }) as DispenserStatus
  const machine = { positions: ['capture'], move } as Partial<CardDispenser> as CardDispenser
  const seen = async () => nothingSeen
  /** The encoder of each is waited for; the line of the first was cut meanwhile, and the machine has started anew. */
  const capturing = () => {
    const ready = Promise.withResolvers<boolean>()
    const antenna = { providerId: 'p', isReady: () => ready.promise, look: seen, wipe: seen }
    const actor = { by: 'test', requestId: null }
    return { done: captureCard(writer, { handle, machine, card: 'encoder', antenna, actor }), ready }
  }
  const [first, second] = [capturing(), capturing()]
  assert.equal(handle.activity, 'capturing')
  first.ready.resolve(true)
  await first.done
  second.ready.resolve(true)
  await second.done
  assert.equal(handle.activity, null)
})
