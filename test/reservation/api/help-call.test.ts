import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { languages } from '../../../src/jsonapi/locales/language.ts'
import { noLimits } from '../../no-limits.ts'
import fc from '../../seed.ts'
import { openHouse, type ReservationHouse } from './house.ts'

const path = '/api/v2/help-calls'
const minute = 60_000
const hour = 60 * minute
const nobody = '0197c0de-0000-7000-8000-000000000001'

interface Call {
  id: string
  attributes: Record<string, unknown>
}

let house: ReservationHouse
let kiosk: string
let other: string
let desk: string
before(async () => {
  house = await openHouse({ rateLimits: noLimits })
  kiosk = await house.tokenOf('kiosk')
  other = (await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'Lift kiosk', role: 'kiosk' } }))
    .body.meta.token
  desk = await house.tokenOf('frontdesk')
})
// The calls of an earlier test have ended.
beforeEach(() => house.clock.advance(hour))
after(() => house.stop())

async function call(body: object | undefined = {}, token = kiosk, headers = {}): Promise<Call> {
  const reply = await house.ask('POST', path, { token, headers, ...(body && { body }) })
  assert.equal(reply.status, 201, reply.text)
  return reply.body.data
}
const listed = async (): Promise<Call[]> => (await house.ask('GET', path, { token: desk })).body.data
const take = (id: string, token = desk) => house.ask('POST', `${path}/${id}/actions/take`, { token })
const read = (id: string, token: string) => house.ask('GET', `${path}/${id}`, { token })
async function stayId(): Promise<string> {
  const { unitTypeId } = await house.rooms(1)
  return (await house.stay({ units: [{ unitTypeId }] })).id
}
async function events(type: string): Promise<Record<string, unknown>[]> {
  const { body } = await house.ask('GET', `/api/v2/events?filter[type]=${type}&page[size]=1000`, {
    token: desk,
  })
  return body.data.map(({ attributes }: { attributes: { event: { data: object } } }) => attributes.event.data)
}
const unanswered = async () => {
  const { checks } = (await house.ask('GET', '/api/v2/status')).body.data.attributes
  return (checks['kiosk:help']?.[0].messages ?? []).map(({ values }: { values: object }) => values)
}

describe('a guest who calls for help at a kiosk', () => {
  it('is seen at the desk with the name of the kiosk, without a stay too', async () => {
    const { id, attributes } = await call({ failure: 'guest-asks', step: 'number', language: 'fr' }, other)
    assert.partialDeepStrictEqual(attributes, {
      kioskName: 'Lift kiosk',
      failure: 'guest-asks',
      step: 'number',
      language: 'fr',
      stayId: null,
      takenAt: null,
    })
    assert.deepEqual(
      (await listed()).map((each) => each.id),
      [id],
    )
    assert.partialDeepStrictEqual((await events('help-call.made')).at(-1), {
      kioskName: 'Lift kiosk',
      failure: 'guest-asks',
      step: 'number',
      language: 'fr',
    })
  })

  for (const [what, body] of [
    ['no body', undefined],
    ['an empty body', {}],
    ['a step only', { step: 'name' }],
    ['nothing known', { failure: null, step: null, language: null, stayId: null }],
    ['a stay that is gone', { step: 'card', stayId: nobody }],
    ...languages.map((language) => [`a guest who chose ${language}`, { language }] as const),
  ] as const)
    it(`is heard with ${what}`, async () => {
      const { attributes } = await call(body)
      assert.equal(attributes.stayId, null)
      assert.equal((await listed()).length, 1)
    })

  it('is seen with the stay that was found', async () => {
    const id = await stayId()
    assert.equal((await call({ stayId: id.toUpperCase() })).attributes.stayId, id)
  })

  it('makes one call of many presses, and one event', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('welcome', 'number', 'name', 'greeting', 'sentence'), {
          minLength: 2,
          maxLength: 8,
        }),
        async (steps) => {
          house.clock.advance(hour)
          const before = (await events('help-call.made')).length
          const calls: Call[] = []
          for (const step of steps) {
            calls.push(await call({ step }))
            house.clock.advance(minute)
          }
          assert.equal(new Set(calls.map(({ id }) => id)).size, 1)
          const [shown, ...more] = await listed()
          assert.deepEqual([shown?.attributes.step, more.length], [steps.at(-1), 0])
          assert.equal((await events('help-call.made')).length, before + 1)
        },
      ),
      { numRuns: 5 },
    )
  })

  it('makes one call for each kiosk', async () => {
    await call()
    await call({}, other)
    assert.equal((await listed()).length, 2)
  })

  it('hears the same answer of a request that is repeated', async () => {
    const key = { 'Idempotency-Key': 'help-1' }
    assert.deepEqual(await call({ step: 'name' }, kiosk, key), await call({ step: 'name' }, kiosk, key))
  })

  it('reads that a person is on the way, whom a second one does not replace', async () => {
    const of = { stayId: await stayId() }
    const { id } = await call(of)
    assert.equal((await read(id, kiosk)).body.data.attributes.takenAt, null)
    const first = (await take(id)).body.data.attributes.takenAt
    assert.ok(first)
    house.clock.advance(minute)
    assert.equal((await take(id)).body.data.attributes.takenAt, first)
    assert.equal((await read(id, kiosk)).body.data.attributes.takenAt, first)
    assert.equal((await events('help-call.taken')).length, 1)
    assert.equal((await call(of)).id, id, 'a press while a person is on the way makes no other call')
    house.clock.advance(3 * minute)
    const next = await call(of)
    assert.notEqual(next.id, id)
    assert.equal(next.attributes.takenAt, null)
  })

  for (const [what, first, second] of [
    ['another stay', 0, 1],
    ['a stay, after a guest without one', null, 0],
    ['no stay, after a guest with one', 0, null],
    ['no stay, after one without: they look the same', null, null],
  ] as const)
    it(`calls again while a person is on the way to another guest: ${what}`, async () => {
      const stays = [await stayId(), await stayId()]
      const of = (which: number | null) => ({ stayId: which === null ? null : stays[which] })
      const made = (await events('help-call.made')).length
      const { id } = await call(of(first))
      await take(id)
      if (first !== null) assert.equal((await call(of(first))).id, id, 'the same guest presses again')
      house.clock.advance(minute)
      const next = await call(of(second))
      assert.notEqual(next.id, id)
      assert.equal(next.attributes.takenAt, null)
      assert.deepEqual(
        (await listed()).map((each) => each.id),
        [next.id],
      )
      assert.equal((await events('help-call.made')).length, made + 2)
    })

  it('calls again when something else fails for the same guest while a person is on the way', async () => {
    const of = { stayId: await stayId() }
    const { id } = await call({ ...of, failure: 'guest-asks' })
    await take(id)
    assert.equal((await call({ ...of, failure: 'guest-asks' })).id, id)
    const next = await call({ ...of, failure: 'terminal-offline' })
    assert.notEqual(next.id, id)
    assert.equal(next.attributes.takenAt, null)
  })

  it('waits a whole hour, also with a call that an earlier guest has left open', async () => {
    const { id } = await call({ step: 'number' })
    for (const minutes of [59, 59, 30]) {
      house.clock.advance(minutes * minute)
      assert.equal((await call({ step: 'name' })).id, id)
    }
    house.clock.advance(59 * minute)
    assert.deepEqual(
      (await listed()).map((each) => each.id),
      [id],
    )
    house.clock.advance(minute)
    assert.deepEqual(await listed(), [])
  })

  it('reads no call of another kiosk, takes none, and lists none', async () => {
    const { id } = await call()
    assert.equal((await read(id, other)).status, 404)
    assert.equal((await read(id, desk)).status, 200)
    assert.equal((await take(id, kiosk)).status, 403)
    assert.equal((await house.ask('GET', path, { token: kiosk })).status, 403)
  })

  for (const body of [{ step: 'Mr Lindström' }, { language: 'xx' }, { stayId: 'x' }, { name: 'Ana' }])
    it(`must name no person: ${JSON.stringify(body)}`, async () => {
      assert.equal((await house.ask('POST', path, { token: kiosk, body })).status, 422)
    })
})

describe('a call for help that no person takes', () => {
  for (const [minutes, isAlarm] of [
    [0, false],
    [2, false],
    [3, true],
    [10, true],
    [59, true],
    [60, false],
    [600, false],
  ] as const)
    it(`is ${isAlarm ? 'an alarm' : 'no alarm'} of the status after ${minutes} minutes`, async () => {
      await call({}, other)
      house.clock.advance(minutes * minute)
      assert.deepEqual(await unanswered(), isAlarm ? [{ name: 'Lift kiosk', minutes }] : [])
    })

  it('names the id of a kiosk without a name', async () => {
    const { attributes } = (await house.ask('POST', path, { body: {} })).body.data
    assert.equal(attributes.kioskName, null)
    house.clock.advance(4 * minute)
    assert.deepEqual(await unanswered(), [{ name: attributes.kioskId, minutes: 4 }])
  })

  it('is none once it was taken', async () => {
    const { id } = await call({}, other)
    house.clock.advance(5 * minute)
    await take(id)
    assert.deepEqual(await unanswered(), [])
  })
})
