import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Reply, startAppliance, type TestAppliance } from '../appliance.ts'

const tokens = '/api/config/v1/tokens'

let house: TestAppliance
let maker: string
let administrator: string
before(async () => {
  house = await startAppliance()
  const made = await house.ask('POST', tokens, {
    body: { name: 'Maker', role: 'housekeeping', scopes: ['tokens.write', 'services.*'] },
  })
  maker = made.body.meta.token
  const admin = await house.ask('POST', tokens, { body: { name: 'Chief', role: 'admin' } })
  administrator = admin.body.data.id
})
after(() => house.stop())

const make = (role: string, scopes: string[] = []): Promise<Reply> =>
  house.ask('POST', tokens, { body: { name: 'New', role, scopes }, token: maker })

function refused({ status, body }: Reply, scope: string): void {
  assert.equal(status, 403)
  assert.deepEqual([body.errors[0].code, body.errors[0].meta], ['scope-required', { scope }])
}

describe('A caller who may make tokens', () => {
  it('makes one with its own rights', async () => {
    assert.equal((await make('housekeeping', ['services.read', 'services.*', 'tokens.write'])).status, 201)
  })

  it('makes none with more rights', async () => {
    refused(await make('admin'), '*')
    refused(await make('housekeeping', ['*']), '*')
    refused(await make('housekeeping', ['keys.issue']), 'keys.issue')
    refused(await make('housekeeping', ['tokens.*']), 'tokens.manage')
    assert.equal((await make('installer')).status, 403)
  })

  it('rotates none with more rights', async () => {
    refused(await house.ask('POST', `${tokens}/${administrator}/actions/rotate`, { token: maker }), '*')
  })

  it('deletes none with more rights, but one with its own', async () => {
    refused(await house.ask('DELETE', `${tokens}/${administrator}`, { token: maker }), '*')
    assert.equal((await house.ask('GET', `${tokens}/${administrator}`)).status, 200)
    const { id } = (await make('housekeeping')).body.data
    assert.equal((await house.ask('DELETE', `${tokens}/${id}`, { token: maker })).status, 204)
  })
})
