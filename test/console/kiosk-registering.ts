import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { KioskHouse } from './kiosk-house.ts'

/** Sets what the house asks of its guests. */
export async function asksOf(house: KioskHouse, registrationFields: string[], more = {}): Promise<void> {
  const [{ id }] = (await house.ask('GET', '/api/config/v1/settings')).body.data
  const body = { registrationFields, ...more }
  const reply = await house.ask('PATCH', `/api/config/v1/settings/${id}`, { body })
  assert.equal(reply.status, 204, reply.text)
}

/** Reads a registration of a stay as the desk sees it: that of a guest, or the only one. */
export async function registrationOf(house: KioskHouse, stayId: string, profileId?: string) {
  const { body } = await house.ask('GET', `/api/v2/registrations?filter[stayId]=${stayId}`)
  const all: { id: string; attributes: { profileId: string } }[] = body.data
  const found = all.find(({ attributes }) => profileId === undefined || attributes.profileId === profileId)
  assert.ok(found, JSON.stringify(all))
  return (await house.ask('GET', `/api/v2/registrations/${found.id}`)).body.data.attributes
}

/** Signs with the mouse. */
export async function sign(page: Page): Promise<void> {
  const pad = page.locator('.field svg[role=img]')
  await pad.waitFor()
  await pad.scrollIntoViewIfNeeded()
  const box = (await pad.boundingBox())!
  const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const
  await page.mouse.move(...at(0.1, 0.8))
  await page.mouse.down()
  for (const x of [0.2, 0.3, 0.4, 0.5, 0.6]) await page.mouse.move(...at(x, (x * 10) % 2 > 0.5 ? 0.8 : 0.2))
  await page.mouse.up()
}
