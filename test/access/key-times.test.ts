import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { until } from './house-with-doors.ts'
import { type HouseWithPins, houseWithPins } from './house-with-pins.ts'

let house: HouseWithPins
before(async () => {
  house = await houseWithPins()
})
after(() => house.stop())

let numbered = 0
const stay = () => `T-${++numbered}`

/** Windows across both clock changes of Lisbon, 2026: what was asked, and from when until when the lock opens. */
const rows: [name: string, body: Record<string, string>, validFrom: string, validUntil: string][] = [
  [
    'a start that the spring skips is moved forward by the hour',
    { startDate: '2026-03-29', startTime: '01:30', endDate: '2026-03-30', endTime: '11:00' },
    '2026-03-29T01:30:00.000Z',
    '2026-03-30T10:00:00.000Z',
  ],
  [
    'an end that the spring skips is moved forward, too',
    { startDate: '2026-03-28', startTime: '15:00', endDate: '2026-03-29', endTime: '01:30' },
    '2026-03-28T15:00:00.000Z',
    '2026-03-29T01:30:00.000Z',
  ],
  [
    'of a start that the autumn repeats it is the earlier',
    { startDate: '2026-10-25', startTime: '01:30', endDate: '2026-10-26', endTime: '11:00' },
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T11:00:00.000Z',
  ],
  [
    'of an end that the autumn repeats it is the later',
    { startDate: '2026-10-24', startTime: '15:00', endDate: '2026-10-25', endTime: '01:30' },
    '2026-10-24T14:00:00.000Z',
    '2026-10-25T01:30:00.000Z',
  ],
  [
    'without times it is from check-in to check-out, each in the time of its day',
    { startDate: '2026-10-24', endDate: '2026-10-26' },
    '2026-10-24T14:00:00.000Z',
    '2026-10-26T11:00:00.000Z',
  ],
  [
    'seconds of 00 are dropped',
    { startDate: '2026-07-01', startTime: '15:00:00', endDate: '2026-07-02', endTime: '11:00:00' },
    '2026-07-01T14:00:00.000Z',
    '2026-07-02T10:00:00.000Z',
  ],
]

describe('the window of a key', () => {
  for (const [name, body, validFrom, validUntil] of rows) {
    it(name, async () => {
      const { startDate = '' } = body
      house.clock.set(Date.parse(`${startDate}T00:00:00Z`) - 20 * 86_400_000)
      const held = await house.make({ ...body, externalId: stay() })
      assert.equal(held.status, 201, held.text)
      const { attributes } = held.body.data
      assert.deepEqual([attributes.validFrom, attributes.validUntil], [validFrom, validUntil])
      // What the lock is told is the same, when the time has come.
      house.clock.set(Date.parse(validFrom) - 3_600_000)
      const live = await house.reconcile(attributes.externalId, body)
      assert.equal(live.body.data.attributes.status, 'live', live.text)
      const { pin } = live.body.data.attributes
      for (const [moment, opens] of [
        [Date.parse(validFrom) - 60_000, false],
        [Date.parse(validFrom), true],
        [Date.parse(validUntil) - 1, true],
        [Date.parse(validUntil), false],
      ] as const)
        assert.equal(house.opens('301', pin, moment), opens, new Date(moment).toISOString())
    })
  }

  const refused: [name: string, body: Record<string, string>, answer: string][] = [
    ['seconds', { startTime: '15:00:30' }, '422 seconds-not-zero'],
    ['an offset', { startTime: '15:00+01:00' }, '400 time-with-offset'],
    ['an end before the start', { startDate: '2026-06-03', endDate: '2026-06-02' }, '422 end-before-start'],
    [
      'an end at the start',
      { startTime: '12:00', endDate: '2026-06-01', endTime: '12:00' },
      '422 end-before-start',
    ],
    ['an end in the past', { startDate: '2026-05-01', endDate: '2026-05-02' }, '422 validation-failed'],
  ]
  for (const [name, body, answer] of refused) {
    it(`is refused for ${name}`, async () => {
      house.clock.set(Date.UTC(2026, 5, 1, 16))
      const { status, body: said } = await house.make(body)
      assert.equal(`${status} ${said.errors[0].code}`, answer)
    })
  }

  it('that has begun begins now, and the same request changes nothing', async () => {
    house.clock.set(Date.UTC(2026, 5, 1, 16, 0, 40))
    const body = { startDate: '2026-05-30', endDate: '2026-06-02', unitName: '302' }
    const externalId = stay()
    const made = await house.make({ ...body, externalId })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.body.data.attributes.validFrom, '2026-06-01T16:00:00.000Z')
    const told = house.told()
    house.clock.advance(600_000)
    const again = await house.reconcile(externalId, body)
    assert.deepEqual([again.status, again.body.data.id], [200, made.body.data.id])
    assert.equal(house.told(), told)
  })
})

describe('a key whose window opens', () => {
  const dates = { startDate: '2026-06-10', endDate: '2026-06-12' }

  async function events(id: string): Promise<string[]> {
    const { body } = await house.ask('GET', `/api/v2/access/keys/${id}`)
    return [body.data.attributes.status, body.data.attributes.isVirtual]
  }

  it('is written by itself where the house says so', async () => {
    house.clock.set(Date.UTC(2026, 5, 1, 16))
    const externalId = stay()
    const held = await house.make({ ...dates, externalId })
    const { id, attributes } = held.body.data
    house.clock.set(Date.UTC(2026, 5, 9, 8))
    const settings = (await house.ask('GET', '/api/config/v1/settings')).body.data[0]
    const path = `/api/config/v1/settings/${settings.id}`
    assert.deepEqual(await events(id), ['virtual', true])
    assert.equal((await house.ask('PATCH', path, { body: { autoMaterialize: true } })).status, 204)
    try {
      await until(
        'the key',
        () => events(id),
        ([status]) => status === 'live',
      )
      assert.ok(house.opens('301', attributes.pin, Date.UTC(2026, 5, 11)))
    } finally {
      await house.ask('PATCH', path, { body: { autoMaterialize: false } })
    }
  })

  it('is over by itself, and its PIN is forgotten a month later', async () => {
    house.clock.set(Date.UTC(2026, 5, 9, 8))
    const made = await house.make({ ...dates, externalId: stay() })
    const { id } = made.body.data
    house.clock.set(Date.UTC(2026, 5, 12, 11))
    const row = await until(
      'the end',
      () => house.key(id),
      ({ status }) => status === 'expired',
    )
    assert.deepEqual([row.proof, row.mayOpen], ['validity-over', false])
    // The guest stays on, and is told no other number.
    const { externalId, pin: before } = row
    house.clock.set(Date.UTC(2026, 5, 12, 12))
    const longer = await house.reconcile(String(externalId), { ...dates, endDate: '2026-06-14' })
    assert.equal(longer.status, 200, longer.text)
    const { id: same, attributes } = longer.body.data
    assert.deepEqual(
      [same, attributes.status, attributes.mayOpen, attributes.pin],
      [id, 'live', true, before],
    )
    assert.ok(house.opens('301', before, Date.UTC(2026, 5, 13)))
    house.clock.set(Date.UTC(2026, 6, 20))
    await until(
      'the end again',
      () => house.key(id),
      ({ status }) => status === 'expired',
    )
    // A month after that was seen, whatever the clock shows at the first look.
    house.clock.set(Date.UTC(2026, 7, 20))
    // Such PINs are looked for every hour.
    house.clock.advance(3_600_000)
    await until(
      'its PIN to be forgotten',
      () => house.key(id),
      ({ pin }) => pin === null,
    )
  })
})
