import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { keptLog } from '../../src/host/kept-log.ts'
import { createLog } from '../../src/host/log.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'

const path = '/api/config/v1/log'

interface Line {
  id: string
  attributes: { level: string; time: string; message: string; fields: Record<string, unknown> }
}

describe('the lines that are kept of the log', () => {
  it('are the newest, within the bounds', () => {
    const kept = keptLog({ most: 3, mostCharacters: 320 })
    const { log, written } = logging(kept)
    for (let n = 1; n <= 5; n++) log.warn({ n }, 'said')
    assert.deepEqual(
      kept.all().map(({ sequence, fields }) => [sequence, fields.n]),
      [
        [5, 5],
        [4, 4],
        [3, 3],
      ],
    )
    assert.deepEqual([kept.kept(), kept.newest()], [2, 5])
    assert.deepEqual(kept.after(3, 1), { events: [kept.all()[1]], last: 4, more: true })
    log.error('x'.repeat(400))
    assert.deepEqual(
      kept.all().map(({ sequence }) => sequence),
      [6],
    )
    assert.equal(written.length, 6)
  })

  it('begin at the level info, whatever the log writes', () => {
    const kept = keptLog()
    const { log, written } = logging(kept)
    log.debug('no')
    log.info('kept')
    log.error('written too')
    assert.deepEqual(
      kept.all().map(({ message }) => message),
      ['written too', 'kept'],
    )
    assert.equal(written.length, 1)
  })

  it('hide secrets', () => {
    const kept = keptLog()
    logging(kept).log.warn({ password: 'hush', err: new Error('Bearer hush') }, 'said')
    assert.doesNotMatch(JSON.stringify(kept.all()), /hush/)
  })
})

function logging(kept: ReturnType<typeof keptLog>) {
  const written: string[] = []
  const log = createLog({
    level: 'warn',
    copy: kept.add,
    destination: { write: (line) => void written.push(line) },
  })
  return { log, written }
}

describe('the log of an appliance', () => {
  let house: TestAppliance
  before(async () => {
    house = await startAppliance()
  })
  after(() => house.stop())

  const lines = async (query = ''): Promise<Line[]> => {
    const { status, body, text } = await house.ask('GET', `${path}?${query}`)
    assert.equal(status, 200, text)
    return body.data
  }
  const [first, last, pin] = ['Wilhelmina', 'Featherstonehaugh', '918273']

  it('names the request, and no guest and no secret', async () => {
    const headers = { 'X-Request-Id': 'req-of-the-log' }
    const [dispenser] = (await house.ask('GET', '/api/config/v1/dispensers')).body.data
    const device = { ...dispenser.attributes.device, path: 'tcp://127.0.0.1:9', patience: 1 }
    const one = `/api/config/v1/dispensers/${dispenser.id}`
    await house.ask('PATCH', one, { body: { device } })
    await house.ask('GET', `/api/v2/access/dispensers/${dispenser.id}/status`, { headers })
    const profile = { firstName: first, lastName: last, emails: [{ email: `${last}@example.com` }], pin }
    await house.ask('POST', '/api/v2/profiles', { body: profile, headers })
    await house.ask('GET', `/api/v2/reservations?filter[profile.lastName]=${last}&filter[nonsense]=1`, {
      headers,
    })
    await house.ask('GET', '/api/v2/units', { token: `lk_live_${'A'.repeat(22)}_000000`, headers })
    const all = await lines('page[size]=1000')
    assert.ok(all.length > 0)
    const text = JSON.stringify(all)
    for (const planted of [first!, last!, pin!, 'A'.repeat(22)]) assert.ok(!text.includes(planted), planted)
    const ofDevice = await lines(`filter[device]=${encodeURIComponent(dispenser.attributes.name)}`)
    assert.ok(ofDevice.length > 0)
    assert.ok(ofDevice.every(({ attributes }) => attributes.fields.device === dispenser.attributes.name))
    assert.deepEqual(await lines('filter[requestId]=of-nobody'), [])
  })

  it('is filtered by level, and read page by page', async () => {
    const all = await lines('page[size]=1000')
    const warned = await lines('filter[level]=warn&page[size]=1000')
    assert.deepEqual(
      warned,
      all.filter(({ attributes }) => attributes.level !== 'info'),
    )
    const walked: Line[] = []
    for (let next: string | undefined = `${path}?page[size]=1`; next; ) {
      const { body } = await house.ask('GET', next)
      walked.push(...body.data)
      next = body.links.next
    }
    assert.deepEqual(walked, all)
    const refused = await house.ask('GET', `${path}?filter[level]=loud`)
    assert.deepEqual([refused.status, refused.body.errors[0].code], [400, 'invalid-filter-value'])
  })

  it('is streamed on from a line, and is for installers and administrators', async () => {
    const roles = { kiosk: 403, frontdesk: 403, auditor: 403, installer: 200 }
    const tokens: Record<string, string> = {}
    for (const [role, expected] of Object.entries(roles)) {
      const { body } = await house.ask('POST', '/api/config/v1/tokens', { body: { name: role, role } })
      tokens[role] = body.meta.token
      assert.equal((await house.ask('GET', path, { token: tokens[role]! })).status, expected, role)
    }
    const [newest, second] = await lines()
    const headers = {
      Authorization: `Bearer ${tokens.installer}`,
      Accept: 'text/event-stream',
      'Last-Event-ID': second!.id,
    }
    const reply = await fetch(`${house.appliance.url}${path}/stream`, { headers })
    assert.equal(reply.headers.get('content-type'), 'text/event-stream')
    let text = ''
    for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.includes('data:')) break
    }
    assert.match(text, new RegExp(`id: ${newest!.id}\ndata: `))
    const { message } = JSON.parse(/data: (.*)\n/.exec(text)![1]!)
    assert.equal(message, newest!.attributes.message)
  })
})
