import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Reply } from '../appliance.ts'
import { guestFound } from '../guest-found.ts'
import { tokenOf } from '../token-of.ts'
import { type Guest, type GuestsOfUnits, guestsOfUnits } from './guests-of-units.ts'
import { type HouseWithDesk, houseWithDesk } from './house-with-desk.ts'
import { firstCard, idle, serve, settledKey } from './house-with-doors.ts'
import { houseWithPins } from './house-with-pins.ts'

const nights = { startDate: '2026-06-01', endDate: '2026-06-03' }
const word = { meta: { confirm: true, reason: 'She has seen both passports.' } }
const codeOf = ({ status, body }: Reply) => (status < 400 ? `${status}` : `${status} ${body.errors[0].code}`)

type Ask = HouseWithDesk['ask']

/** Two guests in house in one unit, whose stays share it, booked apart in `unitName` and `other`. */
async function sharers(ask: Ask, guests: GuestsOfUnits, unitName: string, other: string) {
  const host = await guests.booked(unitName, 1, 3)
  const joining = await guests.booked(other, 1, 3)
  await guests.become(host, 'InHouse')
  const body = { withStayId: host.id }
  const shared = await ask('POST', `/api/v2/stays/${joining.id}/actions/share`, { body })
  assert.equal(shared.status, 200, shared.text)
  assert.equal(shared.body.data.attributes.units[0].unitName, unitName)
  await guests.become(joining, 'InHouse')
  return { host, joining }
}

describe('guests who share a unit', () => {
  let house: HouseWithDesk
  let guests: GuestsOfUnits
  let kiosk: string
  let desk: string
  before(async () => {
    house = await houseWithDesk()
    guests = await guestsOfUnits(house.ask)
    kiosk = await tokenOf(house.ask, 'kiosk')
    desk = await tokenOf(house.ask, 'frontdesk')
  })
  beforeEach(() => idle(house))
  after(() => house.stop())

  const card = (unitName: string, { externalId }: Guest, more: object = {}) =>
    serve(house, unitName, { ...nights, externalId, ...more })
  const opened = /^opened/

  it('have cards that open it side by side, whoever comes first', async () => {
    const { host, joining } = await sharers(house.ask, guests, '201', '202')
    const first = await card('201', host)
    const second = await card('201', joining)
    for (const each of [first, second, first, second]) assert.match(house.present(each.card, '201'), opened)
    for (const { id } of [first, second]) {
      const { status, original, mayOpen } = await house.key(id)
      assert.deepEqual({ status, original, mayOpen }, { status: 'live', original: true, mayOpen: true })
    }
    assert.equal(house.present(second.card, '202'), 'other-door')
  })

  it('have one card each, however often it is asked for', async () => {
    const { host, joining } = await sharers(house.ask, guests, '203', '204')
    const put = ({ externalId }: Guest) =>
      house.ask('PUT', `/api/v2/access/controllers/${house.controllerId}/keys/by-reservation/${externalId}`, {
        body: { ...firstCard('203'), ...nights },
      })
    const ids: string[] = []
    for (const each of [host, joining, host, joining]) {
      const { status, text, body } = await put(each)
      assert.ok(status === 201 || status === 200, text)
      ids.push(body.data.id)
      await settledKey(house, body.data.id)
      await idle(house)
    }
    assert.deepEqual(ids.slice(2), ids.slice(0, 2))
    assert.notEqual(ids[0], ids[1])
  })

  it('get their first card at a kiosk, and no card that would end that of the other', async () => {
    const { host, joining } = await sharers(house.ask, guests, '205', '206')
    const hosts = await card('205', host)
    const token = kiosk
    await guestFound(house.ask, token, joining.id)
    const asked = () => house.issue('205', { ...nights, externalId: joining.externalId }, { token })
    const made = await asked()
    assert.equal(made.status, 201, made.text)
    await settledKey(house, made.body.data.id)
    await idle(house)
    const theirs = house.lobby.dispenser.taken.at(-1)!
    for (const each of [theirs, hosts.card]) assert.match(house.present(each, '205'), opened)
    assert.match(codeOf(await asked()), /^(403 kiosk-scope|409 unit-occupied)$/)
    const { path } = host
    const away = await house.ask('PATCH', path, { body: { shareId: null }, token })
    assert.equal(codeOf(away), '403 kiosk-scope')
  })

  it('need a word of the front desk for a further card: it ends the one that was lost, and all others', async () => {
    const { host, joining } = await sharers(house.ask, guests, '207', '208')
    const lost = await card('207', host)
    const others = await card('207', joining)
    const block = await house.ask('POST', `/api/v2/access/keys/${lost.id}/actions/block`)
    assert.ok(block.status < 300, block.text)
    const token = desk
    const wanted = { ...nights, externalId: host.externalId }
    const refused = await house.issue('207', wanted, { token })
    assert.equal(codeOf(refused), '409 unit-occupied')
    const { scope, stayIds, keyId } = refused.body.errors[0].meta
    assert.deepEqual(
      { scope, stayIds, keyId },
      { scope: 'keys.issue', stayIds: [joining.id], keyId: others.id },
    )
    const made = await house.issue('207', { ...wanted, ...word }, { token })
    assert.equal(made.status, 201, made.text)
    await settledKey(house, made.body.data.id)
    await idle(house)
    const anew = house.lobby.dispenser.taken.at(-1)!
    assert.equal(house.present(anew, '207'), 'opened-newer')
    for (const each of [lost, others]) assert.equal(house.present(each.card, '207'), 'superseded')
    assert.equal((await house.key(others.id)).status, 'superseded')
    // Who has lost nothing gets a card beside it.
    const again = await card('207', joining)
    for (const each of [again.card, anew]) assert.match(house.present(each, '207'), opened)
  })

  it('stay when one of them leaves, whose card a further one ends', async () => {
    const { host, joining } = await sharers(house.ask, guests, '209', '210')
    const left = await card('209', host)
    const stays = await card('209', joining)
    await guests.become(host, 'CheckedOut')
    assert.equal((await house.key(stays.id)).status, 'live')
    assert.equal((await house.key(left.id)).status, 'revocationPending')
    const older = (await house.ask('GET', '/api/v2/access/units-with-older-keys')).body.data
    const [at] = older.filter(
      ({ attributes }: { attributes: { unitName: string } }) => attributes.unitName === '209',
    )
    assert.deepEqual(
      at.attributes.keys.map(({ keyId }: { keyId: string }) => keyId),
      [left.id],
    )
    const anew = await card('209', joining)
    assert.equal(house.present(anew.card, '209'), 'opened-newer')
    assert.equal(house.present(left.card, '209'), 'superseded')
  })

  /** A further guest who joins those of a unit, booked in `other`. */
  async function joins(host: Guest, other: string): Promise<Guest> {
    const third = await guests.booked(other, 1, 3)
    const body = { withStayId: host.id }
    assert.equal((await house.ask('POST', `/api/v2/stays/${third.id}/actions/share`, { body })).status, 200)
    await guests.become(third, 'InHouse')
    return third
  }

  it('have cards that the newest one lets open, also if it is not known whether that was made', async () => {
    const { host, joining } = await sharers(house.ask, guests, '215', '216')
    const third = await joins(host, '301')
    const hosts = await card('215', host)
    const theirs = await card('215', joining)
    await guests.become(joining, 'CheckedOut')
    const asked = { externalId: host.externalId, ...word }
    const doubtful = await house.desk.inDoubt(() => house.desk.make('215', asked))
    await guests.become(joining, 'InHouse')
    const last = await card('215', third)
    assert.equal(house.present(doubtful.card, '215'), 'opened-newer')
    assert.match(house.present(last.card, '215'), opened)
    // Both are older than the card in doubt, and are said to be.
    for (const each of [hosts, theirs]) {
      assert.equal(house.present(each.card, '215'), 'superseded')
      assert.notEqual((await house.key(each.id)).status, 'live')
    }
  })

  it('get a card beside the newest one when their own was lost before it', async () => {
    const { host, joining } = await sharers(house.ask, guests, '302', '303')
    const lost = await card('302', host)
    await card('302', joining)
    const block = await house.ask('POST', `/api/v2/access/keys/${lost.id}/actions/block`)
    assert.ok(block.status < 300, block.text)
    const further = await card('302', joining, word)
    assert.equal(house.present(further.card, '302'), 'opened-newer')
    const anew = await house.issue('302', { ...nights, externalId: host.externalId }, { token: desk })
    assert.equal(anew.status, 201, anew.text)
    await settledKey(house, anew.body.data.id)
    await idle(house)
    for (const each of [house.lobby.dispenser.taken.at(-1)!, further.card])
      assert.match(house.present(each, '302'), opened)
  })

  it('get no card of the unit of the others when they have another one, or have it at another time', async () => {
    const { host, joining } = await sharers(house.ask, guests, '304', '305')
    await card('304', host)
    const unitOf = async (name: string) =>
      (await house.ask('GET', `/api/v2/units?filter[name]=${name}`)).body.data[0]
    const { id, attributes } = await unitOf('305')
    const units = [{ unitId: id, unitTypeId: attributes.unitTypeId }]
    assert.equal((await house.ask('PATCH', joining.path, { body: { units } })).status, 204)
    const later = await guests.booked('304', 4, 6)
    const { shareId } = (await house.ask('GET', host.path)).body.data.attributes
    assert.equal((await house.ask('PATCH', later.path, { body: { shareId } })).status, 204)
    for (const { externalId } of [joining, later]) {
      const reply = await house.issue('304', { ...nights, externalId }, { token: desk })
      assert.equal(codeOf(reply), '409 unit-occupied')
      assert.equal(reply.body.errors[0].meta.scope, 'keys.override')
    }
    // Who is joined by a guest does not come among those with whom that guest has shared.
    const alone = await guests.booked('306', 1, 3)
    const body = { withStayId: alone.id }
    const shared = await house.ask('POST', `/api/v2/stays/${later.id}/actions/share`, { body })
    assert.notEqual(shared.body.data.attributes.shareId, shareId)
  })

  it('have a unit of their own besides, whose next card ends that of the other guest', async () => {
    const [first, own] = await Promise.all(
      ['101', '102'].map(async (name) => {
        const { id, attributes } = (await house.ask('GET', `/api/v2/units?filter[name]=${name}`)).body.data[0]
        return { unitId: id, unitTypeId: attributes.unitTypeId }
      }),
    )
    const host = await guests.booked('101', 1, 3)
    assert.equal((await house.ask('PATCH', host.path, { body: { units: [first, own] } })).status, 204)
    const joining = await guests.booked('103', 1, 3)
    const body = { withStayId: host.id, unitId: first!.unitId }
    assert.equal((await house.ask('POST', `/api/v2/stays/${joining.id}/actions/share`, { body })).status, 200)
    for (const each of [host, joining]) await guests.become(each, 'InHouse')
    house.clock.advance(60_000)
    const wrong = await card('102', joining, word)
    const right = await card('102', host)
    assert.equal(house.present(right.card, '102'), 'opened-newer')
    assert.equal(house.present(wrong.card, '102'), 'superseded')
    assert.equal((await house.key(wrong.id)).status, 'superseded')
  })

  it('do not get a card that names nobody', async () => {
    const { host } = await sharers(house.ask, guests, '307', '308')
    const { id } = await serve(house, '307', { ...nights, ...word })
    await joins(host, '309')
    assert.equal((await house.key(id)).stayId, null)
  })

  it('share with nobody else', async () => {
    const { host } = await sharers(house.ask, guests, '211', '212')
    await card('211', host)
    const stranger = await guests.booked('211', 4, 6)
    const asked = await house.issue('211', { ...nights, externalId: stranger.externalId })
    assert.equal(codeOf(asked), '409 unit-occupied')
    assert.equal(asked.body.errors[0].meta.scope, 'keys.override')
    const others = await sharers(house.ask, guests, '213', '214')
    const put = await house.ask('PATCH', others.joining.path, {
      body: { units: (await house.ask('GET', host.path)).body.data.attributes.units },
    })
    assert.equal(codeOf(put), '409 unit-occupied')
  })
})

describe('guests who share a unit with PINs', () => {
  it('have a PIN each', async () => {
    const house = await houseWithPins()
    try {
      const guests = await guestsOfUnits(house.ask)
      const { host, joining } = await sharers(house.ask, guests, '301', '302')
      const pins: unknown[] = []
      for (const { externalId } of [host, joining]) {
        const { status, text, body } = await house.reconcile(externalId)
        assert.equal(status, 200, text)
        pins.push(body.data.attributes.pin)
      }
      assert.notEqual(pins[0], pins[1])
      for (const pin of pins) assert.equal(house.opens('301', pin), true)
      await guests.become(host, 'CheckedOut')
      const { body } = await house.reconcile(joining.externalId)
      assert.equal(body.data.attributes.pin, pins[1])
      assert.equal(house.opens('301', pins[1]), true)
    } finally {
      await house.stop()
    }
  })
})
