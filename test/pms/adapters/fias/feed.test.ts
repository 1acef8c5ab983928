import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { frame } from '../../../../drivers/fias/framing.ts'
import { validate } from '../../../../src/jsonapi/schemas/validate.ts'
import { sharedReservationSchema } from '../../../../src/pms/sync/shared-reservation.ts'
import type { ReservationChange } from '../../../../src/pms/sync-contract.ts'
import { until } from '../../../eventually.ts'
import { guestOf } from './guests.ts'
import { heard, noon, type PmsLine, pmsLine, refusals, said } from './pms-line.ts'

const linked = (line: PmsLine, times: number) =>
  until(() => line.lines.filter((state) => state === 'up').length === times)

describe('a PMS that tells its guests over FIAS', () => {
  it('receives what is wanted, and is asked for a database swap', async (test) => {
    const line = await pmsLine(test)
    await line.pull()
    assert.equal(line.foreign.wanted.get('GI'), 'G#RNGAGDGNGFGTGLGGGSSFDATI')
    assert.deepEqual([...line.foreign.wanted.keys()], ['GI', 'GC', 'GO', 'RE', 'DR', 'DS', 'DE'])
    assert.equal(line.desk.swaps, 1)
  })

  it('tells everybody in a swap, in the form of a reservation', async (test) => {
    const line = await pmsLine(test)
    line.desk.checkIn(guestOf('4711', '101', { GT: 'Dr.', GG: 'G9' }))
    const { changes, refused, more } = await line.pull()
    assert.deepEqual([refused, more, changes.length], [[], false, 1])
    const [{ externalId, value, revision }] = changes as [ReservationChange]
    assert.equal(externalId, '4711')
    assert.ok(revision >= noon)
    await validate(sharedReservationSchema, value)
    assert.deepEqual(value, {
      externalId: '4711',
      stays: [
        {
          externalId: '4711',
          status: 'InHouse',
          startDate: '2026-06-01',
          endDate: '2026-06-03',
          units: [{ unitTypeCode: 'DBL', unitName: '101' }],
          reservationIds: [
            { type: 'Pms', value: '4711' },
            { type: 'Group', value: 'G9' },
          ],
          personCount: { adults: 1 },
          guests: [
            {
              externalId: 'G#4711',
              role: 'PrimaryGuest',
              firstName: 'Inês',
              lastName: 'Müller',
              title: 'Dr.',
              languageCode: 'de',
            },
          ],
        },
      ],
    })
  })

  it('tells check-in, change, move and check-out as they happen, each from the place before', async (test) => {
    const line = await pmsLine(test)
    const { cursor } = await line.pull()
    line.desk.checkIn(guestOf('1', '101'))
    await until(() => heard(line).length === 1)
    line.desk.change('1', { GN: 'Meier' })
    await until(() => heard(line).length === 2)
    line.desk.move('1', '102')
    await until(() => heard(line).length === 3)
    line.desk.checkOut('1')
    await until(() => heard(line).length === 4)
    assert.deepEqual(heard(line), [
      '1 InHouse 101: Müller',
      '1 InHouse 101: Meier',
      '1 InHouse 102: Meier',
      '1 CheckedOut 102: Meier',
    ])
    assert.deepEqual(
      line.pages.map(({ previous }) => previous),
      [cursor, ...line.pages.slice(0, -1).map((page) => page.cursor)],
    )
  })

  it('tells what a maid says of a room', async (test) => {
    const line = await pmsLine(test)
    await line.pull()
    line.desk.maid('101', '3')
    await until(() => line.pages.length === 1)
    assert.partialDeepStrictEqual(line.pages[0]?.changes, [
      { is: 'housekeeping', unitName: '101', status: 'Clean' },
    ])
  })

  it('says the same twice, and nothing is reported', async (test) => {
    const line = await pmsLine(test)
    line.desk.checkIn(guestOf('1', '101'))
    const { cursor } = await line.pull()
    line.desk.checkIn(guestOf('1', '101'))
    line.desk.checkIn(guestOf('2', '102'))
    await until(() => line.pages.length === 1)
    assert.deepEqual(heard(line), ['2 InHouse 102: Müller'])
    const { changes } = await line.pull(cursor)
    assert.deepEqual(said(changes), ['2 InHouse 102: Müller'])
  })

  it('checks a guest out of the room that he had before his move, and it is no check-out', async (test) => {
    const line = await pmsLine(test)
    await line.pull()
    line.desk.checkIn(guestOf('1', '101'))
    line.desk.checkIn(guestOf('1', '102'))
    line.foreign.post(['GO', { 'G#': '1', RN: '101', GS: 'N' }])
    line.desk.checkIn(guestOf('9', '103'))
    await until(() => heard(line).some((change) => change.startsWith('9')))
    assert.deepEqual(heard(line).at(0), '1 InHouse 102: Müller')
    assert.ok(!heard(line).some((change) => change.includes('CheckedOut')))
  })

  for (const framing of ['serial', 'serial-lrc'] as const)
    it(`does so with signs too: ${framing}`, async (test) => {
      const line = await pmsLine(test, { framing })
      line.desk.checkIn(guestOf('1', '101'))
      assert.deepEqual(said((await line.pull()).changes), ['1 InHouse 101: Müller'])
    })
})

describe('a database swap', () => {
  it('is waited for no longer than it may be silent, and asked for again', async (test) => {
    const line = await pmsLine(test)
    line.desk.manners.silent = 1
    await assert.rejects(line.pull(), { code: 'adapter-timeout', message: /began none/ })
    await line.pull()
    assert.equal(line.desk.swaps, 1)
  })

  it('that is cut in the middle counts for nothing', async (test) => {
    const line = await pmsLine(test)
    line.desk.checkIn(guestOf('1', '101'))
    line.desk.checkIn(guestOf('2', '102'))
    const { cursor } = await line.pull()
    line.desk.manners.cutAfter = [2]
    line.foreign.drop()
    await linked(line, 2)
    await assert.rejects(line.pull(cursor), { code: 'adapter-timeout' })
    await linked(line, 3)
    const { changes } = await line.pull(cursor)
    assert.deepEqual(changes, [], 'none was missed, and none was reported anew')
  })

  it('brings what happened while the line was cut', async (test) => {
    const line = await pmsLine(test)
    for (const [number, room] of [
      ['1', '101'],
      ['2', '102'],
    ] as const)
      line.desk.checkIn(guestOf(number, room))
    const { cursor } = await line.pull()
    line.desk.isReporting = false
    line.foreign.drop()
    line.desk.checkOut('1')
    line.desk.move('2', '101')
    line.desk.checkIn(guestOf('3', '102'))
    await linked(line, 2)
    const page = await line.pull(cursor)
    assert.deepEqual(said(page.changes), [
      '1 CheckedOut 101: Müller',
      '2 InHouse 101: Müller',
      '3 InHouse 102: Müller',
    ])
    const revisions = page.changes.map((change) => (change as ReservationChange).revision)
    assert.deepEqual(
      revisions,
      revisions.toSorted((one, other) => one - other),
    )
    assert.deepEqual((await line.pull(page.cursor)).changes, [])
  })

  it('that nobody asked for is taken too', async (test) => {
    const line = await pmsLine(test)
    await line.pull()
    line.desk.isReporting = false
    line.desk.checkIn(guestOf('1', '101'))
    line.desk.swap()
    await until(() => line.pages.length === 1)
    assert.deepEqual(heard(line), ['1 InHouse 101: Müller'])
  })

  it('that tells nobody checks nobody out', async (test) => {
    const line = await pmsLine(test)
    line.desk.checkIn(guestOf('1', '101'))
    await line.pull()
    line.desk.guests.clear()
    const { changes, refused } = await line.pull()
    assert.deepEqual(said(changes), ['1 InHouse 101: Müller'])
    assert.match(refused[0]?.reason ?? '', /tells no guest at all; guests who are not in it \(1\)/)
  })

  it('with a record that cannot be read checks nobody out but from rooms that it tells to be vacant', async (test) => {
    const line = await pmsLine(test)
    for (const [number, room] of [
      ['1', '101'],
      ['2', '102'],
      ['3', '103'],
    ] as const)
      line.desk.checkIn(guestOf(number, room))
    const { cursor } = await line.pull()
    line.desk.isReporting = false
    line.desk.checkOut('1')
    line.desk.checkOut('2')
    line.desk.change('3', { GD: '269999' })
    line.desk.vacant = ['102']
    line.foreign.drop()
    await linked(line, 2)
    const { changes, refused } = await line.pull(cursor)
    assert.deepEqual(said(changes), ['2 CheckedOut 102: Müller'])
    assert.match(refused[0]?.reason ?? '', /^GI: GD is 269999; a date was expected/)
    assert.match(refused[1]?.reason ?? '', /records that cannot be read/)
  })

  it('misses whom the house has from before a restart, and tells his check-out', async (test) => {
    const line = await pmsLine(test)
    const guest = { number: '7', room: '101', shares: null, arrival: '2026-05-30', departure: '2026-06-05' }
    const unknown = { lastName: null, firstName: null, title: null, languageCode: null, group: null }
    line.house.inHouse = [
      {
        stay: { id: '7', room: '101', members: ['7'] },
        guests: [{ ...guest, ...unknown, isRemembered: true }],
      },
    ]
    line.house.known.add('7')
    line.desk.checkIn(guestOf('8', '101'))
    const before = line.clock.now() + 5_000
    const { changes } = await line.pull(`0badcafe:${before}`)
    assert.deepEqual(said(changes), ['7 CheckedOut -: ', '8 InHouse 101: Müller'])
    const [first] = changes as [ReservationChange]
    assert.ok(first.revision > before, 'later than what was reported before the restart')
    assert.equal(first.value?.stays[0]?.startDate, '2026-05-30')
  })

  it('is not waited for with a PMS that has none: what it tells is all there is', async (test) => {
    const line = await pmsLine(test, { swaps: false })
    assert.deepEqual((await line.pull()).changes, [])
    line.desk.checkIn(guestOf('1', '101'))
    await until(() => line.pages.length === 1)
    line.foreign.drop()
    await linked(line, 2)
    assert.deepEqual(said((await line.pull()).changes), ['1 InHouse 101: Müller'])
    assert.equal(line.desk.swaps, 0)
  })
})

describe('a FIAS line on which something is wrong', () => {
  it('has no guests while it is cut', async (test) => {
    const line = await pmsLine(test)
    line.desk.manners.silent = 9
    line.foreign.drop()
    await until(() => line.lines.includes('down'))
    await line.clock.during(line.link.close())
    await assert.rejects(line.pull(), { code: 'adapter-timeout', message: /not connected/ })
  })

  for (const [what, record, reason] of [
    [
      'no number',
      ['GI', { RN: '101', GA: '260601', GD: '260602' }],
      /^GI: G#, the number of the reservation, is missing/,
    ],
    ['no room', ['GI', { 'G#': '5', GA: '260601', GD: '260602' }], /^GI: RN, the room, is missing/],
    ['no departure', ['GI', { 'G#': '5', RN: '101', GA: '260601' }], /has no GD, the departure/],
    [
      'a departure before the arrival',
      ['GI', { 'G#': '5', RN: '101', GA: '260602', GD: '260601' }],
      /before GA/,
    ],
    [
      'a room that the house has not',
      ['GI', { 'G#': '5', RN: '999', GA: '260601', GD: '260602' }],
      /Room 999/,
    ],
    ['a room status that there is not', ['RE', { RN: '101', RS: '42' }], /^RE: RS is 42/],
    ['neither number nor room', ['GO', {}], /^GO: the record has neither G#/],
  ] as [string, [string, Record<string, string>], RegExp][])
    it(`quarantines a record with ${what}, and goes on`, async (test) => {
      const line = await pmsLine(test)
      await line.pull()
      line.foreign.post(record)
      line.desk.checkIn(guestOf('1', '102'))
      await until(() => heard(line).length === 1 && refusals(line).length === 1)
      assert.match(refusals(line)[0]?.reason ?? '', reason)
      assert.deepEqual(heard(line), ['1 InHouse 102: Müller'])
    })

  it('quarantines what is no record', async (test) => {
    const line = await pmsLine(test)
    await line.pull()
    line.foreign.send('no record', 'x'.repeat(10))
    await until(() => refusals(line).length === 2)
    assert.deepEqual(
      refusals(line).map(({ reason, payload }) => [reason, payload]),
      [
        ['The PMS sent data that are not a record.', 'no record'],
        ['The PMS sent data that are not a record.', 'xxxxxxxxxx'],
      ],
    )
    assert.equal(frame(Buffer.from('a'), 'tcp').length, 3)
  })
})
