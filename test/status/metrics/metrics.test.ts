import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parse } from 'yaml'
import { readPage } from '../../../src/handbook/pages.ts'
import type { Request } from '../../../src/jsonapi/route.ts'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { parseOpenMetrics } from './parse-open-metrics.ts'

const suffixes: Record<string, string> = { counter: '_total', info: '_info' }

describe('the metrics', () => {
  let house: TestAppliance
  before(async () => {
    house = await startAppliance()
  })
  after(() => house.stop())

  const scraped = async () => {
    const reply = await house.ask('GET', '/metrics', { headers: { Accept: 'application/openmetrics-text' } })
    assert.equal(reply.status, 200, reply.text)
    assert.match(reply.headers.get('content-type') ?? '', /^application\/openmetrics-text; version=1\.0\.0/)
    return { text: reply.text, families: parseOpenMetrics(reply.text) }
  }

  it('count what happens, and name no guest, unit or card', async () => {
    const guest = { firstName: 'Wilhelmina', lastName: 'Featherstone' }
    assert.equal((await house.ask('POST', '/api/v2/profiles', { body: guest })).status, 201)
    const [controller] = (await house.ask('GET', '/api/config/v1/access-controllers')).body.data
    const key = {
      type: 'keyCard',
      unitName: '101',
      original: true,
      startDate: '2026-06-01',
      endDate: '2026-06-02',
    }
    const made = await house.ask('POST', `/api/v2/access/controllers/${controller.id}/key`, { body: key })
    assert.equal(made.status, 201, made.text)
    assert.equal((await house.ask('GET', '/api/v2/nothing-here', {})).status, 404)
    const runs = '/api/v2/access/card-runs?filter[step]=ended'
    while ((await house.ask('GET', runs)).body.data.length === 0) await house.during(house.clock.sleep(1_000))
    const { text, families } = await scraped()
    const valued = (family: string, find: Record<string, string> = {}) =>
      families
        .get(family)
        ?.samples.find(({ labels }) => Object.entries(find).every(([name, value]) => labels[name] === value))
        ?.value
    assert.equal(valued('nightporter_ready'), 1)
    assert.equal(valued('nightporter_keys_live'), 1)
    assert.equal(valued('nightporter_update_state', { state: 'idle' }), 1)
    assert.equal(valued('nightporter_update_state', { state: 'trial' }), 0)
    assert.equal(families.get('nightporter_build')!.samples[0]!.labels.slot, '')
    const cards = families.get('nightporter_cards_issued')!.samples
    assert.equal(
      cards.reduce((sum, { value }) => sum + value, 0),
      1,
    )
    assert.equal(valued('nightporter_device_online', { kind: 'dispenser' }), 1)
    assert.ok(valued('nightporter_cards_left')! > 0)
    const asked = { route: '/api/v2/access/controllers/:controllerId/key', method: 'POST', status: '201' }
    assert.equal(valued('nightporter_http_request_duration_seconds', asked), 0)
    const count = families
      .get('nightporter_http_request_duration_seconds')!
      .samples.find(
        ({ name, labels }) => name.endsWith('_count') && labels.route === 'none' && labels.status === '404',
      )
    assert.equal(count?.value, 1)
    assert.ok(valued('nightporter_commit_duration_seconds') !== undefined)
    for (const planted of [
      'Wilhelmina',
      'Featherstone',
      '"101"',
      made.body.data.attributes.uid ?? 'no uid',
      'nothing-here',
    ])
      assert.ok(!text.includes(planted), planted)
  })

  it('have each name that the page, the dashboard and the alerts of the handbook use', async () => {
    const { markdown } = await readPage('metrics')
    const [, , rules = '', dashboard = ''] = [
      ...markdown.matchAll(/^```(?:yaml|json|text)\n(.*?)^```$/gms),
    ].map(([, text]) => text)
    assert.ok(JSON.parse(dashboard).panels.length > 9)
    assert.ok(parse(rules).groups[0].rules.length > 9)
    const { text, families } = await scraped()
    const known = new Set(
      [...families].flatMap(([name, { type }]) =>
        (type === 'histogram' ? ['', '_bucket', '_count', '_sum'] : [suffixes[type] ?? '']).map(
          (end) => name + end,
        ),
      ),
    )
    const used = new Set(
      [...`${markdown}`.matchAll(/\b(?:nightporter|process|nodejs)_\w+/g)].map(([name]) => name),
    )
    assert.ok(used.size > 25, text)
    assert.deepEqual([...used].filter((name) => !known.has(name)).sort(), [])
    const described = markdown.slice(0, markdown.indexOf('## Prometheus'))
    const own = [...known].filter((name) => /^nightporter_/.test(name) && !/_(bucket|count|sum)$/.test(name))
    assert.deepEqual(
      own.filter((name) => !described.includes(name)),
      [],
    )
  })

  it('are for monitors, administrators and nobody without a token', async () => {
    const tokenOf = async (role: string) =>
      (await house.ask('POST', '/api/config/v1/tokens', { body: { name: role, role } })).body.meta.token
    const statusOf = async (token: string | null) => (await house.ask('GET', '/metrics', { token })).status
    assert.equal(await statusOf(null), 401)
    for (const [role, status] of [
      ['kiosk', 403],
      ['installer', 403],
      ['monitor', 200],
    ] as const)
      assert.equal(await statusOf(await tokenOf(role)), status, role)
  })
})

it('Other machines, and proxies on this one, read the metrics only when the settings say so', async () => {
  for (const metrics of ['this-machine', 'network'] as const) {
    const house = await startAppliance({ metrics })
    const routes = house.appliance.interfaces.flatMap((each) => each.routes)
    const { handle } = routes.find(({ base, path }) => base === '' && path === 'metrics')!
    const read = async (remoteAddress: string, headers: object) =>
      handle({ query: new URLSearchParams(), message: { socket: { remoteAddress }, headers } } as Request)
    try {
      const isOpen = metrics === 'network'
      for (const [address, headers] of [
        ['192.168.1.20', { host: '127.0.0.1' }],
        ['127.0.0.1', { host: '127.0.0.1', 'x-forwarded-for': '192.168.1.20' }],
      ] as const)
        if (isOpen) assert.equal((await read(address, headers)).status, 200)
        else await assert.rejects(read(address, headers), { code: 'not-found' })
      assert.equal((await read('127.0.0.1', { host: '127.0.0.1' })).status, 200)
    } finally {
      await house.stop()
    }
  }
})
