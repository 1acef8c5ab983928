import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { SimulatedCard } from '../../src/simulators/devices/simulated-card.ts'
import { once } from './card-faults.ts'
import { blank, type HouseWithDesk, houseWithDesk } from './house-with-desk.ts'
import { idle, serve, settledKey } from './house-with-doors.ts'

let house: HouseWithDesk
before(async () => {
  house = await houseWithDesk({ timeoutMs: 1_000 })
})
after(() => house.stop())
beforeEach(() => {
  house.desk.card = blank()
})
afterEach(() => {
  house.desk.encoder.misbehaviours.length = 0
})

const dates = { startDate: '2026-06-01', endDate: '2026-06-03' }
const post = (unitName: string, more = {}) =>
  house.ask('POST', `/api/v2/access/controllers/${house.desk.controllerId}/key`, {
    body: { type: 'keyCard', unitName, original: true, ...dates, ...more },
  })
const read = async () =>
  (await house.ask('GET', `/api/v2/access/controllers/${house.desk.controllerId}/key`)).body
const erase = async () => {
  const { status, body } = await house.ask(
    'DELETE',
    `/api/v2/access/controllers/${house.desk.controllerId}/key`,
  )
  return status === 204 ? '204' : `${status} ${body.errors[0].code}`
}

/** A card with a key for the unit, made at the desk. */
async function made(unitName: string, more = {}): Promise<string> {
  const { status, text, body } = await post(unitName, more)
  assert.equal(status, 201, text)
  return body.data.id
}

function foreign(): SimulatedCard {
  const card = blank()
  for (let end = 64; end <= 1024; end += 64)
    card.memory.fill(0x5a, end - 16, end - 10).fill(0x5a, end - 6, end)
  return card
}

describe('reading a card', () => {
  it('a key that is live', async () => {
    const id = await made('101')
    const { data, meta } = await read()
    assert.equal(data.id, id)
    assert.deepEqual(meta, {
      card: {
        uid: house.desk.card!.uid.toHex().toUpperCase(),
        format: 'Mifare1K',
        blank: false,
        decodedUnitName: '101',
        decodedFrom: '2026-06-01T14:00:00.000Z',
        decodedUntil: '2026-06-03T10:00:00.000Z',
      },
      matchesStore: true,
      warnings: [],
    })
  })

  it('a key that was replaced', async () => {
    await made('101')
    const old = house.desk.card
    house.desk.card = blank()
    await made('101')
    house.desk.card = old
    const { data, meta } = await read()
    assert.equal(data.attributes.status, 'superseded')
    assert.equal(meta.matchesStore, false)
    assert.deepEqual(meta.warnings, ['The key on the card is stored as superseded.'])
  })

  const rows: [name: string, card: () => SimulatedCard, blank: boolean, warnings: string[]][] = [
    ['a blank card', blank, true, []],
    ['a card of another system', foreign, false, ['The card holds data of another system.']],
  ]
  for (const [name, card, isBlank, warnings] of rows) {
    it(name, async () => {
      house.desk.card = card()
      const { data, meta } = await read()
      assert.equal(data, null)
      assert.equal(meta.card.blank, isBlank)
      assert.deepEqual(meta.warnings, warnings)
    })
  }

  it('a damaged key', async () => {
    await made('101')
    house.desk.card!.memory[5 * 16]! ^= 1
    const { data, meta } = await read()
    assert.equal(data, null)
    assert.deepEqual(meta.warnings, ['The card holds a damaged key, which no lock accepts.'])
  })

  it('no card', async () => {
    house.desk.card = null
    assert.deepEqual((await read()).meta, { errorCode: 'no-card', outcomeUnknown: false })
  })
})

describe('erasing a card', () => {
  it('a key', async () => {
    const id = await made('102')
    assert.equal(house.present(house.desk.card!, '102'), 'opened-newer')
    assert.equal(await erase(), '204')
    assert.equal(house.present(house.desk.card!, '102'), 'no-key')
    assert.equal((await house.key(id)).status, 'removed')
  })

  it('a damaged key', async () => {
    const id = await made('102')
    house.desk.card!.memory[5 * 16]! ^= 1
    assert.equal(await erase(), '204')
    assert.equal((await house.key(id)).status, 'removed')
  })

  it('a blank card', async () => assert.equal(await erase(), '204'))

  it('a card of another system stays as it is', async () => {
    house.desk.card = foreign()
    const before = house.desk.card.memory.slice()
    assert.equal(await erase(), '409 foreign-card')
    assert.deepEqual(house.desk.card.memory, before)
  })

  it('a staff card stays as it is', async () => {
    const id = await made('102', { usage: 'Staff' })
    assert.equal(await erase(), '409 foreign-card')
    assert.equal((await house.key(id)).status, 'live')
  })

  it('no card', async () => {
    house.desk.card = null
    assert.equal(await erase(), '502 no-card')
  })

  it('a card that does not erase keeps its key', async () => {
    const id = await made('103')
    house.desk.encoder.misbehaviours.push(...once('writeBlock', 'refuse', 0, '0000'))
    assert.equal(await erase(), '502 card-write-protected')
    assert.equal((await house.key(id)).status, 'live')
  })
})

describe('a card taken off the desk too early', () => {
  /** The card leaves at this command; answers the id of its key. */
  async function takenOff(unitName: string, at: string, skip: number, more = {}) {
    const card = house.desk.card!
    const then = () => {
      house.desk.card = null
    }
    house.desk.encoder.misbehaviours.push({ at, skip, does: 'pass', then })
    const { body } = await post(unitName, more)
    assert.deepEqual(body.meta, { errorCode: 'card-removed', outcomeUnknown: true })
    const { keyId } = body.errors[0].meta
    assert.equal((await settledKey(house, keyId)).status, 'unknown')
    house.desk.card = card
    return keyId as string
  }

  it('and read: it was not written, so the earlier key is back', async () => {
    const earlier = await made('104')
    house.desk.card = blank()
    const keyId = await takenOff('104', 'writeBlock', 3)
    assert.equal((await house.key(earlier)).status, 'superseded')
    await read()
    assert.equal((await house.key(keyId)).status, 'failed')
    assert.equal((await house.key(earlier)).status, 'live')
    assert.equal(house.journal('key.outcome-resolved').at(-1)?.subject, `access/keys/${keyId}`)
  })

  it('and read: it was written, so it is live', async () => {
    const keyId = await takenOff('105', 'sak', 3)
    assert.equal(house.present(house.desk.card!, '105'), 'opened-newer')
    await read()
    assert.equal((await house.key(keyId)).status, 'live')
    assert.equal(house.journal('key.outcome-resolved').at(-1)?.subject, `access/keys/${keyId}`)
  })

  it('and asked for again: the same card holds the new key alone', async () => {
    const keyId = await takenOff('106', 'writeBlock', 2)
    const again = await made('106')
    assert.equal((await house.key(keyId)).status, 'failed')
    assert.equal((await house.key(again)).status, 'live')
    assert.equal(house.present(house.desk.card!, '106'), 'opened-newer')
  })

  it('and erased: the key was not made', async () => {
    const keyId = await takenOff('107', 'sak', 3)
    assert.equal(await erase(), '204')
    assert.equal((await house.key(keyId)).status, 'failed')
  })

  it('and another one laid there: nothing of that one is touched', async () => {
    const other = await made('108')
    const card = house.desk.card!
    house.desk.card = blank()
    const then = () => {
      house.desk.card = card
    }
    house.desk.encoder.misbehaviours.push({ at: 'writeBlock', skip: 1, does: 'pass', then })
    assert.equal((await post('109')).body.meta.errorCode, 'card-removed')
    assert.equal((await house.key(other)).status, 'live')
    assert.equal(house.present(card, '108'), 'opened-newer')
  })
})

describe('a desk', () => {
  it('waits for a card, and says when none came', async () => {
    house.desk.card = null
    const { body } = await post('110')
    assert.deepEqual(body.meta, { errorCode: 'no-card', outcomeUnknown: false })
    assert.equal((await house.key(body.errors[0].meta.keyId)).status, 'failed')
  })

  it('that is unplugged says so', async () => {
    house.desk.encoder.misbehaviours.push(...once('login', 'close'))
    assert.equal((await post('110')).body.meta.errorCode, 'encoder-offline')
  })
})

describe('many at once', () => {
  afterEach(() => {
    house.lobby.encoder.pace = 0
    house.lobby.dispenser.takenAfterMs = 0
  })

  it('wait in line, and see the card at the gate; too many are told to come back', async () => {
    house.lobby.encoder.pace = 50
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => house.issue(String(201 + index))),
    )
    const codes = answers.map(({ status, body }) => (status === 201 ? '201' : body.errors[0].code)).sort()
    const busy = Array.from({ length: 5 }, () => 'dispenser-busy-with-guest')
    assert.deepEqual(codes, ['201', ...busy, 'encoder-busy', 'encoder-busy'])
    const refused = answers.find(({ status }) => status === 502)!
    assert.equal(refused.headers.get('retry-after'), '3')
    assert.equal(refused.body.meta.outcomeUnknown, false)
    await idle(house)
  })

  it('an answer that cannot wait takes its card along', async () => {
    const path = `/api/config/v1/access-controllers/${house.controllerId}`
    const within = async (timeoutMs: number) =>
      assert.equal((await house.ask('PATCH', path, { body: { timeoutMs } })).status, 204)
    await idle(house)
    await within(500)
    const then = () => {
      house.lobby.encoder.pace = 150
    }
    house.lobby.encoder.misbehaviours.push({ at: 'writeBlock', does: 'pass', then })
    const { body } = await house.issue('209')
    assert.deepEqual(body.meta, { errorCode: 'encoder-timeout-writing', outcomeUnknown: true })
    house.lobby.encoder.pace = 0
    assert.equal((await settledKey(house, body.errors[0].meta.keyId)).status, 'failed')
    await within(18_000)
    const { taken } = house.lobby.dispenser
    const before = taken.length
    await serve(house, '209')
    assert.equal(taken.length, before + 1)
  })
})

describe('the configuration of an encoder', () => {
  it('is checked as it would be: a PUT that leaves the device out is refused', async () => {
    const path = `/api/config/v1/access-controllers/${house.desk.controllerId}`
    const { providerId } = house
    const without = { name: 'Desk', providerId, kind: 'encoder', keyType: 'keyCard' }
    const { status, body } = await house.ask('PUT', path, { body: without })
    assert.deepEqual([status, body.errors[0].source.pointer], [422, '/data/attributes/device'])
  })
})

describe('the end of test keys', () => {
  const step = (step: string, unitName?: string, how: object = {}) =>
    house.ask(
      'POST',
      `/api/config/v1/access-controllers/${house.desk.controllerId}/actions/commission-step`,
      {
        body: { step, ...(unitName && { unitName }) },
        ...how,
      },
    )

  it('ends all of them, also where the request has an Idempotency-Key, and says so again', async () => {
    const ids: string[] = []
    for (const unitName of ['103', '104']) {
      house.desk.card = blank()
      const made = await step('door-card', unitName)
      assert.equal(made.status, 200, made.text)
      ids.push(made.body.meta.keyId)
    }
    house.desk.card = null
    const how = { headers: { 'Idempotency-Key': 'end-tests' } }
    const ended = await step('end', undefined, how)
    assert.equal(ended.status, 200, ended.text)
    const said = ended.body.meta.ended.map(({ keyId, ending }: Record<string, string>) => [keyId, ending])
    assert.deepEqual(said.sort(), ids.map((id) => [id, 'blocked']).sort())
    for (const id of ids) assert.equal((await house.key(id)).status, 'blocked')
    assert.deepEqual((await step('end', undefined, how)).body, ended.body)
  })
})
