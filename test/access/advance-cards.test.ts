import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { startAppliance } from '../appliance.ts'
import fc from '../seed.ts'
import { type Guest, guestsOfUnits } from './guests-of-units.ts'
import { type HouseWithDesk, houseWithDesk } from './house-with-desk.ts'
import { idle, serve, until } from './house-with-doors.ts'
import { lockPcDesk } from './lock-pc-desk.ts'
import { sockets } from './sockets.ts'

const inside = { startDate: '2026-06-01', endDate: '2026-06-05' }
const later = { startDate: '2026-06-03', endDate: '2026-06-05' }
const word = { meta: { confirm: true, reason: 'The cards of the group are made today.' } }
const opened = /^opened/
type Served = Awaited<ReturnType<typeof serve>>

interface Advance {
  house: HouseWithDesk
  /** The guest in 201, with a card, and the next one, with a card that was made in advance. */
  guest: Guest
  own: Served
  next: Guest
  advance: Served
  statuses(...served: Served[]): Promise<unknown[]>
  become(guest: Guest, status: string): Promise<void>
  /** The clock goes to when the advance card is due. */
  due(): Promise<void>
}

async function advance(t: TestContext): Promise<Advance> {
  const house = await houseWithDesk()
  t.after(() => house.stop())
  const guests = await guestsOfUnits(house.ask)
  const guest = await guests.booked('201', 1, 3)
  await guests.become(guest, 'InHouse')
  const own = await serve(house, '201', { ...inside, externalId: guest.externalId })
  assert.match(house.present(own.card, '201'), opened)
  const next = await guests.booked('201', 3, 5)
  const made = await serve(house, '201', { ...later, externalId: next.externalId, ...word })
  assert.equal(house.present(made.card, '201'), 'too-early')
  return {
    house,
    guest,
    own,
    next,
    advance: made,
    statuses: (...served) => Promise.all(served.map(async ({ id }) => (await house.key(id)).status)),
    become: guests.become,
    async due() {
      const { validFrom } = await house.key(made.id)
      house.clock.advance(Date.parse(String(validFrom)) - house.clock.now())
    },
  }
}

const newest = ({ lobby }: HouseWithDesk) => lobby.dispenser.taken.at(-1)!

/** The cards that end no other. */
const beside = {
  'one-shot key': ({ house }: Advance) =>
    house.ask('POST', `/api/v2/access/controllers/${house.controllerId}/one-shot-key`, {
      body: { unitName: '201', ...word },
    }),
  spare: ({ house }: Advance) =>
    house.ask('POST', `/api/v2/access/controllers/${house.controllerId}/spare-keys`, {
      body: { units: ['201'], ...word },
    }),
  copy: ({ house, guest }: Advance) =>
    house.issue('201', { ...inside, original: false, externalId: guest.externalId }),
  'nameless copy': ({ house }: Advance) => house.issue('201', { ...inside, original: false, ...word }),
} as const
type Beside = keyof typeof beside

async function opensBeside(all: Advance, kind: Beside): Promise<void> {
  const made = await beside[kind](all)
  assert.equal(made.status, 201, `${kind}: ${made.text}`)
  await idle(all.house)
  for (const card of [newest(all.house), all.own.card])
    assert.match(all.house.present(card, '201'), opened, kind)
}

describe('a card that was made in advance', () => {
  it('leaves the key of the guest inside live until it is due, and ends it then', async (t) => {
    const all = await advance(t)
    const { own, statuses } = all
    assert.deepEqual(await statuses(own, all.advance), ['live', 'live'])
    await all.due()
    await until(
      'superseded',
      () => statuses(own, all.advance),
      ([status]) => status !== 'live',
    )
    assert.deepEqual(await statuses(own, all.advance), ['superseded', 'live'])
    assert.match(all.house.present(all.advance.card, '201'), opened)
    assert.equal(all.house.present(own.card, '201'), 'superseded')
  })

  for (const kind of Object.keys(beside) as Beside[])
    it(`does not lend its number to a card for the guest inside: ${kind}`, async (t) => {
      const all = await advance(t)
      await opensBeside(all, kind)
      assert.deepEqual(await all.statuses(all.own, all.advance), ['live', 'live'])
    })

  it('does not do so for any of several cards, and opens when it is due', async (t) => {
    const kinds = fc.array(fc.constantFrom(...(Object.keys(beside) as Beside[])), {
      minLength: 4,
      maxLength: 6,
    })
    const all = await advance(t)
    for (const kind of fc.sample(kinds, 1)[0]!) await opensBeside(all, kind)
    await all.due()
    assert.match(all.house.present(all.advance.card, '201'), opened)
  })

  it('lends its number once it is due', async (t) => {
    const all = await advance(t)
    const { house } = all
    await all.due()
    assert.equal((await beside['one-shot key'](all)).status, 201)
    await idle(house)
    for (const card of [newest(house), all.advance.card]) assert.match(house.present(card, '201'), opened)
  })

  it('ends an earlier card of its kind at once', async (t) => {
    const all = await advance(t)
    const { house, next } = all
    const second = await serve(house, '201', { ...later, externalId: next.externalId, ...word })
    assert.deepEqual(await all.statuses(all.own, all.advance, second), ['live', 'superseded', 'live'])
  })

  it('is ended by a later card of the guest inside', async (t) => {
    const all = await advance(t)
    const { house, guest } = all
    const another = await serve(house, '201', { ...inside, externalId: guest.externalId })
    assert.match(house.present(another.card, '201'), opened)
    assert.deepEqual(await all.statuses(all.own, all.advance, another), ['superseded', 'superseded', 'live'])
    await all.due()
    assert.equal(house.present(all.advance.card, '201'), 'superseded')
  })

  it('does not keep the key of the guest inside from coming back after an undone check-out', async (t) => {
    const all = await advance(t)
    await all.become(all.guest, 'CheckedOut')
    await all.become(all.guest, 'InHouse')
    assert.deepEqual(await all.statuses(all.own, all.advance), ['live', 'live'])
    assert.match(all.house.present(all.own.card, '201'), opened)
  })

  it('ends older keys also when the box was off at its time', async (t) => {
    const all = await advance(t)
    const { house, own } = all
    const close = house.appliance.close.bind(house.appliance)
    house.appliance.close = async () => {
      await close()
      house.clock.advance(2.5 * 86_400_000)
    }
    await house.restart()
    await until(
      'superseded',
      () => all.statuses(own),
      ([status]) => status === 'superseded',
    )
    assert.deepEqual(await all.statuses(all.advance), ['live'])
  })
})

it('a lock system that counts its keys ends the older one at once', async (t) => {
  const plugs = sockets()
  const house = await startAppliance()
  t.after(async () => {
    await house.stop()
    plugs.close()
  })
  const { desk } = await lockPcDesk(house, plugs, { rooms: ['101'] })
  const make = (dates: object) =>
    house.ask('POST', `/api/v2/access/controllers/${desk}/key`, {
      body: { type: 'keyCard', original: true, unitName: '101', ...dates, ...word },
    })
  const first = await make(inside)
  const second = await make(later)
  assert.deepEqual([first.status, second.status], [201, 201], second.text)
  const { body } = await house.ask('GET', `/api/v2/access/keys/${first.body.data.id}`)
  assert.equal(body.data.attributes.status, 'superseded')
})
