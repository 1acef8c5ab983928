import assert from 'node:assert/strict'
import type { Ask } from './appliance.ts'
import { tokenOf } from './token-of.ts'

/**
 * A guest finds the own stay at a kiosk, by a number of the booking and the last name. A stay without one of them gets it
 * before.
 */
export async function guestFound(ask: Ask, kiosk: string, stayId: string): Promise<void> {
  const { number, lastName } = await known(ask, stayId)
  const query = `filter[reservationIds.value]=${encodeURIComponent(number)}&filter[profile.lastName]=${encodeURIComponent(lastName)}`
  const found = await ask('GET', `/api/v2/reservations?${query}`, { token: kiosk })
  assert.ok(found.body.meta?.proven.includes(stayId), found.text)
}

/** The token of a kiosk at which the guest of a stay has found it. */
export async function kioskOf(ask: Ask, stayId: string): Promise<string> {
  const token = await tokenOf(ask, 'kiosk')
  await guestFound(ask, token, stayId)
  return token
}

/** What the guest of a stay knows. */
async function known(ask: Ask, stayId: string): Promise<{ number: string; lastName: string }> {
  const { body } = await ask('GET', `/api/v2/stays/${stayId}?include=profiles`)
  const { reservationId, reservationIds, profiles } = body.data.attributes
  if (reservationIds.length > 0 && profiles.length > 0)
    return { number: reservationIds[0].value, lastName: body.included[0].attributes.lastName }
  const added = {
    ...(reservationIds.length === 0 && {
      reservationIds: [{ type: 'Confirmation', value: stayId.slice(-12) }],
    }),
    ...(profiles.length === 0 && {
      profiles: [{ role: 'PrimaryGuest', firstName: 'Ada', lastName: 'Weber' }],
    }),
  }
  const path = `/api/v2/reservations/${reservationId}/stays/${stayId}`
  const { status, text } = await ask('PATCH', path, { body: added })
  assert.equal(status, 204, text)
  return known(ask, stayId)
}
