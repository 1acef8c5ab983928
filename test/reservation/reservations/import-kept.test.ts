import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tomorrow } from '../api/house.ts'
import { fieldsOf, importingHouse, type Values } from './importing-house.ts'

const at = importingHouse()
const { fresh, booking, send, row, stored } = at

describe('what an import does not say', () => {
  it('stays as it is: room, comment, persons, numbers, price, e-mail and further guests of the desk', async () => {
    const externalId = fresh()
    const { id } = await row(booking(externalId))
    const { path, stay } = await stored(id)
    const atDesk = {
      units: [{ unitTypeId: at.single.unitTypeId, unitId: at.single.unitIds[1] }],
      personCount: { adults: 1, children: 1, childrenAges: [7], infants: 1 },
      reservationIds: [...stay.reservationIds, { type: 'Voucher', value: 'V-1' }],
      guestComment: 'Allergic to nuts',
      profiles: [...stay.profiles, { role: 'AdditionalGuest', firstName: 'Leo', lastName: 'Kern' }],
    }
    assert.ok((await at.house.ask('PATCH', path, { body: atDesk })).status < 300)
    const was = await stored(id)
    const { comment: _, amount: __, ...silent } = booking(externalId).stays[0]!
    const profiles = [{ role: 'PrimaryGuest', firstName: 'Sofía', lastName: 'García' }]
    const bare = {
      externalId,
      stays: [{ ...silent, profiles, reservationIds: [] }],
    } as unknown as ReturnType<typeof booking>
    assert.deepEqual((await row(bare, '?update=true')).differences, [])
    assert.deepEqual(await stored(id), was)
    const later = { ...bare, stays: [{ ...bare.stays[0]!, endDate: '2026-06-04' }] }
    assert.deepEqual(fieldsOf(await row(later, '?update=true')), ['stays/0/endDate'])
    const now = await stored(id)
    for (const name of ['units', 'personCount', 'reservationIds', 'guestComment', 'comment', 'profiles'])
      assert.deepEqual(now.stay[name], was.stay[name], name)
  })

  it('is a stay that it does not have; one that is not stored is added', async () => {
    const externalId = fresh()
    const [one] = booking(externalId).stays
    const named = (suffix: string, more: Values = {}) => ({
      ...one!,
      externalId: externalId + suffix,
      ...more,
    })
    const group = { ...booking(externalId), stays: [named('-1'), named('-2', { comment: 'B' })] }
    const { id } = await row(group)
    const swapped = { ...group, stays: [named('-2', { comment: 'C' })] }
    const { differences } = await row(swapped, '?update=true')
    assert.deepEqual(differences, [{ field: 'stays/0/comment', stored: 'B', given: 'C' }])
    const comments = async () =>
      (await at.house.attributes(`/api/v2/reservations/${id}`)).stays.map(({ comment }: Values) => comment)
    assert.deepEqual(await comments(), ['Quiet room', 'C'])
    const more = { ...group, stays: [named('-3', { comment: 'D', startDate: tomorrow })] }
    assert.deepEqual((await row(more)).differences, [
      { field: 'stays/0', stored: null, given: `Confirmed ${tomorrow} – 2026-06-03` },
    ])
    assert.equal((await row(more, '?update=true')).differences.length, 1)
    assert.deepEqual((await row(more, '?update=true')).differences, [])
    assert.deepEqual(await comments(), ['Quiet room', 'C', 'D'])
  })

  it('is that a guest has come or left since, and when: the file is older than that', async () => {
    const externalId = fresh()
    const here = {
      units: [{ unitTypeId: at.single.unitTypeId, unitId: at.single.unitIds[2] }],
      amount: undefined,
    }
    const file = booking(externalId, here)
    const { id } = await row(file)
    const { path } = await stored(id)
    for (const status of ['InHouse', 'CheckedOut']) {
      assert.ok((await at.house.ask('PATCH', path, { body: { status } })).status < 300)
      assert.deepEqual((await row(file, '?update=true')).differences, [], status)
      assert.equal((await stored(id)).stay.status, status)
    }
    const still = booking(externalId, { ...here, status: 'InHouse' })
    assert.deepEqual((await row(still)).differences, [])
  })

  it('is the unit of a guest who has come: the desk may have moved the stay since', async () => {
    const externalId = fresh()
    const inUnit = (at: number, status: string) =>
      booking(externalId, { ...placed(at), amount: undefined, status })
    const { id } = await row(inUnit(3, 'Confirmed'))
    const { path } = await stored(id)
    for (const body of [{ status: 'InHouse' }, placed(4)])
      assert.ok((await at.house.ask('PATCH', path, { body })).status < 300)
    assert.deepEqual((await row(inUnit(3, 'Confirmed'), '?update=true')).differences, [])
    assert.equal((await stored(id)).stay.units[0].unitName, 'T2-5')
    const [difference] = (await row(inUnit(3, 'InHouse'))).differences
    assert.deepEqual(difference, { field: 'stays/0/units/0/unitId', stored: 'T2-5', given: 'T2-4' })
  })

  it('is the unit type of a guest who came into a room of another type; one who is expected loses the room', async () => {
    const externalId = fresh()
    const file = booking(externalId, { amount: undefined })
    const { id } = await row(file)
    const { path } = await stored(id)
    const units = [{ unitTypeId: at.double.unitTypeId, unitId: at.double.unitIds[5] }]
    assert.equal((await at.house.ask('PATCH', path, { body: { units } })).status, 204)
    assert.deepEqual((await row(file)).differences, [
      { field: 'stays/0/units/0/unitTypeId', stored: 'T2', given: 'T1' },
      { field: 'stays/0/units/0/unitId', stored: 'T2-6', given: null },
    ])
    for (const status of ['InHouse', 'CheckedOut']) {
      assert.ok((await at.house.ask('PATCH', path, { body: { status } })).status < 300)
      assert.deepEqual((await row(file, '?update=true')).differences, [], status)
      assert.equal((await stored(id)).stay.units[0].unitName, 'T2-6')
    }
  })

  it('is a guest whose data were erased, and the comments that went with them', async () => {
    const externalId = fresh()
    const file = booking(externalId, { status: 'Canceled' })
    const { id } = await row(file)
    const { stay } = await stored(id)
    const profile = stay.profiles[0].id
    const erased = await at.house.ask('POST', `/api/v2/profiles/${profile}/actions/erase`, { body: {} })
    assert.ok(erased.status < 300, erased.text)
    const was = await stored(id)
    assert.equal(was.guest.lastName, 'Guest')
    assert.deepEqual((await row(file, '?update=true')).differences, [])
    assert.deepEqual(await stored(id), was)
  })
})

/** A stay in a unit of the double rooms. */
function placed(index: number) {
  return { units: [{ unitTypeId: at.double.unitTypeId, unitId: at.double.unitIds[index] }] }
}

describe('a change that a rule refuses', () => {
  const codesOf = ({ errors = [] }: { errors?: { code: string; source: { pointer: string } }[] }) =>
    errors.map(({ code, source }) => `${code} ${source.pointer}`)

  /** Where the stay is before the import, and what the file says. */
  const refusals: [name: string, statuses: string[], stay: () => Values, code: string][] = [
    [
      'a cancellation of a guest in house',
      ['InHouse'],
      () => ({ status: 'Canceled' }),
      'stay-status-transition /data/0/stays/0/status',
    ],
    [
      'a no-show of a guest in house',
      ['InHouse'],
      () => ({ status: 'NoShow' }),
      'stay-status-transition /data/0/stays/0/status',
    ],
    [
      'a cancellation of a guest who has left',
      ['InHouse', 'CheckedOut'],
      () => ({ status: 'Canceled' }),
      'stay-status-transition /data/0/stays/0/status',
    ],
    [
      'another arrival of a guest in house',
      ['InHouse'],
      () => ({ startDate: '2026-05-31' }),
      'stay-status-transition /data/0/stays/0/startDate',
    ],
    [
      'other persons of a canceled stay',
      ['Canceled'],
      () => ({ status: 'Canceled', personCount: { adults: 2 } }),
      'stay-status-transition /data/0/stays/0/personCount',
    ],
    [
      'a no-show before the day is over',
      [],
      () => ({ status: 'NoShow' }),
      'stay-status-transition /data/0/stays/0/status',
    ],
    [
      'a room that another stay has',
      [],
      () => ({ units: [{ unitTypeId: at.double.unitTypeId, unitId: at.double.unitIds[0] }] }),
      'unit-occupied /data/0/stays/0/units/0/unitId',
    ],
  ]
  for (const [index, [name, statuses, stay, code]] of refusals.entries())
    it(`is named, and changes nothing of its row: ${name}`, async () => {
      if (code.startsWith('unit-occupied'))
        await at.house.stay({ units: [{ unitTypeId: at.double.unitTypeId, unitId: at.double.unitIds[0] }] })
      const externalId = fresh()
      const here = {
        units: [{ unitTypeId: at.single.unitTypeId, unitId: at.single.unitIds[10 + index] }],
        amount: undefined,
      }
      const { id } = await row(booking(externalId, here))
      const { path } = await stored(id)
      for (const status of statuses)
        assert.ok((await at.house.ask('PATCH', path, { body: { status } })).status < 300, status)
      const was = await stored(id)
      const changed = booking(externalId, { ...here, ...stay() }, { channel: 'Phone' })
      assert.equal((await row(changed)).errors, undefined)
      assert.deepEqual(codesOf(await row(changed, '?update=true&dryRun=true')), [code])
      assert.deepEqual(codesOf(await row(changed, '?update=true')), [code])
      assert.deepEqual(await stored(id), was)
    })

  it('does not keep the other rows from being changed, in their order', async () => {
    const [one, two] = [fresh(), fresh()]
    await send([booking(one), booking(two)])
    const { accepted, refused, rows } = await send(
      [
        booking(one, { status: 'NoShow' }),
        booking(two, { comment: 'First' }),
        booking(two, { comment: 'Second' }),
      ],
      '?update=true',
    )
    assert.deepEqual([accepted, refused], [2, 1])
    assert.deepEqual(rows[2].differences, [{ field: 'stays/0/comment', stored: 'First', given: 'Second' }])
  })
})

describe('a stay that was canceled here and is Confirmed in the file', () => {
  it('is reinstated with its other changes, where the caller may', async () => {
    const externalId = fresh()
    const { id } = await row(booking(externalId, { status: 'Canceled' }))
    const changed = booking(externalId, { endDate: '2026-06-04' })
    const writer = await at.house.tokenOf('kiosk', [
      'reservations.write',
      'reservations.read',
      'profiles.read',
    ])
    const [error] = (await row(changed, '?update=true', writer)).errors
    assert.deepEqual([error.code, error.meta.scope], ['scope-required', 'reservations.reinstate'])
    assert.deepEqual(fieldsOf(await row(changed, '?update=true')), ['stays/0/endDate', 'stays/0/status'])
    const { stay } = await stored(id)
    assert.deepEqual([stay.status, stay.endDate], ['Confirmed', '2026-06-04'])
  })
})

describe('a caller that may write reservations only', () => {
  it('does not see stored values, and does not change the details of a guest', async () => {
    const externalId = fresh()
    await row(booking(externalId))
    const profiles = [{ role: 'PrimaryGuest', firstName: 'Sofía', lastName: 'García', nationality: 'ES' }]
    const changed = booking(externalId, { profiles, comment: 'Late' })
    const writer = await at.house.tokenOf('kiosk', ['reservations.write'])
    const { differences } = await row(changed, '', writer)
    assert.deepEqual(differences, [
      { field: 'stays/0/comment', given: 'Late' },
      { field: 'stays/0/profiles/0/nationality', given: 'ES' },
    ])
    const [error] = (await row(changed, '?update=true', writer)).errors
    assert.deepEqual([error.code, error.meta.scope], ['scope-required', 'profiles.write'])
  })
})

describe('a guest who has other stays too', () => {
  it('keeps the details that are known: two bookings of one person may state different ones', async () => {
    const externalId = fresh()
    const { id } = await row(booking(externalId))
    const profileId = (await stored(id)).stay.profiles[0].id
    await at.house.stay({ profiles: [{ id: profileId, role: 'PrimaryGuest' }] })
    const guest = { role: 'PrimaryGuest', firstName: 'Sofía', lastName: 'García', nationality: 'ES' }
    const said = booking(externalId, { profiles: [{ ...guest, emails: [{ address: 'x@example.com' }] }] })
    assert.deepEqual(fieldsOf(await row(said, '?update=true')), ['stays/0/profiles/0/nationality'])
    const { guest: now } = await stored(id)
    assert.deepEqual([now.nationality, now.emails.length], ['ES', 1])
  })
})

it('takes no other word for update than true and false', async () => {
  for (const query of ['?update=yes', '?update=', '?update=true&update=true', '?updates=true']) {
    const reply = await at.house.ask('POST', `/api/config/v1/imports${query}`, {
      body: { data: [booking(fresh())] },
    })
    assert.equal(reply.status, 400, reply.text)
  }
})
