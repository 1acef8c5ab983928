import assert from 'node:assert/strict'
import { it } from 'node:test'
import { browserAt } from '../auth/sessions/browser.ts'
import { accounts, password, staffed } from '../auth/sessions/staffed.ts'
import { receiver } from './receiver.ts'

it('a webhook receives again what its maker may read again', async (t) => {
  const { house, ida, add } = await staffed()
  t.after(() => house.stop())
  const hook = await receiver()
  t.after(hook.close)
  const id = await add('Nina', 'admin')
  const nina = browserAt(house)
  await nina.signIn('Nina', { password })
  const made = await nina.post('/api/config/v1/webhooks', { url: hook.url, types: ['profile.*'] })
  assert.equal(made.status, 201, made.text)
  await ida.signIn('Ida', { password })
  const role = async (name: string) => {
    const changed = await ida.ask('PATCH', `${accounts}/${id}`, { body: { role: name } })
    assert.equal(changed.status, 204, changed.text)
  }
  const heard = async (lastName: string) => {
    const guest = await ida.post('/api/v2/profiles', { firstName: 'Eva', lastName })
    assert.equal(guest.status, 201, guest.text)
    await house.during(house.clock.sleep(2_000))
    return hook.received.some(({ event }) => event.data.id === guest.body.data.id)
  }
  assert.equal(await heard('One'), true)
  await role('monitor')
  assert.equal(await heard('Two'), false)
  await role('admin')
  assert.equal(await heard('Three'), true)
})
