import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../appliance.ts'

const path = '/api/config/v1/audit-entries'

interface Entry {
  id: string
  attributes: {
    type: string
    subject: string
    by: { id: string; name: string | null }
    requestId: string | null
    data: Record<string, unknown>
  }
}

describe('the audit', () => {
  let house: TestAppliance
  before(async () => {
    house = await startAppliance()
  })
  after(() => house.stop())

  const entries = async (query = ''): Promise<Entry[]> => {
    const reply = await house.ask('GET', `${path}?${query}`)
    assert.equal(reply.status, 200, reply.text)
    return reply.body.data
  }
  const madeToken = async (role: string, name = role) => {
    const { body } = await house.ask('POST', '/api/config/v1/tokens', { body: { name, role } })
    return { id: body.data.id as string, token: body.meta.token as string }
  }

  it('names the client that made a change, and its request', async () => {
    const desk = await madeToken('frontdesk', 'Front desk')
    const made = await house.ask('POST', '/api/v2/profiles', {
      body: { firstName: 'Ada', lastName: 'Okafor' },
      token: desk.token,
    })
    const subject = `profiles/${made.body.data.id}`
    const [entry, ...more] = await entries(`filter[subject]=${subject}`)
    assert.deepEqual(more, [])
    assert.partialDeepStrictEqual(entry, {
      attributes: {
        type: 'profile.created',
        subject,
        by: { id: desk.id, name: 'Front desk' },
        requestId: made.headers.get('x-request-id'),
      },
    })
    assert.equal(JSON.stringify(entry).includes('Okafor'), false)
    assert.deepEqual(await entries(`filter[by]=${desk.id}`), [entry])
  })

  it('has the values of a changed configuration, without its secrets', async () => {
    const [settings] = (await house.ask('GET', '/api/config/v1/settings')).body.data
    const { checkInTime } = settings.attributes
    await house.ask('PATCH', `/api/config/v1/settings/${settings.id}`, { body: { checkInTime: '14:30' } })
    const [entry] = await entries('filter[type]=settings.*')
    assert.partialDeepStrictEqual(entry!.attributes.data, {
      before: { checkInTime },
      after: { checkInTime: '14:30' },
    })
    const secret = (await madeToken('kiosk')).token
    assert.equal(JSON.stringify(await entries('page[size]=1000')).includes(secret), false)
  })

  it('is read from the newest to the oldest, page by page', async () => {
    for (let more = 0; more < 8; more++) await madeToken('kiosk', `Kiosk ${more}`)
    const all = await entries('page[size]=1000')
    assert.deepEqual(
      all.map(({ id }) => id),
      all
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    )
    const paged: Entry[] = []
    let next: string | undefined = `${path}?page[size]=7`
    while (next) {
      const { body } = await house.ask('GET', next)
      assert.ok(body.data.length <= 7)
      paged.push(...body.data)
      next = body.links.next
    }
    assert.deepEqual(paged, all)
  })

  it('is for those who may audit', async () => {
    const status = async (role: string) =>
      (await house.ask('GET', path, { token: (await madeToken(role)).token })).status
    assert.deepEqual(
      [await status('frontdesk'), await status('installer'), await status('auditor')],
      [403, 403, 200],
    )
  })

  it('names a parameter that it does not have', async () => {
    const wrong = {
      'filter[name]=x': 'filter[name]',
      'filter[type]=No': 'filter[type]',
      'filter[sequence][lt]=x': 'filter[sequence][lt]',
      'page[size]=0': 'page[size]',
    }
    for (const [query, parameter] of Object.entries(wrong)) {
      const reply = await house.ask('GET', `${path}?${query}`)
      assert.equal(reply.status, 400, query)
      assert.equal(reply.body.errors[0].source.parameter, parameter)
    }
  })
})
