import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pms, type SimulatedFiasPms } from '../../../../drivers/fias/simulator/pms-simulator.ts'
import { type FrontDesk, frontDesk } from '../../../../drivers/fias/simulator/simulated-front-desk.ts'
import { type HouseWithDoors, houseWithDoors, idle, until } from '../../../access/house-with-doors.ts'
import { guestOf } from './guests.ts'
import { listening } from './pms-line.ts'

let house: HouseWithDoors
let foreign: SimulatedFiasPms
let desk: FrontDesk
let provider: string
let configuration: string
const endings: (() => unknown)[] = []
const longMs = 20_000

/** The sample property, whose guests a PMS tells and whose keys it orders over one line. */
before(async () => {
  house = await houseWithDoors()
  foreign = pms({ clock: house.clock })
  desk = frontDesk(foreign)
  const path = await listening({ after: (end: () => unknown) => void endings.push(end) }, foreign)
  const made = await house.ask('POST', '/api/config/v1/pms-configurations', {
    body: {
      name: 'Grand PMS',
      adapter: 'fias',
      conflictPolicy: { status: 'Pms' },
      connection: {
        direction: 'connect',
        path,
        patience: 1,
        sendsRooms: true,
        encoders: [{ code: '1', controllerId: house.controllerId }],
      },
    },
  })
  assert.equal(made.status, 201, made.text)
  provider = `/api/v2/pms/providers/${made.body.data.id}`
  configuration = `/api/config/v1/pms-configurations/${made.body.data.id}`
  await until(
    'a swap',
    () => desk.swaps,
    (swaps) => swaps > 0,
  )
})
after(async () => {
  await house.stop()
  for (const end of endings) await end()
})

interface Seen {
  status: string
  unitName: string | null
  startDate: string
  endDate: string
  names: string[]
}

/** The stay of this name as the house has it; null when it has none. */
async function stayOf(externalId: string): Promise<Seen | null> {
  const { body } = await house.ask('GET', `/api/v2/stays?filter[externalId]=${externalId}&include=profiles`)
  const [found] = body.data
  if (!found) return null
  const { status, startDate, endDate, units } = found.attributes
  const names = (body.included ?? []).map(
    ({ attributes }: { attributes: { firstName: string; lastName: string } }) =>
      `${attributes.firstName} ${attributes.lastName}`,
  )
  return { status, startDate, endDate, unitName: units[0]?.unitName ?? null, names }
}

const becomes = (externalId: string, isSo: (seen: Seen) => boolean) =>
  until(
    `the stay ${externalId}`,
    () => stayOf(externalId),
    (seen) => seen !== null && isSo(seen),
  )

async function orders(id: string, fields: Record<string, string>) {
  await idle(house)
  const answer = await house.during(foreign.ask(id, { KC: '1', WS: 'FRONT1', ...fields }, longMs))
  assert.ok(typeof answer === 'object', `no answer: ${answer}`)
  return answer.fields
}

const window = { GA: '260601', GD: '260603', DT: '11:00' }
const newest = () => house.lobby.dispenser.taken.at(-1)!
const keysOf = async (externalId: string) =>
  (await house.ask('GET', `/api/v2/access/keys?filter[externalId]=${externalId}&sort=createdAt`)).body.data

const statesOf = async (externalId: string) =>
  (await keysOf(externalId)).map(
    ({ attributes }: { attributes: { unitName: string; status: string } }) =>
      `${attributes.unitName} ${attributes.status}`,
  )
const openConflicts = async (): Promise<unknown[]> =>
  (await house.ask('GET', '/api/config/v1/sync-conflicts?filter[state]=open')).body?.data ?? []

describe('a house whose PMS tells its guests over FIAS', () => {
  it('has a guest in house who was checked in there, and makes his card when the PMS orders it', async () => {
    desk.checkIn(guestOf('4711', '301', { GN: 'García', GF: 'Sofía' }))
    const { AS, $2 } = await orders('KR', { KT: 'N', RN: '301', 'G#': '4711', ...window })
    assert.equal(AS, 'OK')
    assert.deepEqual(await stayOf('4711'), {
      status: 'InHouse',
      unitName: '301',
      startDate: '2026-06-01',
      endDate: '2026-06-03',
      names: ['Sofía García'],
    })
    await idle(house)
    assert.equal($2, newest().uid.toHex().toUpperCase())
    assert.equal(house.present(newest(), '301'), 'opened-newer')
  })

  it('has another room for him after a move, and takes his key away when he has left', async () => {
    desk.checkIn(guestOf('4712', '302'))
    await becomes('4712', ({ unitName }) => unitName === '302')
    desk.move('4712', '303')
    await becomes('4712', ({ unitName }) => unitName === '303')
    assert.equal((await orders('KR', { KT: 'N', RN: '303', 'G#': '4712', ...window })).AS, 'OK')
    const states = async () =>
      (await keysOf('4712')).map(({ attributes }: { attributes: { status: string } }) => attributes.status)
    await until('a key', states, (seen) => seen.join() === 'live')
    desk.checkOut('4712')
    await becomes('4712', ({ status }) => status === 'CheckedOut')
    assert.deepEqual(await states(), ['revocationPending'])
  })

  it('leaves a guest who holds a card where he is, until his key for the new room is ordered', async () => {
    desk.checkIn(guestOf('4720', '307'))
    assert.equal((await orders('KR', { KT: 'N', RN: '307', 'G#': '4720', ...window })).AS, 'OK')
    await idle(house)
    const old = newest()
    desk.move('4720', '308')
    const [open] = await until('a conflict', openConflicts, (rows) => rows.length > 0)
    assert.match(JSON.stringify(open), /308/)
    assert.equal((await stayOf('4720'))?.unitName, '307')
    assert.equal((await orders('KR', { KT: 'N', RN: '308', 'G#': '4720', ...window })).AS, 'OK')
    assert.equal((await stayOf('4720'))?.unitName, '308')
    assert.deepEqual(await openConflicts(), [])
    await idle(house)
    assert.equal(house.present(newest(), '308'), 'opened-newer')
    assert.deepEqual(await statesOf('4720'), ['307 revocationPending', '308 live'])
    desk.checkIn(guestOf('4721', '307'))
    assert.equal((await orders('KR', { KT: 'N', RN: '307', 'G#': '4721', ...window })).AS, 'OK')
    await idle(house)
    assert.equal(house.present(newest(), '307'), 'opened-newer')
    assert.equal(house.present(old, '307'), 'superseded')
  })

  it('moves a guest at once when his key for the new room is ordered in the same moment', async () => {
    desk.checkIn(guestOf('4722', '209'))
    assert.equal((await orders('KR', { KT: 'N', RN: '209', 'G#': '4722', ...window })).AS, 'OK')
    await idle(house)
    desk.move('4722', '210')
    assert.equal((await orders('KR', { KT: 'N', RN: '210', 'G#': '4722', ...window })).AS, 'OK')
    await becomes('4722', ({ unitName }) => unitName === '210')
    await until('its conflicts', openConflicts, (rows) => rows.length === 0)
  })

  it('makes no key for a room in which another guest is', async () => {
    desk.checkIn(guestOf('4723', '201'))
    desk.checkIn(guestOf('4724', '202'))
    await becomes('4724', ({ status }) => status === 'InHouse')
    assert.equal((await orders('KR', { KT: 'N', RN: '201', 'G#': '4723', ...window })).AS, 'OK')
    await idle(house)
    const made = house.lobby.dispenser.taken.length
    for (const RN of ['202', '201']) {
      const number = RN === '202' ? '4723' : '4724'
      const { AS, CT } = await orders('KR', { KT: 'N', RN, 'G#': number, ...window })
      assert.deepEqual([AS, CT], ['UR', 'Another guest is in house in this room'])
    }
    assert.equal(house.lobby.dispenser.taken.length, made)
  })

  for (const [first, second] of [
    ['4725', '4726'],
    ['4727', '4728'],
  ] as const)
    it(`has two guests in each other’s rooms who are swapped: ${first} first`, async () => {
      const rooms = first === '4725' ? (['203', '204'] as const) : (['206', '205'] as const)
      desk.checkIn(guestOf(first, rooms[0]))
      desk.checkIn(guestOf(second, rooms[1]))
      await becomes(first, ({ status }) => status === 'InHouse')
      await becomes(second, ({ status }) => status === 'InHouse')
      desk.move(first, rooms[1])
      desk.move(second, rooms[0])
      await becomes(first, ({ unitName }) => unitName === rooms[1])
      await becomes(second, ({ unitName }) => unitName === rooms[0])
      await until('their conflicts', openConflicts, (rows) => rows.length === 0)
    })

  it('has two guests swapped who have cards once one of the cards is taken back', async () => {
    for (const [number, RN] of [
      ['4729', '207'],
      ['4730', '208'],
    ] as const) {
      desk.checkIn(guestOf(number, RN))
      assert.equal((await orders('KR', { KT: 'N', RN, 'G#': number, ...window })).AS, 'OK')
    }
    await idle(house)
    desk.move('4729', '208')
    desk.move('4730', '207')
    await until('two conflicts', openConflicts, (rows) => rows.length === 2)
    const moved = { KT: 'N', RN: '208', 'G#': '4729', ...window }
    assert.equal((await orders('KR', moved)).AS, 'UR')
    assert.equal((await orders('KD', { RN: '208', 'G#': '4730' })).AS, 'OK')
    assert.equal((await orders('KR', moved)).AS, 'OK')
    await idle(house)
    assert.equal(house.present(newest(), '208'), 'opened-newer')
    assert.equal((await orders('KR', { ...moved, RN: '207', 'G#': '4730' })).AS, 'OK')
    await idle(house)
    assert.equal(house.present(newest(), '207'), 'opened-newer')
    assert.deepEqual(
      [(await stayOf('4729'))?.unitName, (await stayOf('4730'))?.unitName, await openConflicts()],
      ['208', '207', []],
    )
    assert.deepEqual(await statesOf('4729'), ['207 revocationPending', '208 live'])
  })

  it('gives those who share a room copies of one key', async () => {
    desk.checkIn(guestOf('4713', '304', { GS: 'Y', GN: 'Ahl' }))
    desk.checkIn(guestOf('4714', '304', { GS: 'Y', GN: 'Bru' }))
    assert.equal((await orders('KR', { KT: 'N', RN: '304', 'G#': '4713', ...window })).AS, 'OK')
    assert.equal((await orders('KR', { KT: 'D', RN: '304', 'G#': '4714', ...window })).AS, 'OK')
    await becomes('4713', ({ names }) => names.length === 2)
    assert.equal((await keysOf('4713')).length, 2)
    const answer = await orders('KD', { RN: '304', 'G#': '4714' })
    assert.deepEqual([answer.AS, answer.CT], ['UR', 'Room shared: a new key ends the others'])
  })

  it('does not say that the key of one who shares a room is gone when he has left', async () => {
    desk.checkIn(guestOf('4731', '309', { GS: 'Y', GN: 'Ahl' }))
    desk.checkIn(guestOf('4732', '309', { GS: 'Y', GN: 'Bru' }))
    assert.equal((await orders('KR', { KT: 'N', RN: '309', 'G#': '4731', ...window })).AS, 'OK')
    assert.equal((await orders('KR', { KT: 'D', RN: '309', 'G#': '4732', ...window })).AS, 'OK')
    desk.checkOut('4732')
    const first = await orders('KD', { RN: '309', 'G#': '4732' })
    assert.deepEqual([first.AS, first.CT], ['UR', 'Room shared: a new key ends the others'])
    assert.deepEqual(await statesOf('4731'), ['309 live', '309 live'])
    desk.checkOut('4731')
    await becomes('4731', ({ status }) => status === 'CheckedOut')
    const last = await orders('KD', { RN: '309', 'G#': '4732' })
    assert.deepEqual([last.AS, last.CT], ['OK', 'Noted; the card works until it is ended'])
  })

  it('does not say that the former key of one who shared a room is gone when he has moved', async () => {
    desk.checkIn(guestOf('4733', '104', { GS: 'Y', GN: 'Ahl' }))
    desk.checkIn(guestOf('4734', '104', { GS: 'Y', GN: 'Bru' }))
    assert.equal((await orders('KR', { KT: 'N', RN: '104', 'G#': '4733', ...window })).AS, 'OK')
    assert.equal((await orders('KR', { KT: 'D', RN: '104', 'G#': '4734', ...window })).AS, 'OK')
    desk.move('4734', '105')
    await becomes('4734', ({ unitName }) => unitName === '105')
    const answer = await orders('KD', { RN: '104', 'G#': '4734' })
    assert.deepEqual([answer.AS, answer.CT], ['UR', 'Room shared: a new key ends the others'])
    assert.deepEqual(await statesOf('4733'), ['104 live', '104 live'])
  })

  it('learns of what happened while the line was cut', async () => {
    desk.checkIn(guestOf('4715', '305'))
    await becomes('4715', ({ status }) => status === 'InHouse')
    desk.isReporting = false
    foreign.drop()
    desk.checkOut('4715')
    desk.checkIn(guestOf('4716', '305'))
    desk.isReporting = true
    await becomes('4716', ({ status }) => status === 'InHouse')
    assert.equal((await stayOf('4715'))?.status, 'CheckedOut')
  })

  it('knows who has left while it was off', async () => {
    desk.checkIn(guestOf('4717', '306'))
    await becomes('4717', ({ status }) => status === 'InHouse')
    desk.isReporting = false
    await house.restart()
    desk.checkOut('4717')
    desk.isReporting = true
    await becomes('4717', ({ status }) => status === 'CheckedOut')
  })

  it('quarantines what it cannot read, for somebody to look at', async () => {
    foreign.post(['GI', { RN: '307', GA: '260601', GD: '260602' }])
    const seen = await until(
      'what was quarantined',
      async () => (await house.ask('GET', '/api/config/v1/quarantined-messages')).body?.data ?? [],
      (rows) => rows.length > 0,
    )
    assert.match(JSON.stringify(seen), /GI: G#, the number of the reservation, is missing/)
  })

  it('receives the statuses of the units, those that change as well', async () => {
    const { body } = await house.ask('GET', '/api/v2/units?page[size]=100')
    const unit = body.data.find(
      ({ attributes }: { attributes: { status: string } }) => attributes.status === 'Clean',
    )
    const statusOf = () =>
      foreign.received.findLast(({ id, fields }) => id === 'RE' && fields.RN === unit.attributes.name)?.fields
        .RS
    assert.ok(['3', '4'].includes(String(statusOf())), String(statusOf()))
    await house.ask('PATCH', `/api/v2/units/${unit.id}`, { body: { status: 'Dirty' } })
    await house.ask('POST', `${configuration}/actions/pull`)
    await until('RE', statusOf, (RS) => RS === '1' || RS === '2')
  })

  it('shows how the line is, has everything reported anew, and sends what the maid says', async () => {
    const { body } = await house.ask('GET', `${provider}/extensions/link`)
    assert.ok(JSON.stringify(body).includes('"line":"online"'), JSON.stringify(body))
    const before = desk.swaps
    const swapped = await house.ask('POST', `${provider}/extensions/database-swap`, { body: {} })
    assert.equal(swapped.status, 200, swapped.text)
    assert.equal(desk.swaps, before + 1)
    const answer = await house.ask('POST', `${provider}/extensions/room-status`, {
      body: { unitName: '310', status: 'Clean' },
    })
    assert.equal(answer.status, 200, answer.text)
    await until(
      'RE',
      () => foreign.received.findLast(({ id }) => id === 'RE')?.fields,
      (fields) => fields?.RN === '310' && fields.RS === '3',
    )
    const wrong = await house.ask('POST', `${provider}/extensions/room-status`, {
      body: { unitName: 'none', status: 'Clean' },
    })
    assert.equal(wrong.status, 422)
  })
})
