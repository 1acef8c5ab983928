import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { trustedClock } from '../test-clock.ts'
import { browserForSuite, shiftedBy, withoutBrowser } from './browser.ts'
import { kioskHouse } from './kiosk-house.ts'

describe('a box whose time is not certain', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()

  it('asks kiosk and desk whether the day is right, until the desk confirms it', async (t) => {
    let confirmed = false
    const house = await kioskHouse({
      judge: (machine) => ({
        ...trustedClock(machine),
        judged: () => ({ ...trustedClock(machine).judged(), confirmed }),
        confirm: () => {
          confirmed = true
        },
      }),
    })
    t.after(() => house.stop())
    const kiosk = await browser.open(`${house.appliance.url}/kiosk`)
    await house.during(kiosk.page.getByText('believes that today is Monday 1 June').waitFor())
    const desk = await browser.open(`${house.appliance.url}/desk`)
    await desk.page.getByText('Is this day and time right: Monday 1 June, 17:0').waitFor()
    await desk.page.getByRole('button', { name: 'Yes, it is right' }).click()
    await house.during(desk.page.getByText('Is this day and time right').waitFor({ state: 'detached' }))
    await house.during(kiosk.page.getByText('believes that today is').waitFor({ state: 'detached' }))
    for (const tab of [kiosk, desk]) tab.expectClean()
  })

  it('and a computer that shows another time says so', async (t) => {
    const house = await kioskHouse()
    t.after(() => house.stop())
    const { page } = await browser.open(`${house.appliance.url}/desk`)
    await page.getByText('Connected', { exact: true }).waitFor()
    await page.getByText('This computer shows').waitFor({ state: 'detached' })
    await page.addInitScript(shiftedBy(3 * 3_600_000))
    await page.reload()
    await page.getByText('This computer shows 1 Jun 20:0').waitFor()
  })

  it('and the set-up says it too', async (t) => {
    const house = await kioskHouse()
    t.after(() => house.stop())
    const { page } = await browser.open(`${house.appliance.url}/setup`)
    await page.getByRole('button', { name: /Ida/ }).click()
    await page.getByRole('navigation').waitFor()
    assert.equal(await page.getByText('This computer shows').count(), 0)
    await page.addInitScript(shiftedBy(-3 * 3_600_000))
    await page.reload()
    await page.getByText('This computer shows 1 Jun 14:0').waitFor()
  })

  it('and a page that is open notices that the clock of its computer is set', async (t) => {
    const house = await kioskHouse()
    t.after(() => house.stop())
    const { page } = await browser.open(`${house.appliance.url}/desk`)
    await page.getByText('Connected', { exact: true }).waitFor()
    await page.evaluate(shiftedBy(3 * 3_600_000))
    const body = { date: '2026-06-01', time: '17:00' }
    assert.equal((await house.ask('POST', '/api/config/v1/clock/actions/state', { body })).status, 200)
    await house.during(page.getByText('This computer shows 1 Jun 20:0').waitFor())
  })
})
