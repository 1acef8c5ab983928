import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { take } from '../../src/simulators/devices/simulated-card-path.ts'
import { browserAt, codeOf } from '../auth/sessions/browser.ts'
import { guestFound } from '../guest-found.ts'
import { tokenOf } from '../token-of.ts'
import { once } from './card-faults.ts'
import { type HouseWithDoors, houseWithDoors, idle, sampleStay, serve } from './house-with-doors.ts'

let house: HouseWithDoors
let kiosk: string
let frontdesk: string
before(async () => {
  house = await houseWithDoors()
  kiosk = await tokenOf(house.ask, 'kiosk')
  frontdesk = await tokenOf(house.ask, 'frontdesk')
})
after(() => house.stop())

/** What a request came to: its status and code, and what the error points at. */
async function outcome(unitName: string | undefined, more: object, token = 'demo'): Promise<string> {
  const { status, body } = await house.issue(unitName as string, { ...more }, { token })
  if (status === 201) return '201'
  const [{ code, source }] = body.errors
  return [status, code, source?.pointer ?? source?.parameter].filter(Boolean).join(' ')
}

describe('a key is refused before a card moves', () => {
  const at = (name: string) => `/data/attributes/${name}`
  const rows: [name: string, body: Record<string, unknown>, answer: string][] = [
    ['no unit', { unitName: undefined }, `422 unit-name-required ${at('unitName')}`],
    ['no type', { type: undefined }, `422 validation-failed ${at('type')}`],
    ['no end', { endDate: undefined }, `422 validation-failed ${at('endDate')}`],
    ['neither original nor copy', { original: undefined }, `422 validation-failed ${at('original')}`],
    ['seconds', { startTime: '15:00:30' }, `422 seconds-not-zero ${at('startTime')}`],
    ['a time with an offset', { endTime: '11:00+01:00' }, `400 time-with-offset ${at('endTime')}`],
    ['an end before the start', { endDate: '2026-05-31' }, `422 end-before-start ${at('endDate')}`],
    [
      'an end before the start of the same day',
      { endDate: '2026-06-01', startTime: '18:00', endTime: '17:30' },
      `422 end-before-start ${at('endDate')}`,
    ],
    [
      'over before it is made',
      { startDate: '2026-05-01', endDate: '2026-05-02' },
      `422 validation-failed ${at('endDate')}`,
    ],
    ['another key type', { type: 'pinCode' }, `422 key-type-not-supported ${at('type')}`],
    ['another keyType', { keyType: 'mobileKey' }, `422 key-type-not-supported ${at('keyType')}`],
    [
      'another provider',
      { providerId: '0197c0de-0000-7000-8000-0000000000d1' },
      `422 provider-immutable ${at('providerId')}`,
    ],
    ['too many units', { extraUnits: ['102'] }, `422 too-many-extra-units ${at('extraUnits')}`],
    ['a unit without a lock', { unitName: '999' }, '502 unit-unknown'],
    ['an unknown zone', { authorizations: ['Helipad'] }, '502 authorization-unknown'],
    ['a copy of nothing', { original: false }, '409 no-original-key'],
  ]
  for (const [name, body, answer] of rows) {
    it(`${name}: ${answer}`, async () => {
      const { stack } = house.lobby.dispenser
      const cards = stack.length
      assert.equal(await outcome('101', body), answer)
      assert.equal(stack.length, cards)
    })
  }

  it('an unknown controller', async () => {
    const path = '/api/v2/access/controllers/0197c0de-0000-7000-8000-0000000000d1/key'
    assert.equal((await house.ask('POST', path, { body: {} })).body.errors[0].code, 'controller-not-found')
  })

  it('a trial', async () => {
    const path = `/api/v2/access/controllers/${house.controllerId}/key?dryRun=true`
    const body = {
      type: 'keyCard',
      unitName: '101',
      original: true,
      startDate: '2026-06-01',
      endDate: '2026-06-02',
    }
    const { body: answer } = await house.ask('POST', path, { body })
    assert.equal(answer.errors[0].source.parameter, 'dryRun')
  })

  it('nothing of it is kept', async () => {
    const { body } = await house.ask('GET', '/api/v2/access/keys?filter[unitName]=101')
    assert.deepEqual(body.data, [])
  })
})

describe('the window of a key', () => {
  const rows: [name: string, body: Record<string, string>, from: string, until: string][] = [
    ['times of check-in and check-out', {}, '2026-06-01T14:00:00.000Z', '2026-06-03T10:00:00.000Z'],
    [
      'times of its own, seconds 00',
      { startTime: '17:30:00', endTime: '20:15' },
      '2026-06-01T16:30:00.000Z',
      '2026-06-03T19:15:00.000Z',
    ],
    [
      'a start that the clock shows twice: the earlier',
      { startDate: '2026-10-25', startTime: '01:30', endDate: '2026-10-26' },
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T11:00:00.000Z',
    ],
    [
      'an end that the clock shows twice: the later',
      { endDate: '2026-10-25', endTime: '01:30' },
      '2026-06-01T14:00:00.000Z',
      '2026-10-25T01:30:00.000Z',
    ],
    [
      'a start that the clock skips: moved on',
      { startDate: '2027-03-28', startTime: '01:30', endDate: '2027-03-29' },
      '2027-03-28T01:30:00.000Z',
      '2027-03-29T10:00:00.000Z',
    ],
  ]
  for (const [name, body, from, until] of rows) {
    it(name, async () => {
      const { id } = await serve(house, '102', body)
      const { validFrom, validUntil } = await house.key(id)
      assert.deepEqual([validFrom, validUntil], [from, until])
    })
  }
})

describe('originals and copies', () => {
  it('an original supersedes the earlier keys of its unit, at the door as well', async () => {
    const first = await serve(house, '103')
    assert.equal(house.present(first.card, '103'), 'opened-newer')
    const second = await serve(house, '103')
    assert.equal((await house.key(first.id)).status, 'superseded')
    assert.equal(house.present(first.card, '103'), 'opened')
    assert.equal(house.present(second.card, '103'), 'opened-newer')
    assert.equal(house.present(first.card, '103'), 'superseded')
  })

  it('a copy shares family and door with its original', async () => {
    const first = await serve(house, '104')
    const copy = await serve(house, '104', { original: false })
    const [original, second] = [await house.key(first.id), await house.key(copy.id)]
    assert.equal(second.familyId, original.familyId)
    assert.deepEqual([original.sequence, second.sequence], [1, 2])
    assert.deepEqual([original.status, second.status], ['live', 'live'])
    assert.equal(house.present(first.card, '104'), 'opened-newer')
    assert.equal(house.present(copy.card, '104'), 'opened')
  })

  it('null is an original where there is none, and a copy where there is one', async () => {
    const first = await serve(house, '105', { original: null })
    const second = await serve(house, '105', { original: null })
    assert.equal((await house.key(first.id)).original, true)
    assert.equal((await house.key(second.id)).original, false)
  })

  it('no more copies than the lock system takes', async () => {
    const path = `/api/config/v1/access-providers/${house.providerId}`
    assert.equal((await house.ask('PATCH', path, { body: { maxCopies: 1 } })).status, 204)
    await serve(house, '106')
    await serve(house, '106', { original: false })
    const answer = await outcome('106', { original: false })
    assert.equal(answer, '422 validation-failed /data/attributes/original')
    assert.equal((await house.ask('PATCH', path, { body: { maxCopies: 10 } })).status, 204)
  })

  it('a failed original gives the unit its keys back', async () => {
    const first = await serve(house, '107')
    const copy = await serve(house, '107', { original: false })
    house.lobby.encoder.misbehaviours.push(...once('writeBlock', 'refuse', 0, '0000'))
    assert.equal(await outcome('107', {}), '502 card-write-protected')
    assert.deepEqual(
      [(await house.key(first.id)).status, (await house.key(copy.id)).status],
      ['live', 'live'],
    )
    const events = house.journal().filter(({ subject }) => subject === `access/keys/${first.id}`)
    assert.ok(events.some(({ type }) => type === 'key.superseded'))
  })

  it('the same card written again holds the new key alone', async () => {
    const first = await serve(house, '108')
    house.lobby.dispenser.stack.unshift(first.card)
    const second = await serve(house, '109')
    assert.equal(second.card, first.card)
    assert.equal((await house.key(first.id)).status, 'removed')
    assert.equal(house.present(second.card, '109'), 'opened-newer')
    assert.equal(house.present(second.card, '108'), 'other-door')
  })
})

describe('a unit whose guest is in house', () => {
  it('keeps its key unless somebody who may says so', async () => {
    const { unitName, externalId } = await sampleStay(house, 1001)
    const first = await serve(house, unitName, { externalId })
    assert.equal(await outcome(unitName, {}), '409 unit-occupied /data/attributes/unitName')
    assert.equal(
      await outcome(unitName, { externalId: 'SOMEBODY' }),
      '409 unit-occupied /data/attributes/unitName',
    )
    const confirmed = { externalId: 'SOMEBODY', meta: { confirm: true } }
    assert.equal(await outcome(unitName, confirmed, frontdesk), '409 unit-occupied /data/attributes/unitName')
    assert.equal((await house.key(first.id)).status, 'live')
    const tooShort = { ...confirmed, meta: { confirm: true, reason: '-' } }
    assert.equal(await outcome(unitName, tooShort), '422 validation-failed /meta/reason')
    const reason = 'The guest is locked out, and the desk has seen the passport.'
    const ida = browserAt(house)
    await ida.act('start-demo', { account: 'Ida' })
    const { id: controllerId } = (await house.ask('GET', '/api/v2/access/controllers')).body.data[0]
    const window = {
      type: 'keyCard',
      unitName,
      original: true,
      startDate: '2026-06-01',
      endDate: '2026-06-02',
    }
    const unstated = await ida.post(`/api/v2/access/controllers/${controllerId}/key`, {
      ...window,
      meta: { confirm: true },
    })
    assert.equal(codeOf(unstated), 'validation-failed', 'a person states a reason')
    assert.equal(await outcome(unitName, { ...confirmed, meta: { confirm: true, reason } }), '201')
    assert.equal((await house.key(first.id)).status, 'superseded')
    const audit = async () =>
      (await house.ask('GET', '/api/config/v1/audit-entries?filter[type]=key.override-used')).body.data
    const [{ attributes }] = await audit()
    assert.deepEqual(attributes.data, { reason, otherKeyId: first.id })
    const events = await house.ask('GET', '/api/v2/events?filter[type]=key.override-used')
    assert.equal(events.body.data.length, 1)
    assert.doesNotMatch(events.text, /passport/, 'a reason may name a guest')
    await idle(house)
    assert.equal(await outcome(unitName, { externalId: 'SOMEBODY ELSE', meta: { confirm: true } }), '201')
    assert.equal((await audit())[0].attributes.data.reason, 'not stated')
    await idle(house)
  })

  it('gets a new original for its own stay', async () => {
    const { unitName, externalId } = await sampleStay(house, 1002)
    const first = await serve(house, unitName, { externalId })
    const second = await serve(house, unitName, { externalId })
    assert.equal((await house.key(first.id)).status, 'superseded')
    assert.equal((await house.key(second.id)).stayId !== null, true)
  })

  it('after check-out its key waits for the next guest, whose card cancels it at the door', async () => {
    const settings = (await house.ask('GET', '/api/config/v1/settings')).body.data[0]
    const open = { body: { allowOpenBalance: true } }
    assert.equal((await house.ask('PATCH', `/api/config/v1/settings/${settings.id}`, open)).status, 204)
    const { path, unitName, externalId } = await sampleStay(house, 1003)
    const left = await serve(house, unitName, { externalId })
    assert.equal(house.present(left.card, unitName), 'opened-newer')
    const { status, text } = await house.ask('PATCH', path, { body: { status: 'CheckedOut' } })
    assert.equal(status, 204, text)
    assert.equal((await house.key(left.id)).status, 'revocationPending')
    const next = await serve(house, unitName)
    assert.equal(house.present(next.card, unitName), 'opened-newer')
    assert.equal(house.present(left.card, unitName), 'superseded')
  })
})

describe('a kiosk', () => {
  it('is told how a stay is named', async () => {
    const { body } = await house.issue('101', {}, { token: kiosk })
    assert.match(body.errors[0].detail, /externalId takes that of the stay, or its id/)
  })

  it('makes keys for a stay of today, in its unit and while it lasts', async () => {
    const { path, unitName, externalId } = await sampleStay(house, 1004)
    const endDate = '2026-06-02'
    const asked = { externalId, endDate }
    // Whoever has not found the stay does not learn its unit.
    for (const name of [unitName, '410'])
      assert.equal(await outcome(name, asked, kiosk), '403 kiosk-scope /data/attributes/externalId')
    await guestFound(house.ask, kiosk, path.split('/').at(-1)!)
    assert.equal(await outcome(unitName, { endDate }, kiosk), '403 kiosk-scope /data/attributes/externalId')
    assert.equal(
      await outcome(unitName, { ...asked, externalId: 'SOMEBODY' }, kiosk),
      '403 kiosk-scope /data/attributes/externalId',
    )
    assert.equal(await outcome('410', asked, kiosk), '403 kiosk-scope /data/attributes/unitName')
    assert.equal(await outcome('110', asked, kiosk), '403 kiosk-scope /data/attributes/unitName')
    assert.equal(
      await outcome(unitName, { ...asked, endDate: '2026-12-31' }, kiosk),
      '403 kiosk-scope /data/attributes/endDate',
    )
    assert.equal(
      await outcome(unitName, { ...asked, usage: 'Staff' }, kiosk),
      '403 kiosk-scope /data/attributes/usage',
    )
    assert.equal(await outcome(unitName, asked, kiosk), '201')
    await idle(house)
  })

  it('makes none for a stay that is over', async () => {
    const { path, unitName, externalId } = await sampleStay(house, 1005, 'Confirmed')
    assert.equal((await house.ask('PATCH', path, { body: { status: 'Canceled' } })).status, 204)
    const answer = await outcome(unitName, { externalId, endDate: '2026-06-02' }, kiosk)
    assert.equal(answer, '403 kiosk-scope /data/attributes/externalId')
  })
})

describe('a repeated request', () => {
  it('gets the same answer and no second card', async () => {
    const how = { headers: { 'Idempotency-Key': 'lobby-1' } }
    const first = await house.issue('110', {}, how)
    assert.equal(first.status, 201, first.text)
    await idle(house)
    const cards = house.lobby.dispenser.stack.length
    const again = await house.issue('110', {}, how)
    assert.equal(again.status, 201)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.equal(again.body.data.id, first.body.data.id)
    assert.equal(house.lobby.dispenser.stack.length, cards)
  })

  it('says where the card is', async () => {
    const how = { headers: { 'Idempotency-Key': 'lobby-3' } }
    house.lobby.dispenser.takenAfterMs = null
    const begun = house.clock.now()
    const { meta } = (await house.issue('110', {}, how)).body
    assert.equal(meta.card.where, 'presented')
    assert.ok(Date.parse(meta.card.until) >= begun + 30_000, meta.card.until)
    assert.deepEqual((await house.issue('110', {}, how)).body.meta, meta)
    take(house.lobby.dispenser)
    await idle(house)
    house.lobby.dispenser.takenAfterMs = 0
    const { body, headers } = await house.issue('110', {}, how)
    assert.equal(headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(body.meta, { begins: 'checkInTime', card: { where: 'taken', until: null } })
  })

  it('of one that failed makes the card', async () => {
    const how = { headers: { 'Idempotency-Key': 'lobby-2' } }
    house.lobby.encoder.misbehaviours.push(...once('writeBlock', 'late', 1))
    assert.equal((await house.issue('110', {}, how)).body.meta.errorCode, 'encoder-timeout-writing')
    await idle(house)
    assert.equal((await house.issue('110', {}, how)).status, 201)
    await idle(house)
  })
})
