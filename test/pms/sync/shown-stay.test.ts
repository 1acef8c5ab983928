import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openHouse, type ReservationHouse } from '../../reservation/api/house.ts'
import { conflictAbout, keptConflict } from './kept-conflict.ts'

let house: ReservationHouse
let configurationId: string
before(async () => {
  house = await openHouse()
  configurationId = await house.make('/api/config/v1/pms-configurations', {
    name: 'Our PMS',
    adapter: 'standalone',
  })
})
after(() => house.stop())

const path = '/api/config/v1/sync-conflicts'

interface Made {
  type: string
  id: string
  attributes: { lastName: string }
}

describe('The stay that a conflict shows', () => {
  it('is included with its guest for whoever may read guests', async () => {
    const profiles = [{ role: 'PrimaryGuest', firstName: 'Anna', lastName: 'Kern' }]
    const { id: stayId, reservation } = await house.stay({ profiles })
    const id = keptConflict(house.data, {
      configurationId,
      stayId,
      reservationId: reservation.split('/').at(-1)!,
    })
    const url = `${path}?filter[id]=${id}&include=shownStay.profiles`
    const { body, status } = await house.ask('GET', url, { token: await house.tokenOf('frontdesk') })
    assert.equal(status, 200)
    assert.equal(body.data[0].attributes.shownStayId, stayId)
    assert.deepEqual(body.data[0].relationships.shownStay.data, { type: 'stay', id: stayId })
    const [stay, guest] = body.included as Made[]
    assert.deepEqual([stay?.type, stay?.id], ['stay', stayId])
    assert.equal(guest?.attributes.lastName, 'Kern')

    const token = await house.tokenOf('monitor', ['sync-conflicts.read'])
    assert.equal((await house.ask('GET', path, { token })).status, 200)
    const refused = await house.ask('GET', url, { token })
    assert.equal(refused.body.errors[0].code, 'scope-required')
  })

  it('is the first one where the conflict is about the whole reservation, and none where it is gone', async () => {
    const { id: first, reservation } = await house.stay()
    const reservationId = reservation.split('/').at(-1)!
    const said = {
      fieldGroup: 'comments',
      local: { '/comment': 'Here.' },
      upstream: { '/comment': 'There.' },
    }
    const ofWhole = conflictAbout(house.data, { configurationId, reservationId }, said)
    const stayId = '01a206c0-9fad-7038-93e4-2a41233f9617'
    const ofGone = conflictAbout(house.data, { configurationId, reservationId, stayId }, said)
    const shownBy = async (id: string) =>
      (await house.ask('GET', `${path}/${id}?include=shownStay`)).body.data.attributes.shownStayId
    assert.deepEqual([await shownBy(ofWhole), await shownBy(ofGone)], [first, null])
  })
})
