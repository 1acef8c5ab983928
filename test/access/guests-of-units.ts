import assert from 'node:assert/strict'
import type { Ask } from '../appliance.ts'

/** A stay, and its reservation, by their paths. */
export interface Guest {
  id: string
  path: string
  externalId: string
  reservation: string
}

/** Books stays for chosen units of the sample property, whatever their housekeeping status, and changes their status. */
export interface GuestsOfUnits {
  /** A stay that has the unit on these nights of June; a further one of the reservation of `also`. */
  booked(unitName: string, from: number, to: number, also?: Guest): Promise<Guest>
  become(guest: Guest, status: string): Promise<void>
}

let numbers = 0
const dayOfJune = (date: number) => `2026-06-${String(date).padStart(2, '0')}`

export async function guestsOfUnits(ask: Ask): Promise<GuestsOfUnits> {
  const settings = (await ask('GET', '/api/config/v1/settings')).body.data[0]
  const open = { body: { allowOpenBalance: true, assignableStatuses: ['Dirty', 'Clean', 'Inspected'] } }
  assert.equal((await ask('PATCH', `/api/config/v1/settings/${settings.id}`, open)).status, 204)
  const found = (await ask('GET', '/api/v2/units?page[size]=100')).body.data
  const units = new Map<string, object>(
    found.map(({ id, attributes }: { id: string; attributes: { name: string; unitTypeId: string } }) => [
      attributes.name,
      { unitId: id, unitTypeId: attributes.unitTypeId },
    ]),
  )
  return {
    async booked(unitName, from, to, also) {
      const externalId = `GUEST-${++numbers}`
      const stay = {
        status: 'Confirmed',
        reservationIds: [],
        startDate: dayOfJune(from),
        endDate: dayOfJune(to),
        personCount: { adults: 1, children: 0 },
        units: [units.get(unitName)],
        externalId,
      }
      const made = also
        ? await ask('POST', `${also.reservation}/stays`, { body: stay })
        : await ask('POST', '/api/v2/reservations', { body: { stays: [stay] } })
      assert.equal(made.status, 201, made.text)
      const reservation = also?.reservation ?? `/api/v2/reservations/${made.body.data.id}`
      const { body } = await ask('GET', `/api/v2/stays?filter[externalId]=${externalId}`)
      const [{ id }] = body.data
      return { id, path: `${reservation}/stays/${id}`, externalId, reservation }
    },
    async become({ path }, status) {
      const answer = await ask('PATCH', path, { body: { status } })
      assert.equal(answer.status, 204, answer.text)
    },
  }
}
