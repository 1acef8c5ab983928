import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { bookOf } from '../../drivers/fias/simulator/key-book.ts'
import { keySystem } from '../../drivers/fias/simulator/key-system-simulator.ts'
import { type LockPc, opening } from '../../drivers/industry-standard/simulator/lock-pc.ts'
import { type Reply, startAppliance, type TestAppliance } from '../appliance.ts'
import fc from '../seed.ts'
import { passTime } from '../test-clock.ts'
import { creator } from './faults-online.ts'
import { until } from './house-with-doors.ts'
import { lockPcDesk } from './lock-pc-desk.ts'
import { sockets } from './sockets.ts'

/** An instant of Lisbon in June 2026. */
const lisbon = (day: number, time: string) =>
  Date.parse(`2026-06-${String(day).padStart(2, '0')}T${time}:00+01:00`)
const shown = (instant: number) =>
  new Date(instant + 3_600_000).toISOString().replaceAll(/[-T:]/g, '').slice(0, 12)
const minuteMs = 60_000
/** Some turns of the work that ends keys. */
const someTurnsMs = 8_000

const isDead = ({ mayOpen }: Record<string, unknown>) => mayOpen === false

/** Sees a key at moments before the end at its lock, at which it may open, and after it, at which it is proven dead. */
async function expectEnd(house: TestAppliance, id: string, endsAtLock: number, moments: readonly number[]) {
  const key = async () => (await house.ask('GET', `/api/v2/access/keys/${id}`)).body.data.attributes
  for (const moment of moments) {
    house.clock.set(moment)
    await passTime(someTurnsMs)
    const { status, mayOpen, proof } = await key()
    assert.deepEqual([status, mayOpen, proof], ['live', true, null], new Date(moment).toISOString())
  }
  house.clock.set(endsAtLock + 16 * minuteMs)
  const { status, proof } = await until('the end', key, isDead)
  assert.deepEqual([status, proof], ['expired', 'validity-over'])
}

describe('an Industry Standard lock system whose cards have full hours', () => {
  let house: TestAppliance
  let pc: LockPc
  let desk: string
  let providerId: string
  const plugs = sockets()
  before(async () => {
    house = await startAppliance()
    const found = await lockPcDesk(house, plugs, { rooms: ['101', '102', '103', '104'] })
    ;({ pc, desk, providerId } = found)
  })
  after(async () => {
    await house.stop()
    plugs.close()
  })
  const path = () => `/api/v2/access/controllers/${desk}`
  const opens = (room: string, at = house.clock.now()) => opening(pc, room, shown(at)).length > 0

  async function card(unitName: string, day: number, endTime: string): Promise<string> {
    house.clock.set(lisbon(day - 1, '17:00'))
    const dates = { startDate: `2026-06-0${day - 1}`, endDate: `2026-06-0${day}`, endTime }
    const body = { type: 'keyCard', original: true, ...dates, unitName }
    const made = await house.ask('POST', `${path()}/key`, { body })
    assert.equal(made.status, 201, made.text)
    return made.body.data.id
  }

  it('has a card until the end of its hour, and so long it may open', async () => {
    const id = await card('101', 2, '11:10')
    const late = lisbon(2, '11:59')
    assert.deepEqual([opens('101', late), opens('101', lisbon(2, '12:01'))], [true, false])
    await expectEnd(house, id, lisbon(2, '12:00'), [lisbon(2, '11:09'), lisbon(2, '11:26'), late])
  })

  it('has a card that opens once until the end of its hour', async () => {
    house.clock.set(lisbon(3, '11:01'))
    const made = await house.ask('POST', `${path()}/one-shot-key`, { body: { unitName: '102', minutes: 5 } })
    assert.equal(made.status, 201, made.text)
    assert.equal(opens('102', lisbon(3, '11:50')), true)
    await expectEnd(house, made.body.data.id, lisbon(3, '12:00'), [lisbon(3, '11:25'), lisbon(3, '11:50')])
  })

  it('never has a card longer than it is said to open, at whatever minute it ends', async () => {
    const minute = fc.integer({ min: 0, max: 59 })
    for (const at of [0, 1, 59, ...fc.sample(minute, 3)]) {
      const id = await card('103', 5, `11:${String(at).padStart(2, '0')}`)
      const hour = at === 0 ? '11:00' : '12:00'
      const moments = [lisbon(5, hour) - minuteMs, lisbon(5, hour) + 14 * minuteMs]
      await expectEnd(house, id, lisbon(5, hour), moments)
      assert.equal(opens('103'), false)
    }
  })

  it('has a card that comes back when the clock is set back into that hour', async () => {
    const id = await card('104', 7, '11:10')
    await expectEnd(house, id, lisbon(7, '12:00'), [])
    house.clock.set(lisbon(7, '11:30'))
    const key = async () => (await house.ask('GET', `/api/v2/access/keys/${id}`)).body.data.attributes
    const { status, proof } = await until('the key', key, ({ mayOpen }) => mayOpen)
    assert.deepEqual([status, proof, opens('104')], ['live', null, true])
  })

  for (const [day, whose] of [
    [4, 'property'],
    [6, 'lock system'],
  ] as const)
    it(`has a card until its local time in the zone that the ${whose} really has`, async () => {
      const [house0] = (await house.ask('GET', '/api/config/v1/settings')).body.data
      const path = whose === 'property' ? `settings/${house0.id}` : `access-providers/${providerId}`
      const zone = async (timeZone: string | null) =>
        assert.equal((await house.ask('PATCH', `/api/config/v1/${path}`, { body: { timeZone } })).status, 204)
      await zone('Europe/Helsinki')
      // The end of the stay is an instant of the property; in the text for the locks it is two hours later.
      const id = await card('101', day, whose === 'property' ? '11:00' : '09:00')
      const early = lisbon(day, '09:30')
      await zone(whose === 'property' ? 'Europe/Lisbon' : null)
      assert.deepEqual(
        [opens('101', lisbon(day, '10:59')), opens('101', lisbon(day, '11:01'))],
        [true, false],
      )
      await expectEnd(house, id, lisbon(day, '11:00'), [early, lisbon(day, '10:59')])
    })

  it('lists a lost card until the end at its lock', async () => {
    const id = await card('102', 9, '11:10')
    assert.equal((await house.ask('POST', `/api/v2/access/keys/${id}/actions/block`)).status, 200)
    house.clock.set(lisbon(9, '11:30'))
    await passTime(someTurnsMs)
    const { body } = await house.ask('GET', '/api/v2/access/units-with-older-keys')
    const [line] = body.data.map((each: { attributes: object }) => each.attributes)
    assert.deepEqual([line.unitName, Date.parse(line.until)], ['102', lisbon(9, '12:01')])
  })
})

describe('a key system over FIAS', () => {
  const plugs = sockets()
  let house: TestAppliance
  let desk: string
  let cards = 0
  const book = bookOf(['101', '102'], () => `AA${String(++cards).padStart(6, '0')}`)
  after(() => plugs.close())
  afterEach(() => house.stop())

  /** One that wants these fields of a key. */
  async function start(fields: string): Promise<void> {
    house = await startAppliance()
    const system = keySystem({
      clock: house.clock,
      book,
      shown: () => {
        const text = shown(house.clock.now())
        return { DA: text.slice(2, 8), TI: `${text.slice(8)}00` }
      },
      wanted: [
        ['KR', fields],
        ['KD', 'KCRNWSDATIG#'],
        ['KA', 'ASKCWSCTDATIG#$2$3'],
      ],
    })
    const wire = await plugs.plugIn((each) => system.play(each))
    const create = creator(house.ask)
    const providerId = await create('access-providers', {
      name: 'Fias',
      driver: 'fias-key',
      connection: { path: wire, direction: 'connect', framing: 'tcp', patience: 0.1 },
      unitMapping: ['101', '102'].map((name) => ({ unitName: name, externalCode: name })),
    })
    const encoder = { kind: 'encoder', keyType: 'keyCard', timeoutMs: 4_000, externalCode: '1' }
    desk = await create('access-controllers', { name: 'Desk', providerId, ...encoder })
  }

  const withTime = 'KCKTRNWSDATIG#GNGAGDDTKOSI'
  const withoutTime = 'KCKTRNWSDATIG#GNGAGDKOSI'
  const made = (what: string, body: object): Promise<Reply> =>
    until(
      what,
      () => house.ask('POST', `/api/v2/access/controllers/${desk}/${what}`, { body }),
      ({ status }) => status !== 502,
    )
  const toNine = { startDate: '2026-06-01', endDate: '2026-06-02', endTime: '09:00', unitName: '101' }

  for (const [title, fields, end, moments] of [
    ['that takes the time has a card until then', withTime, '09:00', ['09:14']],
    ['that takes only the day has a card until its end', withoutTime, '24:00', ['09:20', '18:00', '23:59']],
  ] as const)
    it(title, async () => {
      await start(fields)
      const card = { type: 'keyCard', original: true, ...toNine }
      // Before it has said what it takes, the end of the day is assumed.
      await made('key', { ...card, unitName: '102' })
      const { status, body, text } = await made('key', card)
      assert.equal(status, 201, text)
      assert.equal(book.opens('101').at(-1)?.untilTime, fields === withTime ? '09:00' : null)
      const endsAtLock = end === '24:00' ? lisbon(3, '00:00') : lisbon(2, end)
      await expectEnd(
        house,
        body.data.id,
        endsAtLock,
        moments.map((time) => lisbon(2, time)),
      )
    })

  it('has a card that opens once until the end of the day, whatever it takes', async () => {
    await start(withTime)
    const { status, body, text } = await made('one-shot-key', { unitName: '102' })
    assert.equal(status, 201, text)
    assert.equal(book.opens('102').at(-1)?.untilTime, null)
    await expectEnd(house, body.data.id, lisbon(2, '00:00'), [lisbon(1, '18:00'), lisbon(1, '23:59')])
  })
})
