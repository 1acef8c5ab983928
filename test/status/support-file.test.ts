import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { keptLog } from '../../src/host/kept-log.ts'
import { createLog } from '../../src/host/log.ts'
import type { Request } from '../../src/jsonapi/route.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'

const path = '/api/config/v1/support-file'
const guest = { firstName: 'Wilhelmina', lastName: "O'Featherstone" }

interface Line {
  part: string
  value: Record<string, unknown>
}

describe('the support file', () => {
  let house: TestAppliance
  before(async () => {
    house = await startAppliance()
  })
  after(() => house.stop())

  const download = async (token = 'demo') => {
    const reply = await house.ask('GET', path, { token, headers: { Accept: '*/*' } })
    return {
      ...reply,
      lines:
        reply.status === 200
          ? reply.text
              .trim()
              .split('\n')
              .map((each): Line => JSON.parse(each))
          : [],
    }
  }

  it('has status, configuration, log and recording, and neither guests nor secrets', async (t) => {
    assert.equal((await house.ask('POST', '/api/v2/profiles', { body: guest })).status, 201)
    const [dispenser] = (await house.ask('GET', '/api/config/v1/dispensers')).body.data
    const device = { ...dispenser.attributes.device, path: 'tcp://127.0.0.1:9', patience: 1 }
    const name = `Lobby of ${guest.firstName} ftp://me:planted-password@host`
    await house.ask('PATCH', `/api/config/v1/dispensers/${dispenser.id}`, { body: { device, name } })
    await house.ask('GET', `/api/v2/access/dispensers/${dispenser.id}/status`)
    const receiver = createServer((_, response) => response.writeHead(204).end()).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    t.after(() => receiver.close())
    const { port } = receiver.address() as AddressInfo
    const webhook = { url: `http://127.0.0.1:${port}/in?key=planted-key`, types: ['stay.*'] }
    const made = await house.ask('POST', '/api/config/v1/webhooks', { body: webhook })
    assert.equal(made.status, 201, made.text)
    const [controller] = (await house.ask('GET', '/api/config/v1/access-controllers')).body.data
    const key = { type: 'keyCard', unitName: '101', original: true, printText: `For ${guest.lastName}` }
    const dates = { startDate: '2026-06-01', endDate: '2026-06-02' }
    await house.ask('POST', `/api/v2/access/controllers/${controller.id}/key`, { body: { ...key, ...dates } })

    const { status, headers, text, lines } = await download()
    assert.equal(status, 200)
    assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="nightporter-support-/)
    const parts = new Set(lines.map(({ part }) => part))
    assert.deepEqual([...parts], ['status', 'configuration', 'log', 'recording'])
    assert.ok(lines.some(({ value }) => value.type === 'dispenser'))
    assert.match(text, /Lobby of \[name\]/)
    const secret = made.body?.meta?.secret ?? 'no secret'
    for (const planted of [
      guest.firstName,
      guest.lastName,
      'Featherstone',
      'planted',
      secret,
      '"hex"',
      '"args"',
    ])
      assert.ok(!text.includes(planted), planted)
  })

  it('has no short name, telephone number or address that people typed, wherever the program repeats it', async () => {
    const short = { firstName: 'Li', lastName: 'Ng' }
    assert.equal((await house.ask('POST', '/api/v2/profiles', { body: short })).status, 201)
    const [dispenser] = (await house.ask('GET', '/api/config/v1/dispensers')).body.data
    const name = 'Lobby, ask mrs ng, +351 912 345 678 or 0170/1234567, li.ng@mail.example.com'
    await house.ask('PATCH', `/api/config/v1/dispensers/${dispenser.id}`, { body: { name } })
    const { text, lines } = await download()
    const shown = 'Lobby, ask mrs [name], [phone] or [phone], [e-mail]'
    assert.ok(lines.some(({ part, value }) => part === 'status' && JSON.stringify(value).includes(shown)))
    assert.ok(
      lines.some(({ part, value }) => part === 'configuration' && JSON.stringify(value).includes(shown)),
    )
    for (const planted of ['mrs ng', 'Ng', '912 345', '0170/', 'mail.example'])
      assert.ok(!text.includes(planted), planted)
  })

  it('is encrypted for the recipient of the settings alone, where there is one', async () => {
    const path = '/api/config/v1/support-file?encrypted=true'
    const none = await house.ask('GET', path, { headers: { Accept: '*/*' } })
    assert.deepEqual([none.status, none.body.errors[0].code], [409, 'configuration-disabled'])
    const identity = await generateX25519Identity()
    const own = await startAppliance({ supportRecipient: await identityToRecipient(identity) })
    try {
      const routes = own.appliance.interfaces.flatMap((each) => each.routes)
      const { handle } = routes.find((each) => each.path === 'support-file')!
      const { stream, headers } = await handle({ query: new URLSearchParams('encrypted=true') } as Request)
      assert.match(headers?.['Content-Disposition'] ?? '', /\.jsonl\.age"$/)
      const sealed = Buffer.concat(await stream!.toArray())
      assert.ok(!sealed.includes('status'))
      const decrypter = new Decrypter()
      decrypter.addIdentity(identity)
      const lines = (await decrypter.decrypt(sealed, 'text')).trimEnd().split('\n')
      assert.equal(JSON.parse(lines[0]!).part, 'status')
    } finally {
      await own.stop()
    }
  })

  it('is for installers and administrators', async () => {
    for (const [role, status] of Object.entries({ kiosk: 403, frontdesk: 403, installer: 200 })) {
      const made = await house.ask('POST', '/api/config/v1/tokens', { body: { name: role, role } })
      assert.equal((await download(made.body.meta.token)).status, status, role)
    }
  })
})

it('A log line with a secret has none of it before the support file reads it', () => {
  const kept = keptLog()
  createLog({ copy: kept.add, destination: { write: () => {} } }).error(
    { credentials: 'hush' },
    'Bearer hush',
  )
  assert.doesNotMatch(JSON.stringify(kept.all()), /hush/)
})
