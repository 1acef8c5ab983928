import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { endpointsIn } from '../../src/host/firewall/endpoints.ts'
import { firewallRules } from '../../src/host/firewall/rules.ts'
import { startAppliance } from '../appliance.ts'
import { folderFor } from '../backup/recovery.ts'

/** An appliance whose machine is a box with a firewall. */
async function boxOf(t: TestContext, { isOn = true } = {}) {
  const run = folderFor(t)
  const [runtime, root] = [join(run, 'nightporter'), join(run, 'nightporter-box')]
  for (const each of [runtime, root]) mkdirSync(each)
  if (isOn) writeFileSync(join(root, 'firewall'), '')
  writeFileSync(join(root, 'firewall.nft'), '')
  const also = join(runtime, 'firewall-also')
  mkdirSync(also)
  process.env.RUNTIME_DIRECTORY = runtime
  t.after(() => delete process.env.RUNTIME_DIRECTORY)
  const house = await startAppliance()
  t.after(() => house.stop())
  const wanted = join(runtime, 'firewall-wanted')
  return {
    house,
    also,
    root,
    wanted,
    /** Whether the daemon has asked since the last time. */
    async asks(): Promise<boolean> {
      await house.during(house.clock.sleep(1_000))
      const isWanted = existsSync(wanted)
      rmSync(wanted, { force: true })
      return isWanted
    },
  }
}

const config = '/api/config/v1'

describe('the rules of the firewall', () => {
  it('are asked for at the start, and with each change that names another endpoint', async (t) => {
    const box = await boxOf(t)
    const { house, asks } = box
    assert.equal(existsSync(box.also), false, 'what was open for the daemon before is closed')
    assert.equal(await asks(), true)
    assert.equal(await asks(), false)
    const target = {
      ...{ name: 'NAS', kind: 'webdav', url: 'http://192.168.1.5:5006/backups/', user: 'hotel', secret: 'x' },
      enabled: false,
    }
    const made = await house.ask('POST', `${config}/backup-targets`, { body: target })
    assert.equal(made.status, 201, made.text)
    assert.equal(await asks(), true)
    const at = `${config}/backup-targets/${made.body.data.id}`
    const patch = (body: object) => house.ask('PATCH', at, { body })
    assert.equal((await patch({ name: 'Cellar' })).status, 204)
    assert.equal(await asks(), false, 'the same endpoint')
    assert.equal((await patch({ url: 'http://192.168.1.6:5006/backups/', secret: 'y' })).status, 204)
    assert.equal(await asks(), true)
    assert.equal((await house.ask('DELETE', at)).status, 204)
    assert.equal(await asks(), true)
    const { checks } = (await house.ask('GET', '/api/v2/status')).body.data.attributes
    assert.equal(checks['firewall:rules'][0].observedValue, 'loaded')
  })

  it('let the test event of a webhook out before the webhook is stored', async (t) => {
    const { house, also, root, wanted } = await boxOf(t)
    const opened: string[] = []
    const loading = house.clock.setInterval(() => {
      if (!existsSync(wanted)) return
      rmSync(wanted)
      const further = (existsSync(also) ? readdirSync(also) : []).map((each) =>
        readFileSync(join(also, each), 'utf8'),
      )
      opened.push(...further)
      const endpoints = further.flatMap((text) => endpointsIn(JSON.parse(text)))
      const rules = firewallRules({ ports: [443], endpoints, isOutOpen: false })
      writeFileSync(join(root, 'firewall.nft'), rules)
    }, 50)
    t.after(() => loading.cancel())
    const body = { url: 'https://hook.invalid:8443/x', types: ['profile.*'] }
    const before = house.clock.now()
    assert.equal((await house.ask('POST', `${config}/webhooks`, { body })).status, 422)
    assert.deepEqual(opened, ['{"host":"hook.invalid","port":8443}'])
    assert.ok(house.clock.now() - before < 20_000, 'it does not wait for rules that are loaded')
  })

  it('are asked for again when the disk has not taken the request', async (t) => {
    const { house, wanted, asks } = await boxOf(t)
    assert.equal(await asks(), true)
    // A folder in the place of the file: the request cannot be written.
    mkdirSync(wanted)
    const target = { name: 'NAS', kind: 'webdav', url: 'http://192.168.1.5:5006/', enabled: false }
    const made = await house.ask('POST', `${config}/backup-targets`, { body: target })
    assert.equal(made.status, 201, made.text)
    await house.during(house.clock.sleep(1_000))
    rmSync(wanted, { recursive: true })
    assert.equal((await house.ask('GET', '/readyz')).status, 200)
    const at = `${config}/backup-targets/${made.body.data.id}`
    assert.equal((await house.ask('PATCH', at, { body: { name: 'Cellar' } })).status, 204)
    assert.equal(await asks(), true, 'with the next change')
  })

  it('are not asked for where the firewall is off, and the status says so', async (t) => {
    const box = await boxOf(t, { isOn: false })
    assert.equal(await box.asks(), false)
    const { checks } = (await box.house.ask('GET', '/api/v2/status')).body.data.attributes
    assert.equal(checks['firewall:rules'][0].observedValue, 'off')
    assert.match(checks['firewall:rules'][0].output, /firewall = yes/)
  })

  it('that refuse a connection, or cannot be loaded, are explained by the status', async (t) => {
    const box = await boxOf(t)
    writeFileSync(join(box.root, 'firewall-problem'), 'out of memory')
    const concat = ['10.0.0.9', 8080]
    const list = { nftables: [{ set: { elem: [{ elem: { val: { concat } } }] } }] }
    writeFileSync(join(box.root, 'firewall-refused.json'), JSON.stringify(list))
    const { checks } = (await box.house.ask('GET', '/api/v2/status')).body.data.attributes
    assert.match(checks['firewall:rules'][0].output, /newest rules.*out of memory/)
    assert.match(checks['firewall:refused'][0].output, /10\.0\.0\.9:8080.*configure it/)
  })
})
