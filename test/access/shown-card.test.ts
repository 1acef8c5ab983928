import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { SimulatedCard } from '../../src/simulators/devices/simulated-card.ts'
import { insert } from '../../src/simulators/devices/simulated-card-path.ts'
import type { Reply } from '../appliance.ts'
import { guestFound } from '../guest-found.ts'
import { tokenOf } from '../token-of.ts'
import { blank, type HouseWithDesk, houseWithDesk } from './house-with-desk.ts'
import { firstCard, idle, sampleStay, settledKey, until } from './house-with-doors.ts'

const minute = 60_000

let house: HouseWithDesk
let kiosk: string
let desk: string
before(async () => {
  house = await houseWithDesk()
  const [settings] = (await house.ask('GET', '/api/config/v1/settings')).body.data
  await house.ask('PATCH', `/api/config/v1/settings/${settings.id}`, { body: { allowOpenBalance: true } })
  kiosk = await tokenOf(house.ask, 'kiosk')
  desk = await tokenOf(house.ask, 'frontdesk')
})
after(() => house.stop())
beforeEach(() => idle(house))

type Stay = Awaited<ReturnType<typeof sampleStay>> & { id: string }

/** A guest in house, with the card that the kiosk made, who went away and has found the stay again. */
async function guestWithCard(number: number): Promise<Stay & { keyId: string; card: SimulatedCard }> {
  const found = await sampleStay(house, number)
  const stay = { ...found, id: found.path.split('/').at(-1)! }
  await guestFound(house.ask, kiosk, stay.id)
  const { keyId, card } = await taken(original(stay))
  house.clock.advance(30 * minute)
  await guestFound(house.ask, kiosk, stay.id)
  return { ...stay, keyId, card }
}

const original = ({ unitName, externalId }: Stay, more: object = {}): Promise<Reply> =>
  house.issue(unitName, { externalId, endDate: '2026-06-02', ...more }, { token: kiosk })

async function taken(answer: Promise<Reply>) {
  const { status, text, body } = await answer
  assert.equal(status, 201, text)
  await settledKey(house, body.data.id)
  return { keyId: String(body.data.id), card: house.lobby.dispenser.taken.at(-1)! }
}

const leave = ({ path }: Stay) => house.ask('PATCH', path, { body: { status: 'CheckedOut' }, token: kiosk })
const release = ({ id }: Stay, token = desk) =>
  house.ask('POST', `/api/v2/stays/${id}/actions/release`, { token })
const codeOf = ({ status, body }: Reply) => (status < 400 ? `${status}` : `${status} ${body.errors[0].code}`)

/** Lays a card on the encoder of the kiosk, and has it read. */
async function shows(card: SimulatedCard | null, token = kiosk): Promise<Reply> {
  await house.desk.read(blank())
  house.desk.card = card
  return house.ask('PUT', `/api/v2/access/controllers/${house.desk.controllerId}/shown-card`, { token })
}

const accepting = () => `/api/v2/access/dispensers/${house.dispenserId}/status/accepting`

/** The dispenser takes a card back, which the guest puts in after some time. */
async function returned(card: SimulatedCard, keyId: string, after = 0): Promise<void> {
  assert.equal((await house.ask('PUT', accepting(), { token: kiosk })).status, 204)
  house.clock.advance(after)
  assert.equal(insert(house.lobby.dispenser, card), true)
  await until(
    'the end of the key',
    () => house.key(keyId),
    ({ status }) => status === 'removed',
  )
  await idle(house)
}

describe('a guest who has found the stay at a kiosk again', () => {
  it('gets no other original and does not check out: others know the number and the name too', async () => {
    const guest = await guestWithCard(1001)
    for (const reply of [await original(guest), await leave(guest)]) {
      assert.equal(codeOf(reply), '403 kiosk-scope')
      assert.equal(reply.body.errors[0].meta.guest, 'desk')
    }
    assert.match(house.present(guest.card, guest.unitName), /^opened/)
  })

  it('gets another original, and checks out, by a card of the stay that is read there', async () => {
    const guest = await guestWithCard(1002)
    const shown = await shows(guest.card)
    assert.deepEqual(shown.body, {
      meta: { stayId: guest.id, keyId: guest.keyId, unitName: guest.unitName },
    })
    const { card } = await taken(original(guest))
    assert.equal(house.present(card, guest.unitName), 'opened-newer')
    assert.equal(house.present(guest.card, guest.unitName), 'superseded')
    // The card before is none of the stay any more, and proves nothing more.
    assert.equal(codeOf(await original(guest)), '403 kiosk-scope')
    assert.equal(codeOf(await shows(guest.card)), '403 kiosk-scope')
    assert.equal(codeOf(await leave(guest)), '403 kiosk-scope')
    assert.equal(codeOf(await shows(card)), '200')
    assert.equal(codeOf(await leave(guest)), '204')
  })

  it('has shown nothing by the card of another guest, a blank card, none, or one that was lost', async () => {
    const other = await guestWithCard(1003)
    const guest = await guestWithCard(1004)
    assert.equal(codeOf(await shows(other.card)), '403 kiosk-scope')
    assert.equal(codeOf(await shows(blank())), '403 kiosk-scope')
    assert.equal(codeOf(await shows(null)), '502 no-card')
    assert.equal(codeOf(await shows(guest.card)), '200')
    await house.ask('POST', `/api/v2/access/keys/${guest.keyId}/actions/block`)
    assert.equal(codeOf(await shows(guest.card)), '403 kiosk-scope')
    assert.equal(codeOf(await leave(guest)), '403 kiosk-scope')
  })

  it('has shown nothing by a copy: a kiosk makes it for who knows number and name', async () => {
    const guest = await guestWithCard(1011)
    const copy = await taken(original(guest, { original: false }))
    assert.equal(codeOf(await shows(copy.card)), '403 kiosk-scope')
    await returned(copy.card, copy.keyId)
    assert.equal(codeOf(await leave(guest)), '403 kiosk-scope')
    assert.equal(codeOf(await original(guest)), '403 kiosk-scope')
    assert.match(house.present(guest.card, guest.unitName), /^opened/)
  })

  it('has shown nothing by another card with the serial number, and ends no key by it', async () => {
    const guest = await guestWithCard(1012)
    const copied = { ...blank(), uid: guest.card.uid }
    assert.equal(codeOf(await shows(copied)), '403 kiosk-scope')
    assert.equal((await house.key(guest.keyId)).status, 'live')
    await house.ask('PUT', accepting(), { token: kiosk })
    assert.equal(insert(house.lobby.dispenser, copied), true)
    await idle(house)
    assert.equal(codeOf(await leave(guest)), '403 kiosk-scope')
  })

  it('does not learn by a card who has a stay, nor the language of its guest', async () => {
    const { externalId, path: stayPath } = await sampleStay(house, 1003)
    const guest = { externalId, id: stayPath.split('/').at(-1)! }
    await house.desk.read(blank())
    const path = `/api/v2/access/controllers/${house.desk.controllerId}/shown-card`
    const { body } = await house.ask('POST', '/api/config/v1/tokens', {
      body: { name: 'Inn', role: 'kiosk' },
    })
    const told = new Set<string>()
    for (const externalId of [guest.externalId, guest.id, 'NOBODY']) {
      const reply = await house.ask('PUT', path, { token: body.meta.token, body: { externalId } })
      const [{ meta, detail, code }] = reply.body.errors
      told.add(JSON.stringify([reply.status, code, detail, meta]))
    }
    assert.equal(told.size, 1, [...told].join('\n'))
  })

  it('has shown the card to this kiosk alone, and until the next search', async () => {
    const guest = await guestWithCard(1005)
    const { body } = await house.ask('POST', '/api/config/v1/tokens', {
      body: { name: 'Bar', role: 'kiosk' },
    })
    const bar = body.meta.token
    assert.equal(codeOf(await shows(guest.card, bar)), '403 kiosk-scope')
    await guestFound(house.ask, bar, guest.id)
    assert.equal(codeOf(await shows(guest.card, bar)), '200')
    assert.equal(codeOf(await leave(guest)), '403 kiosk-scope')
    await shows(guest.card)
    await guestFound(house.ask, kiosk, guest.id)
    assert.equal(codeOf(await leave(guest)), '403 kiosk-scope')
  })

  it('checks out by the card that the dispenser takes back', async () => {
    const guest = await guestWithCard(1006)
    // The guest looks for the card for some time.
    house.clock.advance(4.5 * minute)
    await returned(guest.card, guest.keyId, 0.75 * minute)
    assert.equal(codeOf(await leave(guest)), '204')
  })

  for (const [state, number] of [
    ['active', 1009],
    ['inactive', 1010],
  ] as const)
    it(`checks out by a card that was put in while the entry was closed by ${state}`, async () => {
      const guest = await guestWithCard(number)
      assert.equal((await house.ask('PUT', accepting(), { token: kiosk })).status, 204)
      assert.equal(insert(house.lobby.dispenser, guest.card), true)
      const path = accepting().replace('accepting', state)
      const token = state === 'active' ? { token: kiosk } : {}
      assert.equal((await house.ask('PUT', path, token)).status, 204)
      assert.equal((await house.dispenser()).commandedState, state)
      assert.equal((await house.key(guest.keyId)).status, 'removed')
      assert.equal(codeOf(await leave(guest)), '204')
      await house.ask('PUT', accepting().replace('accepting', 'active'))
      await idle(house)
    })
})

describe('a stay that the front desk has released', () => {
  it('gets one other original at a kiosk, and its hand-over is finished', async () => {
    const guest = await guestWithCard(1007)
    const handed = await house.ask('POST', `/api/v2/stays/${guest.id}/actions/hand-over`, { token: kiosk })
    assert.equal(handed.status, 201)
    const { body } = await release(guest)
    assert.equal(body.meta.until, new Date(house.clock.now() + 15 * minute).toISOString())
    const open = await house.ask('GET', '/api/v2/hand-overs', { token: desk })
    assert.deepEqual(open.body.data, [])
    house.clock.advance(minute)
    const { card } = await taken(original(guest))
    assert.equal(house.present(card, guest.unitName), 'opened-newer')
    assert.equal(codeOf(await original(guest)), '403 kiosk-scope')
    assert.equal(codeOf(await leave(guest)), '403 kiosk-scope', 'a card was made by it')
    const told = house.journal('stay.released').find(({ subject }) => subject.endsWith(guest.id))
    assert.deepEqual(told?.data, { until: body.meta.until })
  })

  it('is released for 15 minutes, to a guest who has found it', async () => {
    const guest = await guestWithCard(1008)
    await release(guest)
    const other = await guestWithCard(1009)
    assert.equal(
      codeOf(await original(guest)),
      '403 kiosk-scope',
      'the search for another has ended the proof',
    )
    assert.equal(codeOf(await leave(other)), '403 kiosk-scope')
    await guestFound(house.ask, kiosk, guest.id)
    assert.equal(codeOf(await leave(guest)), '403 kiosk-scope', 'the time is over')
    await release(guest)
    assert.equal(codeOf(await leave(guest)), '204')
    assert.equal(codeOf(await release(guest)), '409 stay-status-transition')
    const back = { body: { status: 'InHouse' }, token: desk }
    assert.equal((await house.ask('PATCH', guest.path, back)).status, 204)
    assert.equal(codeOf(await leave(guest)), '403 kiosk-scope', 'the release was used')
  })

  it('gets one card at a time, and another one when nobody has taken it', async () => {
    const guest = await guestWithCard(1010)
    await release(guest)
    house.lobby.dispenser.takenAfterMs = null
    const waiting = await original(guest)
    assert.equal(waiting.status, 201, waiting.text)
    await guestFound(house.ask, kiosk, guest.id)
    // It waits at the gate: whoever asks elsewhere now gets no second one.
    house.desk.card = blank()
    const second = await house.ask('POST', `/api/v2/access/controllers/${house.desk.controllerId}/key`, {
      body: { ...firstCard(guest.unitName), externalId: guest.externalId, endDate: '2026-06-02' },
      token: kiosk,
    })
    assert.equal(codeOf(second), '403 kiosk-scope')
    await settledKey(house, waiting.body.data.id)
    house.lobby.dispenser.takenAfterMs = 0
    await taken(original(guest))
    assert.equal(codeOf(await original(guest)), '403 kiosk-scope')
  })

  it('is released by nobody who may not make keys and check guests in', async () => {
    const id = (await sampleStay(house, 1010)).path.split('/').at(-1)
    for (const role of ['kiosk', 'housekeeping', 'installer', 'integrator']) {
      const token = await tokenOf(house.ask, role)
      const path = `/api/v2/stays/${id}/actions/release`
      assert.equal(codeOf(await house.ask('POST', path, { token })), '403 scope-required', role)
    }
    const narrow = { name: 'Keys', role: 'auditor', scopes: ['keys.issue'] }
    const { body } = await house.ask('POST', '/api/config/v1/tokens', { body: narrow })
    const { body: refused } = await house.ask('POST', `/api/v2/stays/${id}/actions/release`, {
      token: body.meta.token,
    })
    assert.deepEqual(refused.errors[0].meta, { scope: 'reservations.write' })
  })
})
