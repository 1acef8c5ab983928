import assert from 'node:assert/strict'
import type { Ask, Reply } from '../../../appliance.ts'
import { among, type Chance, dayAfter } from './clerk-deeds.ts'
import { type Codes, typeCodes, walkInCode } from './hotel.ts'

export interface Desk {
  ask: Ask
  codes: Codes
  next: Chance
  today(): string
  /** Walk-ins that were made so far. */
  walkIns: number
  /** What was recorded, by the id of the payment. */
  payments: Map<string, number>
}

interface Scene {
  desk: Desk
  path: string
  // biome-ignore lint/suspicious/noExplicitAny: what a server answers is looked into freely by tests.
  reservation: any
  // biome-ignore lint/suspicious/noExplicitAny: what a server answers is looked into freely by tests.
  stay: any
  at: number
  number: number
  deed: number
}

type Deed = (scene: Scene) => Promise<Reply> | null

const patch = ({ desk, path, stay }: Scene, body: object) =>
  desk.ask('PATCH', `${path}/stays/${stay.id}`, { body })
const later = ({ stay, desk }: Scene) => (stay.endDate < desk.today() ? desk.today() : stay.endDate)
const isOpen = ({ stay }: Scene) => stay.status === 'Confirmed' || stay.status === 'InHouse'

/** What a desk does to a reservation over the interface, knowing nothing of the clerk; null: not to this one. */
export const deskDeeds: Record<string, Deed> = {
  prolongs: (scene) =>
    isOpen(scene)
      ? patch(scene, { endDate: dayAfter(later(scene), 1 + Math.floor(scene.desk.next() * 3)) })
      : null,
  postpones: (scene) =>
    scene.stay.status === 'Confirmed'
      ? patch(scene, {
          startDate: dayAfter(scene.stay.startDate, 1),
          endDate: dayAfter(scene.stay.endDate, 2),
        })
      : null,
  expects: (scene) =>
    scene.stay.status === 'Confirmed'
      ? patch(scene, { endTime: `0${7 + Math.floor(scene.desk.next() * 3)}:15` })
      : null,
  corrects: ({ desk, stay, deed }) =>
    desk.ask('PATCH', `/api/v2/profiles/${stay.profiles[0].id}`, {
      body: { lastName: `Of the desk ${deed}` },
    }),
  writesTo: ({ desk, stay, deed }) =>
    desk.ask('PATCH', `/api/v2/profiles/${stay.profiles[0].id}`, {
      body: { emails: [{ address: `desk-${deed}@example.com` }] },
    }),
  counts: (scene) =>
    isOpen(scene) ? patch(scene, { personCount: { adults: 1 + Math.floor(scene.desk.next() * 4) } }) : null,
  reprices: (scene) =>
    isOpen(scene) ? patch(scene, { amount: { currency: 'EUR', amountWithTax: 5_000 + scene.deed } }) : null,
  sells: (scene) => {
    const { next, codes } = scene.desk
    const serviceId = codes.services[among(next, ['SPA', 'PARKING'])]
    return isOpen(scene)
      ? patch(scene, { services: [{ serviceId, count: 1 + Math.floor(next() * 3) }] })
      : null
  },
  notes: (scene) => patch(scene, { comment: `The desk, ${scene.deed}.` }),
  remarks: ({ desk, path, deed }) =>
    desk.ask('PATCH', path, { body: { comment: `The desk of it all, ${deed}.` } }),
  places: (scene) => {
    const { stay, at, number, desk, path } = scene
    if (stay.status !== 'Confirmed') return null
    const code = typeCodes[at]
    const unitId = desk.codes.units[`${code}-desk-${number}`]
    // In both the ways in which a desk may say it.
    return stay.units[0].unitId === null && desk.next() < 0.5
      ? desk.ask('POST', `${path}/stays/${stay.id}/unit-assignment`, { body: { preferredUnitId: unitId } })
      : patch(scene, { units: [{ unitTypeId: stay.units[0].unitTypeId, unitId }] })
  },
  checksIn: (scene) => {
    const { stay, desk } = scene
    const isHere = stay.startDate <= desk.today() && desk.today() <= stay.endDate
    return stay.status === 'Confirmed' && isHere && stay.units[0].unitId !== null
      ? patch(scene, { status: 'InHouse' })
      : null
  },
  arrives: (scene) => {
    const { stay, desk, at, number } = scene
    if (stay.status !== 'Confirmed' || stay.startDate > desk.today() || stay.endDate < desk.today())
      return null
    const unitId = desk.codes.units[`${typeCodes[at]}-desk-${number}`]
    return patch(scene, {
      status: 'InHouse',
      units: [{ unitTypeId: stay.units[0].unitTypeId, unitId }],
    })
  },
  checksOut: (scene) =>
    scene.stay.status === 'InHouse' && !scene.stay.outstanding
      ? patch(scene, { status: 'CheckedOut' })
      : null,
  cancels: (scene) =>
    scene.stay.status === 'Confirmed' && scene.desk.next() < 0.4
      ? patch(scene, { status: 'Canceled' })
      : null,
  takesMoney: ({ stay, desk, path, deed }) => {
    if (!stay.outstanding || stay.outstanding <= 0) return null
    const amount = desk.next() < 0.5 ? stay.outstanding : Math.ceil(stay.outstanding / 2)
    const body = { currency: 'EUR', amount, brand: 'Visa', terminalTransactionId: `T${deed}` }
    return desk.ask('POST', `${path}/stays/${stay.id}/actions/record-payment`, { body }).then((reply) => {
      if (reply.status === 201) desk.payments.set(reply.body.data.id, amount)
      return reply
    })
  },
}

/** Does one thing to a reservation, and says what; null where nothing was to be done. Fails the test for a refusal. */
export async function deskActs(
  desk: Desk,
  { id, number, deed }: { id: string; number: number; deed: number },
): Promise<string | null> {
  const path = `/api/v2/reservations/${id}`
  const read = await desk.ask('GET', path)
  assert.equal(read.status, 200, read.text)
  const reservation = read.body.data.attributes
  const at = Math.floor(desk.next() * reservation.stays.length)
  const did = among(desk.next, Object.keys(deskDeeds))
  const reply = await deskDeeds[did]!({
    desk,
    path,
    reservation,
    stay: reservation.stays[at],
    at,
    number,
    deed,
  })
  if (!reply) return null
  assert.ok(reply.status < 300, `${did}: ${reply.text}`)
  return did
}

/** Somebody who stands at the desk without a reservation. */
export async function walksIn(desk: Desk, deed: number): Promise<string> {
  const number = desk.walkIns++
  const unitTypeId = desk.codes.unitTypes[walkInCode]
  const unitId = desk.codes.units[`${walkInCode}-${number}`]
  const startDate = desk.today()
  const stay = {
    status: 'InHouse',
    startDate,
    endDate: dayAfter(startDate, 1 + Math.floor(desk.next() * 4)),
    personCount: { adults: 1 },
    reservationIds: [],
    units: [{ unitTypeId, unitId }],
    profiles: [{ role: 'PrimaryGuest', firstName: 'Walter', lastName: `Walkin ${deed}` }],
  }
  const reply = await desk.ask('POST', '/api/v2/reservations', { body: { stays: [stay] } })
  assert.equal(reply.status, 201, reply.text)
  return reply.body.data.id
}
