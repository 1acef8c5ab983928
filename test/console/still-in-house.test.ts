import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { browserForSuite, withoutBrowser } from './browser.ts'
import { kioskHouse, monday } from './kiosk-house.ts'

describe('the desk, where a guest who should have left is in the room of the next one', {
  skip: withoutBrowser,
}, () => {
  const browser = browserForSuite()

  it('names that guest, and checks him out after a second question', async (t) => {
    const house = await kioskHouse()
    t.after(() => house.stop())
    const found = await house.ask('GET', '/api/v2/units?filter[status]=Clean&page[size]=1')
    const [{ id: unitId, attributes }] = found.body.data
    const units = [{ unitTypeId: attributes.unitTypeId, unitId }]
    const profiles = (lastName: string) => [{ role: 'PrimaryGuest', firstName: 'Anna', lastName }]
    const next = await house.arrival({ units, profiles: profiles('Novak') })
    const dates = { startDate: '2026-05-31', endDate: monday }
    const former = await house.arrival({ units, ...dates, profiles: profiles('Meier') })
    const pathOf = ({ reservationId, stayId }: typeof next) =>
      `/api/v2/reservations/${reservationId}/stays/${stayId}`
    const entered = await house.ask('PATCH', pathOf(former), { body: { status: 'InHouse' } })
    assert.equal(entered.status, 204, entered.text)

    const { page, expectClean } = await browser.open(`${house.appliance.url}/desk#/stay/${next.stayId}`)
    await house.during(
      page
        .getByRole('button', { name: /^Check in/ })
        .first()
        .click(),
    )
    const dialog = page.getByRole('dialog')
    await house.during(dialog.getByRole('button', { name: /^Check in/ }).click())
    await house.during(
      dialog
        .getByText(`Anna Meier is in house in room ${attributes.name} since 1 Jun, departure 1 Jun.`)
        .waitFor(),
    )
    await dialog.getByRole('button', { name: 'Assign another clean room' }).waitFor()
    await dialog.getByRole('button', { name: 'Check out Anna Meier' }).click()
    await dialog.getByText(`Has Anna Meier left room ${attributes.name}?`).waitFor()
    await house.during(dialog.getByRole('button', { name: 'Yes, check out Anna Meier' }).click())
    await house.during(dialog.getByText('Anna Meier is in house in room').waitFor({ state: 'detached' }))
    const { body } = await house.ask('GET', pathOf(former))
    assert.equal(body.data.attributes.status, 'CheckedOut')
    expectClean(/409/)
  })
})
