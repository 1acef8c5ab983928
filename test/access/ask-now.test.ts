import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Attempts, pauses } from '../../src/access/providers/pauses.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { virtualClock } from '../../src/host/virtual-clock.ts'
import { until } from './house-with-doors.ts'
import { type HouseWithPins, houseWithPins } from './house-with-pins.ts'

const longestPauseMs = 600_000

interface Listed {
  keyId: string
  attempts: number | null
  nextAttemptAt: string | null
}

describe('a PIN whose revocation the lock system does not confirm', () => {
  let house: HouseWithPins

  before(async () => {
    house = await houseWithPins()
  })
  after(() => house?.stop())

  const listed = async (id: string): Promise<Listed | undefined> => {
    const { body } = await house.ask('GET', '/api/v2/access/units-with-older-keys')
    const keys: Listed[] = body.data.flatMap(
      ({ attributes }: { attributes: { keys: Listed[] } }) => attributes.keys,
    )
    return keys.find(({ keyId }) => keyId === id)
  }
  const askNow = (id: string) => house.ask('POST', `/api/v2/access/keys/${id}/actions/ask-now`)
  const failed = (id: string, times: number) =>
    until(
      `attempt ${times}`,
      () => listed(id),
      (key) => key?.attempts === times,
    )

  /** A PIN that is revoked while its gateway is away, after so many attempts. */
  async function unconfirmed(times: number): Promise<{ id: string; nextAt: number }> {
    const { body } = await house.make({ unitName: '302' })
    const { id } = body.data
    house.cloud.gateways.get('second')!.online = false
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${id}`)).status, 204)
    let key = await failed(id, 1)
    for (let time = 2; time <= times; time++) {
      house.clock.advance(longestPauseMs)
      key = await failed(id, time)
    }
    return { id, nextAt: Date.parse(key!.nextAttemptAt!) }
  }

  it('shows how often it was asked, and when it is asked next', async () => {
    const { nextAt } = await unconfirmed(2)
    const ahead = nextAt - house.clock.now()
    assert.ok(ahead > 0 && ahead <= 20_000, `${ahead}`)
    house.cloud.gateways.get('second')!.online = true
  })

  it('is asked at once, and leaves the list', async () => {
    const { id, nextAt } = await unconfirmed(6)
    house.cloud.gateways.get('second')!.online = true
    house.clock.advance(5_000)
    const asked = await askNow(id)
    assert.deepEqual([asked.status, asked.body.data.id, asked.body.meta.attempts], [200, id, 6], asked.text)
    const row = await until(
      'the proof',
      () => house.key(id),
      ({ proof }) => proof === 'lock-acknowledged',
    )
    assert.ok(house.clock.now() < nextAt, 'the pause was over')
    assert.deepEqual([row.status, row.mayOpen], ['removed', false])
    assert.equal(await listed(id), undefined)
    // The same again changes nothing.
    const again = await askNow(id)
    assert.deepEqual([again.status, again.body.meta], [200, { attempts: null, nextAttemptAt: null }])
    assert.equal(again.body.data.attributes.proof, 'lock-acknowledged')
  })

  it('is asked about by nobody who may not block a key', async () => {
    const { body } = await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'k', role: 'kiosk' } })
    const { id } = (await house.make({ unitName: '301' })).body.data
    const refused = await house.ask('POST', `/api/v2/access/keys/${id}/actions/ask-now`, {
      token: body.meta.token,
    })
    assert.equal(refused.status, 403)
  })
})

describe('a pause that a person ends', () => {
  const clock = virtualClock(Date.UTC(2026, 5, 1))
  const pausing = pauses(clock, (error) => assert.fail(String(error)))
  let asked = 0
  const attempt = () =>
    pausing.unlessPaused('key', async () => {
      asked++
      throw new DeviceFault('lock-system-unreachable', 'away')
    })
  const seconds = ({ failed, nextAt }: Attempts) => [failed, Math.round((nextAt - clock.now()) / 1_000)]

  it('lasts 5 s all the same, and the next one is as long as the first', async () => {
    assert.equal(pausing.attempts('key'), null)
    await attempt()
    clock.advance(10_000)
    await attempt()
    assert.deepEqual(seconds(pausing.attempts('key')!), [2, 20])
    for (let time = 0; time < 3; time++) {
      pausing.wake('key')
      await attempt()
    }
    assert.equal(asked, 2)
    clock.advance(6_000)
    pausing.wake('key')
    assert.deepEqual(seconds(pausing.attempts('key')!), [2, 0])
    for (let time = 0; time < 3; time++) await attempt()
    assert.equal(asked, 3)
    assert.deepEqual(seconds(pausing.attempts('key')!), [3, 10])
  })

  it('is forgotten after a success', async () => {
    clock.advance(10_000)
    await pausing.unlessPaused('key', async () => {})
    assert.equal(pausing.attempts('key'), null)
    pausing.wake('key')
    assert.equal(pausing.attempts('key'), null)
  })
})
