import assert from 'node:assert/strict'
import { duplexPair } from 'node:stream'
import { it } from 'node:test'
import { reader, simulateTwn4 } from '../../drivers/twn4/simulator/simulator.ts'
import type { AccessController } from '../../src/access/resources/access-controller.ts'
import { testClock } from '../test-clock.ts'
import { testHandles } from './test-handles.ts'

const controller = {
  id: '0197c0de-0000-7000-8000-0000000000c1',
  name: 'Desk',
  device: { driver: 'twn4', path: '/dev/serial/by-id/desk', patience: 1 },
} as AccessController

it('keeps the rate at which a device was heard', async () => {
  const clock = testClock()
  const rates: number[] = []
  const open = testHandles({
    clock,
    async openWire(_path, { baudRate }) {
      rates.push(baudRate)
      const [near, far] = duplexPair()
      // At any other rate the reader hears nothing it understands, and says nothing.
      if (baudRate === 115_200) void simulateTwn4(far, reader({ clock, antenna: { cards: () => [] } }))
      return near
    },
  })
  const { bay } = open.encoder(controller)
  await bay.ready(30_000)
  assert.deepEqual(rates, [9_600, 115_200])
  bay.reset()
  await bay.ready(30_000)
  assert.deepEqual(rates, [9_600, 115_200, 115_200])
  await open.close()
})

it('goes back to the rate at which a device was heard when its power is back', async () => {
  const clock = testClock()
  const rates: number[] = []
  let isOn = true
  const open = testHandles({
    clock,
    async openWire(_path, { baudRate }) {
      rates.push(baudRate)
      const [near, far] = duplexPair()
      if (isOn && baudRate === 115_200)
        void simulateTwn4(far, reader({ clock, antenna: { cards: () => [] } })).then(() => near.destroy())
      return near
    },
  })
  const { bay } = open.encoder(controller)
  await bay.ready(30_000)
  isOn = false
  bay.reset()
  while (rates.length < 6) await clock.sleep(20)
  // Each other one is tried as well: the device may have been changed.
  assert.deepEqual(rates.slice(0, 6), [9_600, 115_200, 115_200, 9_600, 115_200, 115_200])
  isOn = true
  await bay.ready(30_000)
  assert.equal(rates.at(-1), 115_200)
  await open.close()
})
