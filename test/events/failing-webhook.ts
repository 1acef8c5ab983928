import assert from 'node:assert/strict'
import { until } from '../access/house-with-doors.ts'
import type { TestAppliance } from '../appliance.ts'
import { receiver } from './receiver.ts'

/** A webhook with a receiver that takes nothing but what it is tried with, and an event that it did not take. It ends with the house. */
export async function failingWebhook(house: Pick<TestAppliance, 'ask' | 'stop'>) {
  const hook = await receiver()
  hook.answer = ({ event }) => (event.type === 'webhook.tested' ? 200 : 500)
  const { stop } = house
  house.stop = async () => {
    await stop()
    await hook.close()
  }
  const body = { url: hook.url, types: ['amenity.created'] }
  const made = await house.ask('POST', '/api/config/v1/webhooks', { body })
  assert.equal(made.status, 201, made.text)
  const amenity = { code: 'HOOKED', name: 'Hooked' }
  assert.equal((await house.ask('POST', '/api/v2/amenities', { body: amenity })).status, 201)
  const [delivery] = await until(
    'an event that is not taken',
    async () => (await house.ask('GET', '/api/config/v1/webhook-deliveries')).body.data,
    (all) => all.length === 1,
  )
  return {
    webhooks: String(made.body.data.id),
    'webhook-deliveries': String(delivery.id),
    receiver: hook.url,
  }
}
