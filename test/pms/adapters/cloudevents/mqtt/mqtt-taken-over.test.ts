import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import type { CarrierSetup } from '../../../../../src/pms/adapters/cloudevents/carrier.ts'
import { mqttCarrier } from '../../../../../src/pms/adapters/cloudevents/mqtt/mqtt-carrier.ts'
import { until } from '../../../../eventually.ts'
import { testClock } from '../../../../test-clock.ts'
import { startMqttBroker } from './broker/mqtt-broker.ts'
import { setupFor, soon } from './mqtt-peer.ts'

const codesOf = ({ notes }: ReturnType<typeof mqttCarrier>) => (notes?.() ?? []).map(({ code }) => code)

/** Two boxes with one data folder at a broker, one after the other. */
async function twoBoxes(t: TestContext, setup: CarrierSetup) {
  const boxes = [mqttCarrier(setup, soon), mqttCarrier(setup, soon)]
  t.after(() => Promise.all(boxes.map((each) => each.close())))
  await until(() => boxes.every((each) => codesOf(each).join() === 'pms-other-box'))
}

it('both boxes with one client id note that another box uses it', async (t) => {
  const broker = await startMqttBroker()
  t.after(() => broker.kill())
  await twoBoxes(t, setupFor(broker.url, { clock: testClock() }))
})

it('a box alone notes nothing, also when it connects again after a cut', async (t) => {
  const broker = await startMqttBroker()
  t.after(() => broker.kill())
  const lines: string[] = []
  const box = mqttCarrier(setupFor(broker.url, { clock: testClock() }), soon)
  t.after(() => box.close())
  box.follow?.({ message() {}, poke() {}, line: (state) => void lines.push(state) })
  await until(() => lines.includes('up'))
  for (const id of broker.connected()) broker.cut(id)
  await until(() => lines.filter((each) => each === 'up').length === 2)
  assert.deepEqual(codesOf(box), [])
})

it('a box whose connections are cut soon, again and again, says that another box is only one of the causes', async (t) => {
  const broker = await startMqttBroker()
  t.after(() => broker.kill())
  const box = mqttCarrier(setupFor(broker.url, { clock: testClock() }), soon)
  t.after(() => box.close())
  let cuts = 0
  box.follow?.({
    message() {},
    poke() {},
    line(state) {
      if (state === 'up' && cuts++ < 4) for (const id of broker.connected()) broker.cut(id)
    },
  })
  await until(() => codesOf(box).length > 0)
  assert.deepEqual(codesOf(box), ['pms-perhaps-other-box'])
})
