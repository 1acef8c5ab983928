import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { until } from '../eventually.ts'
import { scriptedAdapter } from '../pms/adapters/scripted-adapter.ts'
import { playedPms } from '../pms/sync/played-pms.ts'
import { passTime } from '../test-clock.ts'
import { type Receiver, receiver } from './receiver.ts'

const tables = ['journal', 'webhook', 'sync_link', 'pms_configuration']
/** Longer than any of those who are woken by a write takes to look. */
const looksMs = 150

describe('a store that cannot be read for a while', () => {
  let house: TestAppliance
  let hook: Receiver
  const pms = playedPms()
  before(async () => {
    const adapter = scriptedAdapter()
    adapter.does({ sync: pms.sync })
    house = await startAppliance({ now: Date.now(), adapters: [adapter] })
    hook = await receiver()
    await made('/api/config/v1/webhooks', { url: hook.url, types: ['profile.*'] })
    await made('/api/config/v1/pms-configurations', { name: 'Grand PMS', adapter: 'scripted' })
    await until(() => pms.isFollowed())
  })
  after(async () => {
    await house.stop()
    await hook.close()
  })

  async function made(path: string, body: object): Promise<void> {
    const reply = await house.ask('POST', path, { body })
    assert.equal(reply.status, 201, reply.text)
  }

  const guest = (lastName: string) => ({ body: { firstName: 'Ida', lastName } })

  function rename(from: string, to: string): void {
    const db = new Database(`${house.data}/nightporter.db`)
    db.pragma('legacy_alter_table = ON')
    for (const name of tables) db.exec(`ALTER TABLE ${from}${name} RENAME TO ${to}${name}`)
    db.close()
  }

  it('ends no consumer of events, and loses none', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const headers = { Authorization: 'Bearer demo' }
    const stream = await fetch(`${house.appliance.url}/api/v2/events/stream`, { headers, signal })
    const heard = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    let said = ''
    const listening = (async () => {
      for (let part = await heard.read(); !part.done; part = await heard.read()) said += part.value
    })().catch(() => {})
    rename('', 'gone_')
    assert.equal((await house.ask('POST', '/api/v2/profiles', guest('Nobody'))).status, 500)
    pms.news().poke()
    await passTime(looksMs)
    rename('gone_', '')
    await made('/api/v2/profiles', guest('Afterwards').body)
    await hook.hears('profile.created')
    await until(() => pms.events.some(({ type }) => type === 'profile.created'))
    const events = await house.ask('GET', '/api/v2/events')
    assert.equal(events.status, 200)
    controller.abort()
    await listening
    assert.match(said, /^retry: /)
  })
})
