import assert from 'node:assert/strict'
import { kioskOf } from '../../guest-found.ts'
import type { ReservationHouse } from './house.ts'

type Values = Record<string, unknown>

/** A signature of a few strokes. */
export const signature = [
  [
    [100, 100],
    [140, 60],
    [180, 120],
  ],
  [
    [200, 90],
    [260, 95],
    [300, 40],
  ],
]

/** A registration with all that a house may need but the house rules. */
export const whole = {
  firstName: 'Wendeline',
  lastName: 'Zwiebelhuber',
  birthDate: '1980-02-03',
  nationality: 'AT',
  address: { line1: 'Lauchgasse 7', postalCode: '1010', city: 'Wien', country: 'AT' },
  documentType: 'Passport',
  documentNumber: 'U7731905',
  documentCountry: 'AT',
  signature,
}

/** Every field of it that a house may need. */
export const allFields = [
  'lastName',
  'birthDate',
  'nationality',
  'address',
  'documentType',
  'documentNumber',
  'documentCountry',
  'signature',
]

/** Sets what the house says of registrations. */
export async function configure(
  house: Pick<ReservationHouse, 'ask'>,
  attributes: Values,
  status = 204,
): Promise<Values> {
  const { links } = (await house.ask('GET', '/api/config/v1/settings')).body.data[0]
  const set = await house.ask('PATCH', links.self, { body: attributes })
  assert.equal(set.status, status, set.text)
  return status === 204 ? (await house.ask('GET', links.self)).body.data.attributes : set.body
}

export interface Arrival {
  id: string
  path: string
  profileId: string
  /** The profiles of all guests. */
  profileIds: string[]
  kiosk: string
  /** The path of the registration of a guest, the first one unless said otherwise. */
  at(profileId?: string): string
}

/** A confirmed stay with a clean room and its guests, and a kiosk at which they have found it. */
export async function arriving(house: ReservationHouse, more: Values = {}): Promise<Arrival> {
  const { unitTypeId, unitId } = await house.rooms(1)
  const { id, path } = await house.stay({
    units: [{ unitTypeId, unitId }],
    profiles: [{ role: 'PrimaryGuest', firstName: 'Wendeline', lastName: 'Zwiebelhuber' }],
    ...more,
  })
  const kiosk = await kioskOf(house.ask, id)
  const { profiles } = await house.attributes(path)
  const profileIds = profiles.map((each: { id: string }) => each.id)
  const at = (profileId = profileIds[0]) => `/api/v2/stays/${id}/registrations/${profileId}`
  return { id, path, profileId: profileIds[0], profileIds, kiosk, at }
}
