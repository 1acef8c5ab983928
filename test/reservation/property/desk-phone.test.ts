import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { password, type Staffed, staffed, stations } from '../../auth/sessions/staffed.ts'
import { noLimits } from '../../no-limits.ts'
import fc from '../../seed.ts'

const phone = '+351 22 555 0142'

let staff: Staffed
let settings: string
before(async () => {
  staff = await staffed({ rateLimits: noLimits })
  settings = `/api/config/v1/settings/${(await staff.ida.get('/api/config/v1/settings')).body.data[0].id}`
})
after(() => staff.house.stop())

const change = async (attributes: object) => {
  await staff.ida.signIn('Ida', { password })
  return staff.ida.ask('PATCH', settings, { body: attributes })
}
const present = async () => (await staff.ida.get(settings)).body.data.attributes.deskPhone
const alarm = async () => {
  await staff.ida.signIn('Ida', { password })
  const { checks } = (await staff.ida.get('/api/v2/status')).body.data.attributes
  return checks['kiosk:desk-phone']?.[0].messages.map(({ code }: { code: string }) => code) ?? []
}
async function remove(stationId: string): Promise<void> {
  await staff.ida.signIn('Ida', { password })
  assert.equal((await staff.ida.ask('DELETE', `${stations}/${stationId}`)).status, 204)
}

/** What is no telephone number. */
const empty = [null, '', ' ', '   \t', '-', 'ask the porter', '+', '—']

describe('the telephone number of the front desk', () => {
  it('may be left out and removed while no kiosk is enrolled', async () => {
    await staff.station('Front desk')
    const made = await staff.ida.post(stations, { name: 'Kiosk to come', kind: 'kiosk' })
    assert.equal(made.status, 201)
    assert.deepEqual(await alarm(), [])
    for (const deskPhone of [phone, null]) assert.equal((await change({ deskPhone })).status, 204)
    const refused = await change({ deskPhone: 'call me' })
    assert.equal(refused.status, 422)
    assert.match(refused.body.errors[0].source.pointer, /\/deskPhone$/)
    assert.equal(refused.body.errors[0].detail, 'deskPhone must be a telephone number. It has digits.')
  })

  it('is missed as soon as a kiosk is enrolled, until it is there or the kiosk is removed', async () => {
    const { stationId } = await staff.station('Lobby', 'kiosk')
    assert.deepEqual(await alarm(), ['desk-phone-missing'])
    assert.equal((await change({ checkInTime: '16:00' })).status, 204, 'other settings can be changed')
    await remove(stationId)
    assert.deepEqual(await alarm(), [])
    const other = await staff.station('Lift', 'kiosk')
    assert.equal((await change({ deskPhone: phone })).status, 204)
    assert.deepEqual(await alarm(), [])
    await remove(other.stationId)
  })

  it('cannot be emptied while a kiosk is enrolled: the error names the field', async () => {
    const { stationId } = await staff.station('Hall', 'kiosk')
    await change({ deskPhone: phone })
    for (const deskPhone of empty) {
      const { status, body } = await change({ deskPhone, checkInTime: '17:00' })
      assert.equal(status, 422, JSON.stringify(deskPhone))
      assert.match(body.errors[0].source.pointer, /\/deskPhone$/)
      assert.match(body.errors[0].detail, /deskPhone/)
    }
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[ a-zäé+().-]{1,40}$/), async (deskPhone) => {
        assert.equal((await change({ deskPhone })).status, 422)
      }),
      { numRuns: 20 },
    )
    assert.equal(await present(), phone)
    const applied = await staff.ida.post('/api/config/v1/setup/actions/apply', {
      settings: { deskPhone: null },
    })
    assert.equal(applied.status, 422)
    assert.match(applied.body.errors[0].source.pointer, /\/settings\/deskPhone$/)
    for (const deskPhone of ['100', '+49 30 901820', '9 (porter)', '٠٢٢ ٥٥٥', '９０１'])
      assert.equal((await change({ deskPhone })).status, 204)
    await remove(stationId)
    assert.equal((await change({ deskPhone: null })).status, 204)
  })

  it('is refused in the language of the person', async () => {
    const { stationId } = await staff.station('Bar', 'kiosk')
    await change({ deskPhone: phone })
    for (const [language, words] of [
      ['de', /Telefonnummer/],
      ['es', /número de teléfono/],
      ['fr', /numéro de téléphone/],
      ['pt', /número de telefone/],
    ] as const) {
      const { body } = await staff.ida.ask('PATCH', settings, {
        body: { deskPhone: null },
        headers: { 'Accept-Language': language },
      })
      assert.match(body.errors[0].detail, words)
    }
    await remove(stationId)
  })
})
