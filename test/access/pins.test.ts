import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { tokenOf } from '../token-of.ts'
import { until } from './house-with-doors.ts'
import { type HouseWithPins, houseWithPins } from './house-with-pins.ts'

let house: HouseWithPins
let desk: string
let clerk: string
let kiosk: string

before(async () => {
  house = await houseWithPins()
  desk = await tokenOf(house.ask, 'frontdesk')
  clerk = await tokenOf(house.ask, 'installer')
  kiosk = await tokenOf(house.ask, 'kiosk')
})
beforeEach(() => {
  house.cloud.misbehaviours.length = 0
})
after(() => house.stop())

let numbered = 0
const newStay = () => `STAY-${++numbered}`
const far = { startDate: '2026-06-20', endDate: '2026-06-22' }
/** Due within two days. */
const near = { startDate: '2026-06-02', endDate: '2026-06-04' }

describe('a PIN for today', () => {
  it('opens its door and no other, in its window alone', async () => {
    const { status, body } = await house.make()
    assert.equal(status, 201)
    const { pin, keyType, isVirtual, validFrom, validUntil } = body.data.attributes
    assert.match(pin, /^[1-9]{6}$/)
    assert.deepEqual([keyType, isVirtual, body.data.attributes.status], ['pinCode', false, 'live'])
    assert.ok(house.opens('301', pin))
    assert.ok(!house.opens('302', pin))
    assert.ok(!house.opens('301', pin, Date.parse(validFrom) - 1))
    assert.ok(!house.opens('301', pin, Date.parse(validUntil)))
  })

  it('is shown to who may read PINs, and to others by its last two digits', async () => {
    const made = await house.make({ externalId: newStay(), unitName: '302' })
    const { id, attributes } = made.body.data
    const path = `/api/v2/access/keys/${id}`
    const shownTo = async (token: string) =>
      (await house.ask('GET', path, { token })).body.data?.attributes.pin
    assert.equal(await shownTo(desk), attributes.pin)
    // A list that was read before is kept.
    for (let time = 0; time < 8; time++) {
      const keys = `/api/v2/access/keys?filter[externalId]=STAY-${numbered}`
      const list = await house.ask('GET', keys, { token: desk })
      assert.equal(list.body.data[0].attributes.pin, attributes.pin)
    }
    const hidden = `****${attributes.pin.slice(-2)}`
    const scopes = await house.ask('POST', '/api/config/v1/tokens', {
      body: { name: 'r', role: 'housekeeping' },
    })
    assert.equal((await house.ask('GET', path, { token: scopes.body.meta.token })).status, 403)
    assert.equal((await house.ask('GET', path, { token: clerk })).status, 403)
    const stays = await house.ask(
      'GET',
      `/api/v2/access/card-runs?include=key&filter[key.externalId]=STAY-${numbered}`,
    )
    assert.ok(!stays.text.includes(attributes.pin))
    assert.equal(hidden.length, 6)
  })

  it('is told after each verb to who may read PINs, and to others by its last two digits', async () => {
    const body = { name: 'blocks', role: 'housekeeping', scopes: ['keys.block', 'keys.issue'] }
    const asked = await house.ask('POST', '/api/config/v1/tokens', { body })
    assert.equal(asked.status, 201, asked.text)
    const { id, attributes } = (await house.make({ externalId: newStay(), ...near })).body.data
    const path = `/api/v2/access/keys/${id}/actions`
    const extend = (token: string) =>
      house.ask('POST', `${path}/extend`, { token, body: { endDate: attributes.endDate } })
    assert.equal((await extend(desk)).body.data.attributes.pin, attributes.pin)
    const hidden = await extend(asked.body.meta.token)
    assert.equal(hidden.body.data.attributes.pin, `****${attributes.pin.slice(-2)}`, hidden.text)
    const blocked = await house.ask('POST', `${path}/block`, { token: desk })
    assert.equal(blocked.body.data.attributes.pin, attributes.pin)
  })

  it('is found by its digits by who may read PINs, and by nobody else', async () => {
    const made = await house.make({ externalId: newStay(), ...near })
    const { pin } = made.body.data.attributes
    const found = await house.ask('GET', `/api/v2/access/keys?filter[pin]=${pin}`, { token: desk })
    assert.deepEqual(
      found.body.data.map(({ id }: { id: string }) => id),
      [made.body.data.id],
    )
    assert.ok(found.body.links.self.includes(pin))
    const other = await house.ask('GET', '/api/v2/access/keys?filter[pin]=000000', { token: desk })
    assert.equal(other.body.data.length, 0)
    const part = await house.ask('GET', `/api/v2/access/keys?filter[pin][like]=${pin.slice(0, 3)}`, {
      token: desk,
    })
    assert.deepEqual([part.status, part.body.errors[0].code], [400, 'invalid-filter-operator'])
  })

  it('is nowhere in the files of the appliance', async () => {
    const { body } = await house.make(
      { externalId: newStay(), ...near },
      { headers: { 'Idempotency-Key': 'once' } },
    )
    const { pin } = body.data.attributes
    const again = await house.make(
      { externalId: `STAY-${numbered}`, ...near },
      { headers: { 'Idempotency-Key': 'once' } },
    )
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.equal(again.body.data.attributes.pin, pin)
    assert.deepEqual(again.body.meta, { begins: 'checkInTime', card: null })
    // A second key, so that the same request finds nothing to do.
    await house.make({ externalId: `STAY-${numbered}`, ...near }, { headers: { 'Idempotency-Key': 'twice' } })
    for (const file of readdirSync(house.data, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue
      const bytes = readFileSync(join(file.parentPath, file.name))
      assert.ok(!bytes.includes(pin), `${file.name} holds the PIN`)
    }
  })
})

describe('a PIN that is asked for again', () => {
  it('stays the same, and is told to the lock once', async () => {
    const stay = newStay()
    const first = await house.make({ externalId: stay, ...near })
    const before = house.told()
    const second = await house.make({ externalId: stay, ...near })
    const third = await house.reconcile(stay, near)
    assert.deepEqual([second.status, third.status], [201, 200])
    const pins = [first, second, third].map(({ body }) => body.data.attributes.pin)
    const ids = [first, second, third].map(({ body }) => body.data.id)
    assert.equal(new Set(pins).size, 1)
    assert.equal(new Set(ids).size, 1)
    assert.equal(house.told(), before)
  })

  it('keeps its digits when the stay is longer', async () => {
    const stay = newStay()
    const first = await house.make({ externalId: stay, ...near })
    const { pin } = first.body.data.attributes
    const longer = await house.reconcile(stay, { ...near, endDate: '2026-06-14' })
    assert.equal(longer.status, 200)
    assert.equal(longer.body.data.id, first.body.data.id)
    assert.equal(longer.body.data.attributes.pin, pin)
    assert.ok(house.opens('301', pin, Date.UTC(2026, 5, 13, 12)))
  })

  it('keeps its digits in another room, and the first room is closed to it', async () => {
    const stay = newStay()
    const dates = { startDate: '2026-06-01', endDate: '2026-06-02', startTime: '16:00' }
    const first = await house.make({ externalId: stay, ...dates, unitName: '302' })
    const { pin } = first.body.data.attributes
    const { id } = first.body.data
    assert.ok(house.opens('302', pin))
    const moved = await house.ask('POST', `/api/v2/access/keys/${id}/actions/move`, {
      body: { newUnitName: '301' },
    })
    assert.equal(moved.status, 200, moved.text)
    assert.equal(moved.body.data.attributes.pin, pin)
    assert.equal(
      (await house.ask('GET', `/api/v2/access/keys/${moved.body.data.id}`)).body.data.attributes.pin,
      pin,
    )
    assert.ok(house.opens('301', pin))
    await until(
      'the first room',
      () => house.opens('302', pin),
      (open) => !open,
    )
    await until(
      'the proof',
      () => house.key(id),
      ({ proof }) => proof === 'lock-acknowledged',
    )
  })
})

describe('a key that is held', () => {
  it('needs an externalId, and no unit', async () => {
    const { status, body } = await house.make(far)
    assert.deepEqual([status, body.errors[0].code], [400, 'missing-external-id'])
    const held = await house.make({ ...far, externalId: newStay(), unitName: undefined })
    assert.equal(held.status, 201, held.text)
    const { isVirtual, unitName, opensAt } = held.body.data.attributes
    assert.deepEqual([isVirtual, unitName, opensAt], [true, null, '2026-06-18T14:00:00.000Z'])
    assert.equal(held.body.data.attributes.status, 'virtual')
  })

  it('is told to its lock by the PUT after its window has opened, with the same digits', async () => {
    const stay = newStay()
    const dates = { startDate: '2026-06-10', endDate: '2026-06-12' }
    const before = house.told()
    const held = await house.make({ ...dates, externalId: stay, unitName: undefined })
    const { pin } = held.body.data.attributes
    assert.match(pin, /^[1-9]{6}$/)
    const early = await house.reconcile(stay, { ...dates, unitName: undefined })
    assert.deepEqual([early.status, early.body.data.attributes.isVirtual], [200, true])
    assert.equal(house.told(), before)
    house.clock.set(Date.UTC(2026, 5, 9, 8))
    try {
      const roomless = await house.reconcile(stay, { ...dates, unitName: undefined })
      assert.deepEqual([roomless.status, roomless.body.errors[0].code], [422, 'unit-name-required'])
      assert.equal((await house.key(held.body.data.id)).status, 'virtual')
      const live = await house.reconcile(stay, { ...dates, unitName: '302' })
      assert.equal(live.status, 200, live.text)
      const { attributes } = live.body.data
      assert.deepEqual([attributes.status, attributes.isVirtual, attributes.pin], ['live', false, pin])
      assert.ok(house.opens('302', pin, Date.UTC(2026, 5, 11)))
      const due = await house.ask('GET', `/api/v2/access/keys/${held.body.data.id}`)
      assert.equal(due.body.data.id, live.body.data.id)
    } finally {
      house.clock.set(Date.UTC(2026, 5, 1, 16))
    }
  })

  it('is gone with its stay', async () => {
    const stay = newStay()
    const held = await house.make({ ...far, externalId: stay })
    const { id } = held.body.data
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${id}`)).status, 204)
    assert.equal((await house.key(id)).status, 'removed')
    const again = await house.reconcile(stay, far)
    assert.deepEqual([again.status, again.body.errors[0].code], [404, 'key-gone'])
  })
})

describe('a PIN that is taken away', () => {
  const ways: [name: string, take: (id: string) => Promise<number>, status: string][] = [
    ['by DELETE', async (id) => (await house.ask('DELETE', `/api/v2/access/keys/${id}`)).status, 'removed'],
    [
      'by an end in the past',
      async (id) => {
        const body = {
          type: 'pinCode',
          unitName: '302',
          original: true,
          startDate: '2026-05-30',
          endDate: '2026-05-31',
        }
        return (await house.ask('PUT', `/api/v2/access/keys/${id}`, { body })).status
      },
      'invalidated',
    ],
    [
      'because it was lost',
      async (id) => (await house.ask('POST', `/api/v2/access/keys/${id}/actions/block`)).status,
      'blocked',
    ],
  ]
  for (const [name, take, end] of ways) {
    it(`${name} opens nothing, and that is proven`, async () => {
      const dates = { startDate: '2026-06-01', endDate: '2026-06-02', unitName: '302' }
      const { body } = await house.make({ ...dates, externalId: newStay() })
      const { pin } = body.data.attributes
      assert.ok(house.opens('302', pin))
      assert.ok([200, 204].includes(await take(body.data.id)))
      const row = await until(
        'the proof',
        () => house.key(body.data.id),
        ({ proof }) => proof === 'lock-acknowledged',
      )
      assert.deepEqual([row.status, row.mayOpen], [end, false])
      assert.ok(!house.opens('302', pin))
    })
  }

  it('stays revocationPending, and in the list of the desk, while the gateway is away', async () => {
    const { body } = await house.make({ unitName: '302', externalId: newStay(), ...near })
    const { id } = body.data
    house.cloud.gateways.get('second')!.online = false
    try {
      assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${id}`)).status, 204)
      const { status, mayOpen } = await house.key(id)
      assert.deepEqual([status, mayOpen], ['revocationPending', true])
      const list = await house.ask('GET', '/api/v2/access/units-with-older-keys', { token: desk })
      const [unit] = list.body.data.filter(
        ({ attributes }: { attributes: { unitName: string } }) => attributes.unitName === '302',
      )
      assert.deepEqual(
        unit.attributes.keys.map(({ keyId }: { keyId: string }) => keyId),
        [id],
      )
    } finally {
      house.cloud.gateways.get('second')!.online = true
    }
  })

  it('still opens where the account no longer has the lock, which was told nothing', async () => {
    const { id, attributes } = (await house.make({ unitName: '302' })).body.data
    const { locks } = house.cloud
    const [lock] = locks.splice(
      locks.findIndex(({ lockId }) => String(lockId) === '1002'),
      1,
    )
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${id}`)).status, 204)
    await until(
      'the attempt',
      () => house.cloud.requests.at(-1)?.call,
      (call) => call === 'delete',
    )
    locks.push(lock!)
    assert.ok(house.opens('302', attributes.pin))
    assert.deepEqual(
      [(await house.key(id)).status, (await house.key(id)).mayOpen],
      ['revocationPending', true],
    )
    await until(
      'the proof',
      () => house.key(id),
      ({ mayOpen }) => !mayOpen,
    )
    assert.ok(!house.opens('302', attributes.pin))
  })
})

describe('the same request again', () => {
  it('gets the answer it had, whatever became of the PIN since', async () => {
    const how = { headers: { 'Idempotency-Key': 'pin-then-gone' } }
    const made = await house.make({}, how)
    await house.ask('DELETE', `/api/v2/access/keys/${made.body.data.id}`)
    const again = await house.make({}, how)
    assert.deepEqual([again.status, again.body.data.id], [201, made.body.data.id])
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
  })
})

describe('what goes wrong at the lock system', () => {
  const faults: [name: string, does: () => void, code: string, outcomeUnknown: boolean, status: string][] = [
    ['its gateway is away', () => refuse('-3002'), 'lock-system-unreachable', false, 'failed'],
    ['its gateway is busy', () => refuse('-3003'), 'lock-system-busy', false, 'failed'],
    ['the lock is full', () => refuse('-3009'), 'lock-system-limit', false, 'failed'],
    ['it answers with a number nobody knows', () => refuse('-31415'), 'vendor-error', true, 'unknown'],
  ]
  for (const [name, does, code, outcomeUnknown, status] of faults) {
    it(`${name}: ${code}`, async () => {
      does()
      if (outcomeUnknown)
        house.cloud.misbehaviours.push({ at: 'listPasscodes', does: 'refuse', code: 'http500' })
      const { status: answered, body } = await house.make({ externalId: newStay(), ...near })
      assert.equal(answered, 502)
      assert.deepEqual([body.meta.errorCode, body.meta.outcomeUnknown], [code, outcomeUnknown])
      assert.equal((await house.key(body.errors[0].meta.keyId)).status, status)
    })
  }

  it('an answer that is lost is looked for, and the key is one', async () => {
    house.cloud.misbehaviours.push({ at: 'add', does: 'late' })
    const stay = newStay()
    const first = await house.make({ externalId: stay, ...near })
    assert.equal(first.status, 201, first.text)
    assert.equal(first.body.data.attributes.verified, true)
    const { pin } = first.body.data.attributes
    assert.ok(house.opens('301', pin, Date.UTC(2026, 5, 3)))
  })

  it('a key in doubt is settled by the same request, with the same PIN', async () => {
    house.cloud.misbehaviours.push(
      { at: 'add', does: 'late' },
      { at: 'listPasscodes', does: 'refuse', code: 'http500' },
    )
    const stay = newStay()
    const lost = await house.make({ externalId: stay, ...near })
    assert.deepEqual([lost.status, lost.body.meta.outcomeUnknown], [502, true], lost.text)
    const again = await house.reconcile(stay, near)
    assert.equal(again.status, 200, again.text)
    assert.equal(again.body.data.id, lost.body.errors[0].meta.keyId)
    assert.equal(again.body.data.attributes.status, 'live')
    const { pin } = again.body.data.attributes
    const told = house.cloud.requests.filter(
      ({ call, fields }) => call === 'add' && fields.keyboardPwd === pin,
    )
    assert.equal(told.length, 1)
    assert.ok(house.opens('301', pin, Date.UTC(2026, 5, 3)))
  })

  it('a PIN that the lock has for somebody else is another one, as nobody knows it yet', async () => {
    refuse('-3007')
    const made = await house.make({ externalId: newStay(), ...near })
    assert.equal(made.status, 201, made.text)
    const adds = house.cloud.requests.filter(({ call }) => call === 'add').slice(-2)
    assert.notEqual(adds[0]!.fields.keyboardPwd, adds[1]!.fields.keyboardPwd)
    assert.equal(made.body.data.attributes.pin, adds[1]!.fields.keyboardPwd)
  })
})

describe('what only the box knows of a key', () => {
  for (const name of ['pinMark', 'pinSealed', 'lock', 'credential', 'supersededById', 'changeAskedAt'])
    it(`is not looked for: ${name}`, async () => {
      for (const form of [`filter[${name}]=1`, `filter[${name}][notnull]=`]) {
        const { status, body } = await house.ask('GET', `/api/v2/access/keys?${form}`)
        assert.deepEqual([status, body.errors?.[0].code], [400, 'invalid-filter-field'], form)
      }
    })
})

describe('a kiosk', () => {
  it('sees the PIN it has made, and no other', async () => {
    const body = {
      type: 'key',
      unitName: '301',
      original: true,
      startDate: '2026-06-01',
      endDate: '2026-06-02',
      externalId: 'X',
    }
    const path = `/api/v2/access/controllers/${house.controllerId}/key`
    assert.equal((await house.ask('POST', path, { body, token: kiosk })).body.errors[0].code, 'kiosk-scope')
    assert.equal((await house.ask('GET', '/api/v2/access/keys', { token: kiosk })).status, 403)
  })
})

function refuse(code: string): void {
  house.cloud.misbehaviours.push({ at: 'add', does: 'refuse', code })
}

describe('several PINs', () => {
  const batch = (body: object) =>
    house.ask('POST', `/api/v2/access/controllers/${house.controllerId}/keys`, {
      body: { type: 'pinCode', original: true, unitName: '302', ...near, ...body },
    })

  it('are an original and its copies, each with digits of its own', async () => {
    const { status, body, text } = await batch({ quantity: 3, externalId: newStay() })
    assert.deepEqual([status, body.succeeded], [201, 3], text)
    const keys = await Promise.all(body.keyIds.map((id: string) => house.key(id)))
    assert.equal(new Set(keys.map(({ pin }) => pin)).size, 3)
    for (const { pin } of keys) assert.ok(house.opens('302', pin, Date.UTC(2026, 5, 3)))
  })

  it('are refused while they would be held', async () => {
    const { status, body } = await batch({ quantity: 2, externalId: newStay(), ...far })
    assert.deepEqual([status, body.errors[0].source.pointer], [422, '/data/attributes/quantity'])
  })
})

describe('a stay that has its PIN', () => {
  it('keeps it in a batch, and gets copies', async () => {
    const externalId = newStay()
    const first = await house.make({ externalId, ...near })
    const { status, body } = await house.ask(
      'POST',
      `/api/v2/access/controllers/${house.controllerId}/keys`,
      {
        body: { type: 'pinCode', original: true, unitName: '301', ...near, externalId, quantity: 2 },
      },
    )
    assert.deepEqual(
      [status, body.succeeded, body.keyIds[0]],
      [201, 2, first.body.data.id],
      JSON.stringify(body),
    )
  })

  it('has one, whichever controller is asked at the same time', async () => {
    const other = await house.ask('POST', '/api/config/v1/access-controllers', {
      body: { name: 'Also', providerId: house.providerId, kind: 'pin-generator', keyType: 'pinCode' },
    })
    const body = { type: 'pinCode', original: true, unitName: '301', ...near }
    const put = (id: string) =>
      house.ask('PUT', `/api/v2/access/controllers/${id}/keys/by-reservation/BOTH`, { body })
    const both = await Promise.all([put(house.controllerId), put(other.body.data.id)])
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    )
    assert.equal(new Set(both.map(({ body }) => body.data.id)).size, 1)
  })

  it('keeps it when a copy is made again', async () => {
    const externalId = newStay()
    const first = await house.make({ externalId, ...near })
    const copy = await house.make({ externalId, ...near, original: false })
    assert.equal(copy.status, 201, copy.text)
    const again = await house.ask('POST', `/api/v2/access/keys/${copy.body.data.id}/actions/reencode`)
    assert.equal(again.status, 201, again.text)
    assert.equal(again.body.data.attributes.original, false)
    assert.notEqual(again.body.data.attributes.pin, copy.body.data.attributes.pin)
    assert.equal((await house.key(first.body.data.id)).status, 'live')
    const { status } = await until(
      'the copy’s end',
      () => house.key(copy.body.data.id),
      ({ proof }) => proof === 'lock-acknowledged',
    )
    assert.equal(status, 'superseded')
    assert.ok(!house.opens('301', copy.body.data.attributes.pin, Date.UTC(2026, 5, 3)))
  })
})

it('a held key that is blocked was never at a lock', async () => {
  const held = await house.make({ ...far, externalId: newStay() })
  const { body } = await house.ask('POST', `/api/v2/access/keys/${held.body.data.id}/actions/block`)
  const { status, mayOpen, proof } = body.data.attributes
  assert.deepEqual([status, mayOpen, proof], ['blocked', false, 'never-made'])
})
