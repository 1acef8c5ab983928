import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { guestFound } from '../guest-found.ts'
import { tokenOf } from '../token-of.ts'
import { once } from './card-faults.ts'
import { blank, type HouseWithDesk, houseWithDesk } from './house-with-desk.ts'
import { firstCard, idle, sampleStay, serve, settledKey, until } from './house-with-doors.ts'

let house: HouseWithDesk
let kiosk: string

before(async () => {
  house = await houseWithDesk()
  const { ask } = house
  const settings = (await ask('GET', '/api/config/v1/settings')).body.data[0]
  const open = { body: { allowOpenBalance: true } }
  assert.equal((await ask('PATCH', `/api/config/v1/settings/${settings.id}`, open)).status, 204)
  kiosk = await tokenOf(ask, 'kiosk')
})
after(() => house.stop())

async function statusOf(id: string): Promise<unknown> {
  return (await house.key(id)).status
}

/** The key that is being made for a unit, once it is written down. */
async function pending(unitName: string): Promise<string> {
  const { body } = await until(
    'a key on its way',
    () => house.ask('GET', `/api/v2/access/keys?filter[unitName]=${unitName}&filter[status]=pendingWrite`),
    ({ body }) => body.data.length === 1,
  )
  return body.data[0].id
}

async function checkOut(path: string): Promise<void> {
  const { status, text } = await house.ask('PATCH', path, { body: { status: 'CheckedOut' } })
  assert.equal(status, 204, text)
}

/** Holds the lobby's encoder at a command until the work is done. */
async function whileWriting<T>(issued: () => Promise<T>, work: () => Promise<void>): Promise<T> {
  house.lobby.encoder.pace = 40
  try {
    const issue = issued()
    await work()
    return await issue
  } finally {
    house.lobby.encoder.pace = 0
  }
}

/** A desk's card of which nobody knows whether it was written: it was. */
const inDoubt = (unitName: string) => house.desk.inDoubt(() => house.desk.make(unitName))

describe('a stay whose end is undone', () => {
  const undone: [name: string, statuses: [string, string]][] = [
    ['a check-out', ['CheckedOut', 'InHouse']],
    ['a check-in', ['Confirmed', 'InHouse']],
  ]
  for (const [at, [name, statuses]] of undone.entries())
    it(`has its card again after ${name} that was undone: the guest has it in the pocket`, async () => {
      const { path, unitName, externalId } = await sampleStay(house, 1004 + at)
      const put = () =>
        house.ask(
          'PUT',
          `/api/v2/access/controllers/${house.controllerId}/keys/by-reservation/${externalId}`,
          {
            body: firstCard(unitName),
          },
        )
      const first = await put()
      assert.equal(first.status, 200, first.text)
      await idle(house)
      for (const [step, status] of statuses.entries()) {
        assert.equal((await house.ask('PATCH', path, { body: { status } })).status, 204, status)
        if (step === 0) assert.equal(await statusOf(first.body.data.id), 'revocationPending')
      }
      assert.equal(await statusOf(first.body.data.id), 'live')
      const { length } = house.lobby.dispenser.stack
      const again = await put()
      assert.equal(again.status, 200, again.text)
      assert.equal(again.body.data.id, first.body.data.id)
      assert.equal(house.lobby.dispenser.stack.length, length)
      const removed = await house.ask('DELETE', `/api/v2/access/keys/${again.body.data.id}`)
      assert.equal(removed.status, 204)
      assert.equal((await put()).status, 404)
    })
})

it('a card that was deleted is not brought back by a stay that goes on', async () => {
  const { path, unitName, externalId } = await sampleStay(house, 1006, 'Confirmed')
  const { id, card } = await serve(house, unitName, { externalId })
  assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${id}`)).status, 204)
  for (const status of ['Canceled', 'Confirmed', 'InHouse'])
    assert.equal((await house.ask('PATCH', path, { body: { status } })).status, 204, status)
  assert.equal(await statusOf(id), 'revocationPending')
  assert.match(house.present(card, unitName), /^opened/)
  await checkOut(path)
})

describe('a stay that ends while its card is made', () => {
  it('gets no card', async () => {
    const { path, unitName, externalId } = await sampleStay(house, 1001)
    const bin = house.lobby.dispenser.bin.length
    const answer = await whileWriting(
      () => house.issue(unitName, { externalId }),
      async () => {
        await pending(unitName)
        await checkOut(path)
      },
    )
    assert.equal(answer.status, 409, answer.text)
    assert.equal(answer.body.errors[0].code, 'stay-status-transition')
    await idle(house)
    assert.equal(house.lobby.dispenser.bin.length, bin + 1)
    assert.doesNotMatch(house.present(house.lobby.dispenser.bin.at(-1)!, unitName), /^opened/)
    const { body } = await house.ask('GET', `/api/v2/access/keys?filter[unitName]=${unitName}`)
    assert.deepEqual(
      body.data.map((each: { attributes: { status: string } }) => each.attributes.status),
      ['failed'],
    )
  })

  it('gets none afterwards: no card moves', async () => {
    const { path, unitName, externalId } = await sampleStay(house, 1002)
    await checkOut(path)
    const { length } = house.lobby.dispenser.stack
    const answer = await house.issue(unitName, { externalId })
    assert.equal(answer.body.errors?.[0].code, 'stay-status-transition', answer.text)
    assert.equal(house.lobby.dispenser.stack.length, length)
  })
})

describe('two originals of a unit at once', () => {
  it('the older is not handed out when the newer was quicker', async () => {
    house.desk.card = null
    const slow = house.desk.make('204')
    const slowId = await pending('204')
    const fast = await serve(house, '204')
    const card = blank()
    house.desk.card = card
    const answer = await slow
    assert.equal(answer.status, 409, answer.text)
    assert.equal(answer.body.errors[0].code, 'unit-occupied')
    assert.equal(await statusOf(slowId), 'failed')
    assert.equal(await statusOf(fast.id), 'live')
    assert.equal(house.present(fast.card, '204'), 'opened-newer')
    assert.doesNotMatch(house.present(card, '204'), /^opened/)
  })

  it('the newer supersedes the older that was quicker', async () => {
    house.desk.card = null
    const quick = house.issue('205')
    let late: ReturnType<typeof house.desk.make> | undefined
    const first = await whileWriting(
      () => quick,
      async () => {
        await pending('205')
        late = house.desk.make('205')
      },
    )
    assert.equal(first.status, 201, first.text)
    await idle(house)
    house.desk.card = blank()
    const second = await late!
    assert.equal(second.status, 201, second.text)
    assert.equal(await statusOf(first.body.data.id), 'superseded')
  })

  it('a unit of somebody in house is not given away while his key is made', async () => {
    const { unitName, externalId } = await sampleStay(house, 1003)
    house.desk.card = null
    const his = house.desk.make(unitName, { externalId })
    const id = await pending(unitName)
    const answer = await house.issue(unitName)
    assert.equal(answer.body.errors?.[0].code, 'unit-occupied', answer.text)
    house.desk.card = blank()
    assert.equal((await his).status, 201)
    assert.equal(await statusOf(id), 'live')
  })
})

describe('a key in doubt', () => {
  it('whose card turns up after a newer original was made stays superseded', async () => {
    const doubt = await inDoubt('206')
    const newer = await serve(house, '206')
    await house.desk.read(doubt.card)
    assert.equal(await statusOf(doubt.id), 'superseded')
    assert.equal(await statusOf(newer.id), 'live')
  })

  it('that was not made does not bring back what a newer original has replaced', async () => {
    const first = await serve(house, '207')
    const doubt = await inDoubt('207')
    const newer = await serve(house, '207')
    doubt.card.memory.fill(0, 64, 112)
    await house.desk.read(doubt.card)
    assert.equal(await statusOf(doubt.id), 'failed')
    assert.equal(await statusOf(first.id), 'superseded')
    assert.equal(await statusOf(newer.id), 'live')
  })

  it('gives back what it had replaced when its card is written anew', async () => {
    const first = await serve(house, '208')
    const doubt = await inDoubt('208')
    assert.equal(await statusOf(first.id), 'superseded')
    house.desk.card = doubt.card
    assert.equal((await house.desk.make('209')).status, 201)
    assert.equal(await statusOf(doubt.id), 'failed')
    assert.equal(await statusOf(first.id), 'live')
  })
})

describe('a request repeated after its card was lost', () => {
  it('moves another card, and is answered with its key', async () => {
    const how = { headers: { 'Idempotency-Key': 'lost-1' } }
    await idle(house)
    house.lobby.dispenser.misbehaviours.push(...once('move-front', 'refuse'))
    const failed = await house.issue('110', {}, how)
    assert.equal(failed.status, 502, failed.text)
    await idle(house)
    const taken = house.lobby.dispenser.taken.length
    const again = await house.issue('110', {}, how)
    assert.equal(again.status, 201, again.text)
    assert.equal(again.headers.get('idempotency-replayed'), null)
    await idle(house)
    assert.equal(house.lobby.dispenser.taken.length, taken + 1)
    assert.equal(await statusOf(again.body.data.id), 'live')
    assert.equal(house.present(house.lobby.dispenser.taken.at(-1)!, '110'), 'opened-newer')
    const third = await house.issue('110', {}, how)
    assert.equal(third.headers.get('idempotency-replayed'), 'true')
    assert.equal(third.body.data.id, again.body.data.id)
  })

  it('moves none when the guest has had his card, whatever became of its key', async () => {
    const how = { headers: { 'Idempotency-Key': 'lost-2' } }
    const first = await house.issue('401', {}, how)
    assert.equal(first.status, 201, first.text)
    await settledKey(house, first.body.data.id)
    await serve(house, '401')
    assert.equal(await statusOf(first.body.data.id), 'superseded')
    const again = await house.issue('401', {}, how)
    assert.equal(again.body.data.id, first.body.data.id)
  })
})

describe('a copy', () => {
  it('that names no stay ends with the stay of its original', async () => {
    const { path, unitName, externalId } = await sampleStay(house, 1004)
    await serve(house, unitName, { externalId })
    const copy = await serve(house, unitName, { original: false })
    const { stayId, externalId: inherited } = await house.key(copy.id)
    assert.notEqual(stayId, null)
    assert.equal(inherited, externalId)
    await checkOut(path)
    assert.equal(await statusOf(copy.id), 'revocationPending')
  })

  it('is made for the lock of its original alone', async () => {
    const path = `/api/config/v1/access-providers/${house.providerId}`
    const { unitMapping } = (await house.ask('GET', path)).body.data.attributes
    await serve(house, '210')
    const moved = unitMapping.map((each: { unitName: string }) =>
      each.unitName === '210' ? { ...each, externalCode: '999' } : each,
    )
    assert.equal((await house.ask('PATCH', path, { body: { unitMapping: moved } })).status, 204)
    const answer = await house.issue('210', { original: false })
    assert.equal(answer.body.errors?.[0].code, 'no-original-key', answer.text)
    assert.equal((await house.ask('PATCH', path, { body: { unitMapping } })).status, 204)
  })
})

describe('what one card cannot be asked for', () => {
  it('other units, whatever the provider is told', async () => {
    const path = `/api/config/v1/access-providers/${house.providerId}`
    assert.equal((await house.ask('PATCH', path, { body: { maxExtraUnits: 3 } })).status, 204)
    const answer = await house.issue('101', { extraUnits: ['102'] })
    assert.equal(answer.body.errors?.[0].code, 'too-many-extra-units', answer.text)
  })

  it('by a kiosk: zones of its choice, and an hour after check-out', async () => {
    const { path, unitName, externalId } = await sampleStay(house, 1005)
    await guestFound(house.ask, kiosk, path.split('/').at(-1)!)
    const refused = async (more: object) => {
      const { status, body } = await house.issue(
        unitName,
        { externalId, endDate: '2026-06-02', ...more },
        { token: kiosk },
      )
      return status === 201 ? '201' : `${body.errors[0].code} ${body.errors[0].source?.pointer}`
    }
    assert.equal(await refused({ endTime: '23:59' }), 'kiosk-scope /data/attributes/endTime')
    assert.equal(await refused({ authorizations: ['Pool'] }), 'kiosk-scope /data/attributes/authorizations')
    assert.equal(await refused({ endTime: '11:00:00', authorizations: ['Entrance'] }), '201')
    await idle(house)
  })
})

it('a card that is erased when the machine starts holds no key any more', async () => {
  const held = await serve(house, '402')
  const { dispenser } = house.lobby
  const bin = dispenser.bin.length
  dispenser.card = held.card
  dispenser.at = 'encoder'
  const path = `/api/v2/access/dispensers/${house.dispenserId}`
  assert.equal((await house.ask('POST', `${path}/reset-cache`)).status, 200)
  await idle(house)
  assert.equal(dispenser.bin.length, bin + 1)
  assert.equal(await statusOf(held.id), 'removed')
})

describe('a card that was just made and still lies there', () => {
  it('is to be lifted: whoever asks for the next is told that, and not that there is none', async () => {
    house.desk.card = blank()
    assert.equal((await house.desk.make('109')).status, 201)
    const next = await house.desk.make('110')
    assert.deepEqual([next.status, next.body.meta?.errorCode], [502, 'no-card'], next.text)
    const [{ detail, meta }] = next.body.errors
    assert.deepEqual([/lift it/i.test(detail), meta.guest], [true, 'lift-card'])
    house.desk.card = null
    const none = await house.desk.make('110')
    assert.deepEqual([none.body.meta?.errorCode, none.body.errors[0].meta.guest], ['no-card', 'place-card'])
  })
})
