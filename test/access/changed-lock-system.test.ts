import assert from 'node:assert/strict'
import { it } from 'node:test'
import { keySystem } from '../../drivers/fias/simulator/key-system-simulator.ts'
import { lockPc } from '../../drivers/industry-standard/simulator/lock-pc.ts'
import { simulateLockPc } from '../../drivers/industry-standard/simulator/simulator.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { until } from './house-with-doors.ts'
import { houseWithPins } from './house-with-pins.ts'
import { sockets } from './sockets.ts'

it('a lock system is not left while its units are mapped anew and it makes a key', async (test) => {
  const house = await houseWithPins()
  test.after(() => house.stop())
  house.cloud.misbehaviours.push({ at: 'add', does: 'pass', code: 'held' })
  const making = house.make()
  await until(
    'the request',
    () => house.cloud.held.length,
    (count) => count > 0,
  )
  const path = `/api/config/v1/access-providers/${house.providerId}`
  const { unitMapping } = (await house.ask('GET', path)).body.data.attributes
  const body = { unitMapping: [...unitMapping, { unitName: '303', externalCode: '1003' }] }
  assert.equal((await house.ask('PATCH', path, { body })).status, 204)
  // This request uses the lock system as it is configured now.
  await house.ask('GET', `/api/v2/access/providers/${house.providerId}/capabilities`)
  house.cloud.held.shift()?.()
  const { status, text } = await making
  assert.equal(status, 201, text)
})

it('the line of a lock system that was deleted can be given to another', async (test) => {
  const house = await startAppliance()
  const plugs = sockets()
  const pc = lockPc({ clock: house.clock, rooms: ['101'], encoders: [1], shown: () => '202606011200' })
  const path = await plugs.plugInForOne((wire) => simulateLockPc(wire, pc))
  test.after(async () => {
    await house.stop()
    plugs.close()
  })
  const all = '/api/config/v1/access-providers'
  const create = async (name: string) => {
    const connection = { path, patience: 1 }
    const made = await house.ask('POST', all, { body: { name, driver: 'industry-standard', connection } })
    assert.equal(made.status, 201, made.text)
    return String(made.body.data.id)
  }
  const isOnline = (id: string) =>
    until(
      'the line',
      () => house.ask('GET', `/api/v2/access/providers/${id}/capabilities`),
      ({ body }) => body.data?.attributes.stale === false,
    )
  const first = await create('Locks')
  await isOnline(first)
  assert.equal((await house.ask('DELETE', `${all}/${first}`)).status, 204)
  await isOnline(await create('Other locks'))
})

/** A lock system with the rooms 101 and 102 whose encoder 1 does not answer the request for the first key, and answers later. */
interface Withheld {
  driver: string
  connection: Record<string, unknown>
  /** The requests for keys that it has received. */
  requests(): number
  answer(): void
}

const withheld: Record<
  string,
  (house: TestAppliance, plugs: ReturnType<typeof sockets>) => Promise<Withheld>
> = {
  async FIAS({ clock }, plugs) {
    const kss = keySystem({ clock, rooms: ['101', '102'], leavesOut: ['G#'] })
    kss.wanted = [
      ['KR', 'KCKTRNG#GDWS'],
      ['KA', 'ASKCWS$2'],
    ]
    kss.deeds.push({ at: 'KR', does: 'hold' })
    const path = await plugs.plugIn((wire) => kss.play(wire))
    return {
      driver: 'fias-key',
      connection: { direction: 'connect', path, patience: 1 },
      requests: () => kss.requests.filter(({ id }) => id === 'KR').length,
      answer: kss.release,
    }
  },
  async 'Industry Standard'({ clock }, plugs) {
    let answer = () => {}
    const pc = lockPc({
      clock,
      rooms: ['101', '102'],
      encoders: [1],
      shown: () => '202606011200',
      options: {
        answersOnNewest: true,
        knowsReset: false,
        nextCard: () => ({ uid: '04A1B2C3', holds: null }),
      },
    })
    pc.instead.push((send) => {
      answer = send
    })
    const path = await plugs.plugIn((wire) => simulateLockPc(wire, pc))
    return {
      driver: 'industry-standard',
      connection: { path, patience: 1 },
      requests: () => pc.requests.filter((text) => text.includes('CN1')).length,
      answer: () => answer(),
    }
  },
}

for (const [name, begin] of Object.entries(withheld)) {
  for (const what of [
    'the connection was changed',
    'the box started again',
    'its key was blocked and the box started again',
  ])
    it(`a late answer is not taken for that of the next key after ${what}: ${name}`, async (test) => {
      const house = await startAppliance()
      const plugs = sockets()
      test.after(async () => {
        await house.stop()
        plugs.close()
      })
      const { driver, connection, requests, answer } = await begin(house, plugs)
      const create = async (path: string, body: object) => {
        const made = await house.ask('POST', `/api/config/v1/${path}`, { body })
        assert.equal(made.status, 201, made.text)
        return String(made.body.data.id)
      }
      const unitMapping = ['101', '102'].map((unitName) => ({ unitName, externalCode: unitName }))
      const providerId = await create('access-providers', { name: 'Locks', driver, connection, unitMapping })
      const desk = { name: 'Desk', providerId, kind: 'encoder', keyType: 'keyCard', externalCode: '1' }
      const controllerId = await create('access-controllers', { ...desk, timeoutMs: 1_000 })
      const keyFor = (unitName: string) => {
        const dates = { startDate: '2026-06-01', endDate: '2026-06-03' }
        const body = { type: 'keyCard', unitName, original: true, ...dates }
        return house.ask('POST', `/api/v2/access/controllers/${controllerId}/key`, { body })
      }
      const isSent = () => requests() > 0
      await until('the first request', async () => !isSent() && (await keyFor('101')) && isSent(), Boolean)
      if (what === 'its key was blocked and the box started again') {
        const [doubted] = (await house.ask('GET', '/api/v2/access/keys?filter[unitName]=101')).body.data
        const blocked = await house.ask('POST', `/api/v2/access/keys/${doubted.id}/actions/block`)
        assert.equal(blocked.status, 200, blocked.text)
      }
      if (what.endsWith('the box started again')) await house.restart()
      else {
        const body = { connection: { ...connection, patience: 1.1 } }
        const changed = await house.ask('PATCH', `/api/config/v1/access-providers/${providerId}`, { body })
        assert.equal(changed.status, 204, changed.text)
      }
      const path = `/api/v2/access/providers/${providerId}/capabilities`
      await until(
        'the line',
        () => house.ask('GET', path),
        ({ body }) => body.data?.attributes.stale === false,
        // The late answer is waited for 60 s: little of them goes by with each look, however long the line takes.
        { mostMs: 20 },
      )
      const next = await keyFor('102')
      assert.equal(
        next.body.errors?.[0].code,
        driver === 'fias-key' ? 'lock-system-busy' : 'encoder-busy',
        next.text,
      )
      assert.equal(requests(), 1)
      answer()
      const later = await until(
        'the next key',
        () => keyFor('102'),
        ({ status }) => status === 201,
      )
      assert.equal(later.body.data.attributes.unitName, '102')
    })
}
