import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pms, type SimulatedPms } from '../../../drivers/fias/pms-simulator.ts'
import { type FrontDesk, frontDesk } from '../../../drivers/fias/simulated-front-desk.ts'
import { type HouseWithDoors, houseWithDoors, idle, until } from '../../access/house-with-doors.ts'
import { guestOf } from './guests.ts'
import { listening } from './pms-line.ts'

let house: HouseWithDoors
let foreign: SimulatedPms
let desk: FrontDesk
let provider: string
const endings: (() => unknown)[] = []
const longMs = 20_000

/** The sample property, whose guests a PMS tells and whose keys it orders over one line. */
before(async () => {
  house = await houseWithDoors()
  foreign = pms()
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
        patience: 0.1,
        encoders: [{ code: '1', controllerId: house.controllerId }],
      },
    },
  })
  assert.equal(made.status, 201, made.text)
  provider = `/api/v2/pms/providers/${made.body.data.id}`
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
  const answer = await foreign.ask(id, { KC: '1', WS: 'FRONT1', ...fields }, longMs)
  assert.ok(typeof answer === 'object', `no answer: ${answer}`)
  return answer.fields
}

const window = { GA: '260601', GD: '260603', DT: '11:00' }
const newest = () => house.lobby.dispenser.taken.at(-1)!
const keysOf = async (externalId: string) =>
  (await house.ask('GET', `/api/v2/access/keys?filter[externalId]=${externalId}&sort=createdAt`)).body.data

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

  it('leaves a guest who holds a card where he is when he is moved there, until somebody decides', async () => {
    desk.checkIn(guestOf('4720', '307'))
    assert.equal((await orders('KR', { KT: 'N', RN: '307', 'G#': '4720', ...window })).AS, 'OK')
    desk.move('4720', '308')
    const open = await until(
      'a conflict',
      async () => (await house.ask('GET', '/api/config/v1/sync-conflicts')).body?.data ?? [],
      (rows) => rows.length > 0,
    )
    assert.match(JSON.stringify(open), /308/)
    assert.equal((await stayOf('4720'))?.unitName, '307')
  })

  it('gives those who share a room copies of one key', async () => {
    desk.checkIn(guestOf('4713', '304', { GS: 'Y', GN: 'Ahl' }))
    desk.checkIn(guestOf('4714', '304', { GS: 'Y', GN: 'Bru' }))
    assert.equal((await orders('KR', { KT: 'N', RN: '304', 'G#': '4713', ...window })).AS, 'OK')
    assert.equal((await orders('KR', { KT: 'D', RN: '304', 'G#': '4714', ...window })).AS, 'OK')
    await becomes('4713', ({ names }) => names.length === 2)
    assert.equal((await keysOf('4713')).length, 2)
    const told = await orders('KD', { RN: '304', 'G#': '4714' })
    assert.deepEqual([told.AS, told.CT], ['UR', 'Room shared: a new key ends the others'])
  })

  it('learns of what happened while the line was cut', async () => {
    desk.checkIn(guestOf('4715', '305'))
    await becomes('4715', ({ status }) => status === 'InHouse')
    desk.isTelling = false
    foreign.drop()
    desk.checkOut('4715')
    desk.checkIn(guestOf('4716', '305'))
    desk.isTelling = true
    await becomes('4716', ({ status }) => status === 'InHouse')
    assert.equal((await stayOf('4715'))?.status, 'CheckedOut')
  })

  it('knows who has left while it was off', async () => {
    desk.checkIn(guestOf('4717', '306'))
    await becomes('4717', ({ status }) => status === 'InHouse')
    desk.isTelling = false
    await house.restart()
    desk.checkOut('4717')
    desk.isTelling = true
    await becomes('4717', ({ status }) => status === 'CheckedOut')
  })

  it('puts aside what it cannot read, for somebody to look at', async () => {
    foreign.post(['GI', { RN: '307', GA: '260601', GD: '260602' }])
    const seen = await until(
      'what was put aside',
      async () => (await house.ask('GET', '/api/config/v1/quarantined-messages')).body?.data ?? [],
      (rows) => rows.length > 0,
    )
    assert.match(JSON.stringify(seen), /GI: G#, the number of the reservation, is missing/)
  })

  it('tells how the line is, has everything told anew, and tells what the maid says', async () => {
    const { body } = await house.ask('GET', `${provider}/extensions/link`)
    assert.ok(JSON.stringify(body).includes('"line":"online"'), JSON.stringify(body))
    const before = desk.swaps
    const swapped = await house.ask('POST', `${provider}/extensions/database-swap`, { body: {} })
    assert.equal(swapped.status, 200, swapped.text)
    assert.equal(desk.swaps, before + 1)
    const told = await house.ask('POST', `${provider}/extensions/room-status`, {
      body: { unitName: '310', status: 'Clean' },
    })
    assert.equal(told.status, 200, told.text)
    await until(
      'RE',
      () => foreign.heard.find(({ id }) => id === 'RE')?.fields,
      (fields) => fields?.RN === '310' && fields.RS === '3',
    )
    const wrong = await house.ask('POST', `${provider}/extensions/room-status`, {
      body: { unitName: 'none', status: 'Clean' },
    })
    assert.equal(wrong.status, 422)
  })
})
