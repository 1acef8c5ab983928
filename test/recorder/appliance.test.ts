import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readEntries } from '../../src/recorder/entry.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'

describe('the recording of an appliance', () => {
  let house: TestAppliance
  before(async () => {
    house = await startAppliance()
  })
  after(() => house.stop())

  const download = async (token = 'demo') =>
    house.ask('GET', '/api/config/v1/flight-recorder', { token, headers: { Accept: '*/*' } })

  it('names the request of each frame, also of requests that waited for another', async () => {
    const [{ id }] = (await house.ask('GET', '/api/config/v1/access-controllers')).body.data
    const make = (unitName: string, requestId: string) =>
      house.ask('POST', `/api/v2/access/controllers/${id}/key`, {
        body: {
          type: 'keyCard',
          unitName,
          original: true,
          startDate: '2026-06-01',
          endDate: '2026-06-02',
        },
        headers: { 'X-Request-Id': requestId },
      })
    const [first, second] = await Promise.all([make('101', 'first'), make('102', 'second')])
    assert.equal(first.status, 201)
    // The second may find a guest at the gate; it has asked the machine by then, or has not.
    assert.ok([201, 409].includes(second.status))
    const { status, headers, text } = await download()
    assert.equal(status, 200)
    assert.match(headers.get('content-type') ?? '', /^application\/jsonl/)
    const entries = readEntries(text)
    const ofFirst = entries.filter(({ request }) => request === 'first')
    const writes = entries.filter((each) => each.kind === 'call' && each.method === 'writeBlock')
    assert.ok(writes.length > 0)
    assert.ok(writes.every(({ request }) => request === 'first' || request === 'second'))
    assert.deepEqual(new Set(ofFirst.map(({ kind }) => kind)), new Set(['call', 'out', 'in', 'outcome']))
    // What the appliance does by itself is nobody's, though a request may have opened the line.
    const starts = entries.filter(
      (each) => each.kind === 'call' && ['initialise', 'identify'].includes(each.method),
    )
    assert.ok(starts.length >= 2)
    assert.ok(starts.every(({ request }) => request === undefined))
  })

  it('has neither the contents of a card nor its serial number', async () => {
    const keys = (await house.ask('GET', '/api/v2/access/keys')).body.data
    const uids: string[] = keys.map((key: { attributes: { uid: string } }) => key.attributes.uid)
    assert.ok(uids.length > 0 && uids.every((uid) => /^([0-9A-F]{2}){4,10}$/i.test(uid)))
    const { text } = await download()
    for (const uid of uids) assert.doesNotMatch(text, new RegExp(uid.slice(2), 'i'))
    const moved = readEntries(text).filter(({ kind }) => kind === 'call' || kind === 'outcome')
    const bytes = moved.flatMap((each) => [...JSON.stringify(each).matchAll(/"hex":"([0-9a-f]+)"/g)])
    const contents = bytes.map(([, hex = '']) => hex).filter((hex) => [8, 32].includes(hex.length))
    assert.ok(contents.length > 0)
    assert.deepEqual([...new Set(contents.filter((hex) => hex.length === 32))], ['00'.repeat(16)])
  })

  it('requires its own scope', async () => {
    for (const [role, status] of Object.entries({ kiosk: 403, frontdesk: 403, installer: 200 })) {
      const made = await house.ask('POST', '/api/config/v1/tokens', { body: { name: role, role } })
      assert.equal((await download(made.body.meta.token)).status, status, role)
    }
  })

  it('does not exist when it is switched off', async (t) => {
    const quiet = await startAppliance({ recorderMegabytes: 0 })
    t.after(() => quiet.stop())
    assert.equal((await quiet.ask('GET', '/api/config/v1/flight-recorder')).status, 404)
  })
})
