import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DeviceFault } from '../../../src/devices/fault.ts'
import { refused } from '../../reservation/api/house.ts'
import { passTime } from '../../test-clock.ts'
import { eventually, type LinkedHouse, openLinkedHouse } from './linked-house.ts'
import { reported } from './played-pms.ts'

let house: LinkedHouse
before(async () => {
  house = await openLinkedHouse()
  await house.synchronise('pull')
})
after(() => house.stop())

const about = async (externalId: string) =>
  (await house.quarantined()).filter(({ attributes }) => attributes.externalId === externalId)
const unknownType = (externalId: string, code: string) =>
  house.pms.report(externalId, reported(externalId, { units: [{ unitTypeCode: code, unitName: null }] }))

describe('A message that cannot be taken in', () => {
  const bad: [what: string, change: unknown, reason: RegExp, kind: string][] = [
    ['nothing', null, /is must be one of/, 'Unreadable'],
    ['a text', 'reservation', /is must be one of/, 'Unreadable'],
    ['another word', { is: 'folio' }, /is must be one of/, 'Unreadable'],
    ['__proto__', JSON.parse('{"is":"__proto__"}'), /is must be one of/, 'Unreadable'],
    [
      'no externalId',
      { is: 'reservation', revision: 1, changedAt: null, value: null },
      /externalId is required/,
      'Reservation',
    ],
    [
      'a revision that is none',
      { is: 'reservation', externalId: 'X1', revision: 1.5, value: null },
      /revision must be integer/,
      'Reservation',
    ],
    [
      'a stay without dates',
      { is: 'reservation', externalId: 'X2', revision: 2, value: { stays: [{ externalId: null }] } },
      /stays\/0\/startDate is required/,
      'Reservation',
    ],
    [
      'a stay that ends before it starts',
      { is: 'reservation', externalId: 'X3', revision: 3, value: reported('X3', { endDate: '2026-06-01' }) },
      /ends/,
      'Reservation',
    ],
    [
      'a member nobody knows',
      { is: 'reservation', externalId: 'X4', revision: 4, value: { ...reported('X4'), folio: 1 } },
      /folio/,
      'Reservation',
    ],
    [
      'too much',
      {
        is: 'reservation',
        externalId: 'X5',
        revision: 5,
        value: reported('X5', { comment: 'x'.repeat(200_000) }),
      },
      /at most 2000 characters/,
      'Reservation',
    ],
    [
      'a lease that ends before it starts',
      {
        is: 'lease',
        leaseId: 'L',
        revision: 1,
        unitNames: ['201'],
        startDate: '2026-07-02',
        endDate: '2026-07-01',
        validUntil: 1,
      },
      /endDate/,
      'Lease',
    ],
    [
      'a lease of no day',
      {
        is: 'lease',
        leaseId: 'L',
        revision: 1,
        unitNames: ['201'],
        startDate: 'soon',
        endDate: '2026-07-01',
        validUntil: 1,
      },
      /startDate must be a date/,
      'Lease',
    ],
    [
      'housekeeping without a unit',
      { is: 'housekeeping', revision: 1, status: 'Clean' },
      /unitName is required/,
      'Housekeeping',
    ],
  ]

  it('is quarantined with its reason, whatever it is, and what is around it is taken in', async () => {
    house.pms.report('GOOD-1', reported('GOOD-1'))
    house.pms.send(...bad.map(([, change]) => change))
    house.pms.report('GOOD-2', reported('GOOD-2'))
    const counts = await house.synchronise('pull')
    assert.deepEqual([counts.applied, counts.quarantined], [2, bad.length])
    const messages = await house.quarantined()
    for (const [what, , reason, kind] of bad) {
      const found = messages.find(
        ({ attributes }) => reason.test(String(attributes.reason)) && attributes.kind === kind,
      )
      assert.ok(found, `${what}: ${messages.map(({ attributes }) => attributes.reason).join(' | ')}`)
    }
    assert.ok(await house.reservation('GOOD-2'))
    assert.equal((await house.state()).quarantined, bad.length)
    assert.equal((await house.synchronise('pull')).received, 0, 'it is not asked for again')
  })

  it('that came twice is kept once, and counted', async () => {
    const before = (await house.quarantined()).length
    house.pms.send({ is: 'folio' }, { is: 'folio' })
    await house.synchronise('pull')
    const messages = await house.quarantined()
    assert.equal(messages.length, before)
    assert.equal(
      messages.find(({ attributes }) => attributes.payload === '{"is":"folio"}')?.attributes.attempts,
      3,
    )
  })

  it('is kept up to 64 KiB', async () => {
    const [message] = await about('X5')
    assert.ok(Buffer.byteLength(String(message?.attributes.payload)) <= 65_536)
    assert.ok(Number(message?.attributes.size) > 200_000)
    assert.equal(message?.attributes.retryable, false)
  })

  it('that the adapter could not read is quarantined as it was, without what a screen would obey', async () => {
    house.pms.refuse('The body is not JSON.', 'a\u001b[2Jb')
    house.pms.report('GOOD-3', reported('GOOD-3'))
    const { received, applied, quarantined } = await house.synchronise('pull')
    assert.deepEqual({ received, applied, quarantined }, { received: 2, applied: 1, quarantined: 1 })
    const found = (await house.quarantined()).find(
      ({ attributes }) => attributes.reason === 'The body is not JSON.',
    )
    assert.deepEqual([found?.attributes.payload, found?.attributes.kind], ['a\ufffd[2Jb', 'Unreadable'])
    const reply = await house.ask('POST', `/api/config/v1/quarantined-messages/${found?.id}/actions/retry`)
    assert.equal(reply.body.data.attributes.taken, false, reply.text)
  })

  it('is tried again when what it lacked was set up', async () => {
    unknownType('Y1', 'POOL')
    await house.synchronise('pull')
    assert.match(String((await about('Y1'))[0]?.attributes.reason), /POOL/)
    await house.make('unit-types', { code: 'POOL', name: 'Pool villa', maxOccupancy: 2 })
    await eventually('the reservation', async () => (await house.reservation('Y1')) !== undefined)
    await eventually('an empty quarantine', async () => (await about('Y1')).length === 0)
  })

  it('is not tried again because a unit was cleaned', async () => {
    unknownType('Y0', 'YURT')
    await house.synchronise('pull')
    const attempts = async () => (await about('Y0'))[0]?.attributes.attempts
    const before = await attempts()
    const { unitId } = await house.rooms(1)
    await eventually('its being set up', async () => Number(await attempts()) > Number(before))
    await passTime(2_000)
    const since = await attempts()
    for (const status of ['Dirty', 'Clean', 'Dirty']) {
      const reply = await house.ask('PATCH', `/api/v2/units/${unitId}`, { body: { status } })
      assert.equal(reply.status, 204, reply.text)
      await passTime(2_000)
    }
    assert.equal(await attempts(), since)
    assert.equal(
      (await house.ask('DELETE', `/api/config/v1/quarantined-messages/${(await about('Y0'))[0]?.id}`)).status,
      204,
    )
  })

  it('is tried again when somebody wants that', async () => {
    unknownType('Y2', 'BARN')
    await house.synchronise('pull')
    const [message] = await about('Y2')
    const retry = `/api/config/v1/quarantined-messages/${message?.id}/actions/retry`
    const still = await house.ask('POST', retry)
    assert.equal(still.body.data.attributes.taken, false, still.text)
    assert.match(still.body.data.attributes.reason, /BARN/)
    await house.make('unit-types', { code: 'BARN', name: 'Barn', maxOccupancy: 2 })
    const reply = await house.ask('POST', retry)
    // The house may have been quicker.
    assert.ok(reply.status === 404 || reply.body.data.attributes.taken, reply.text)
    assert.ok(await house.reservation('Y2'))
    assert.deepEqual(await about('Y2'), [])
  })

  it('is settled by a newer revision of its reservation, and by no older one', async () => {
    unknownType('Y3', 'LOFT')
    await house.synchronise('pull')
    const [kept] = await about('Y3')
    house.pms.send({
      is: 'reservation',
      externalId: 'Y3',
      revision: Number(kept?.attributes.pmsRevision) - 1,
      value: reported('Y3'),
    })
    await house.synchronise('pull')
    assert.equal((await about('Y3')).length, 1)
    house.pms.report('Y3', reported('Y3'))
    await house.synchronise('pull')
    assert.deepEqual(await about('Y3'), [])
  })

  it('leaves for the newest of its reservation: there is one of each', async () => {
    unknownType('Y4', 'ATTIC')
    unknownType('Y4', 'CELLAR')
    await house.synchronise('pull')
    const messages = await about('Y4')
    assert.equal(messages.length, 1)
    assert.match(String(messages[0]?.attributes.reason), /CELLAR/)
  })

  it('can be removed by hand', async () => {
    const [message] = await about('Y4')
    const path = `/api/config/v1/quarantined-messages/${message?.id}`
    assert.equal((await house.ask('DELETE', path)).status, 204)
    refused(await house.ask('GET', path), 404, 'not-found')
  })

  it('shows what it says to who may read reservations alone', async () => {
    const installer = await house.tokenOf('installer')
    const reply = await house.ask('GET', '/api/config/v1/quarantined-messages', { token: installer })
    assert.equal(reply.status, 200, reply.text)
    assert.ok(reply.body.data.length > 0)
    assert.ok(reply.body.data.every(({ attributes }: { attributes: object }) => !('payload' in attributes)))
  })
})

describe('A reservation that the PMS is asked to read again', () => {
  it('keeps back no change while the PMS fails over it, and no other that is read again', async () => {
    const failing: string[] = []
    house.pms.sync.read = async (externalId) => {
      failing.push(externalId)
      throw new DeviceFault('vendor-error', `The PMS fails over ${externalId}.`)
    }
    const refusal = (externalId: string) => ({
      reason: 'It names a room that is not known.',
      payload: externalId,
      size: 2,
      externalId,
      isPassing: true,
    })
    house.pms.next('pull', async (work) => ({
      ...((await work()) as object),
      refused: [refusal('Z1'), refusal('Z2')],
    }))
    await house.synchronise('pull')
    await passTime(601_000)
    await eventually('both', () => failing.includes('Z1') && failing.includes('Z2'))
    house.pms.report('Z3', reported('Z3'))
    assert.equal((await house.synchronise('pull')).applied, 1)
    const [message] = await about('Z1')
    assert.ok(Number(message?.attributes.attempts) > 1)
    refused(
      await house.ask('POST', `/api/config/v1/quarantined-messages/${message?.id}/actions/retry`),
      502,
      'vendor-error',
    )
    delete house.pms.sync.read
  })
})
