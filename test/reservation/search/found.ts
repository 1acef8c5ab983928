import assert from 'node:assert/strict'
import type { ReservationHouse } from '../api/house.ts'

/** What a search has found: how, and the last names of the guests of the stay. */
export interface FoundStay {
  id: string
  by: string
  names: string
}

/** Asks what a clerk asks by typing into the search of the desk. */
export async function search(house: ReservationHouse, typed: string, token = 'demo'): Promise<FoundStay[]> {
  const path = `/api/v2/found-stays?filter[text]=${encodeURIComponent(typed)}&include=profiles`
  const { status, body, text } = await house.ask('GET', path, { token })
  assert.equal(status, 200, text)
  assert.equal(body.meta, undefined, text)
  const lastNameOf = ({ id }: { id: string }): string =>
    body.included.find((each: { id: string }) => each.id === id).attributes.lastName
  return body.data.map(
    (each: { id: string; meta: { foundBy: string }; attributes: { profiles: { id: string }[] } }) => ({
      id: each.id,
      by: each.meta.foundBy,
      names: each.attributes.profiles.map(lastNameOf).join(),
    }),
  )
}

/** A stay of a guest with this name, as a PMS reports it. */
export async function booked(house: ReservationHouse, lastName: string, more: object = {}): Promise<string> {
  const profiles = [{ role: 'PrimaryGuest', firstName: 'Maja', lastName }]
  return (await house.told({ profiles, ...more })).id
}
