import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { type KioskHouse, kioskHouse } from '../../console/kiosk-house.ts'

describe('a card whose answer was lost at the desk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse

  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())

  const stayOf = async (stayId: string) => (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data

  /** The names of the rooms of a stay, once it has all of them. */
  async function roomsOf(stayId: string): Promise<string[]> {
    for (;;) {
      const { units } = (await stayOf(stayId)).attributes
      const names = units.flatMap(({ unitName }: { unitName: string | null }) => unitName ?? [])
      if (names.length === units.length) return names
    }
  }

  it('is not taken for the one that a colleague makes for another room of the stay', async () => {
    const [{ id: unitTypeId }] = (await house.ask('GET', '/api/v2/unit-types?filter[code]=DBL')).body.data
    const { stayId } = await house.arrival({ units: [{ unitTypeId }, { unitTypeId }] })
    const tab = await browser.open(`${house.appliance.url}/desk#/stay/${stayId}/c`)
    const { page } = tab
    await page.getByText('Connected', { exact: true }).waitFor()
    const [controller] = (await house.ask('GET', '/api/v2/access/controllers')).body.data
    await page.route(
      /\/key$/,
      async (route) => {
        const { data } = route.request().postDataJSON()
        const [, { unitName }] = (await stayOf(stayId)).attributes.units
        const body = { ...data.attributes, unitName }
        const made = await house.ask('POST', `/api/v2/access/controllers/${controller.id}/key`, { body })
        assert.equal(made.status, 201, made.text)
        await route.abort()
      },
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Check in and make the card' }).click()
    const [first, second] = await roomsOf(stayId)
    await house.during(
      page
        .getByText(new RegExp(`^Card at .*, Room ${second}$`))
        .first()
        .waitFor(),
    )
    const keys = (await house.ask('GET', `/api/v2/access/keys?filter[unitName]=${first}`)).body.data
    assert.equal(keys.length, 1, 'the card of the first room was made')
    tab.expectClean(/ERR_FAILED|status of 409/)
  })
})
