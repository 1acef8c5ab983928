import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openHouse, type ReservationHouse } from './house.ts'

/** Names that every object of JavaScript answers to, though nobody has declared them. */
const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']

let house: ReservationHouse
let facts: Record<string, string>
before(async () => {
  house = await openHouse()
  const { unitTypeId, unitId } = await house.rooms(1)
  const { path, reservation } = await house.stay({ units: [{ unitTypeId }] })
  const serviceId = (await house.ask('GET', '/api/v2/services')).body.data[0].id
  facts = { unitTypeId, unitId, path, reservation, serviceId }
})
after(() => house.stop())

/** Requests that say `NAME` where a name of the interface is expected. */
const requests: [method: string, path: string, body?: string][] = [
  ['POST', '/api/v2/unit-types', '{"name": "A", "code": "A", "NAME": 1}'],
  ['POST', '/api/v2/unit-types', '{"data": {"relationships": {"NAME": {"data": {"id": "x"}}}}}'],
  ['POST', '/api/v2/unit-types', '{"data": {"relationships": {"NAME": {"data": [{"id": "x"}]}}}}'],
  [
    'PATCH',
    '/api/v2/units/{unitId}',
    '{"data": {"attributes": {}, "relationships": {"NAME": {"data": null}}}}',
  ],
  ['PUT', '{path}/services', '[{"id": "{serviceId}", "NAME": 1}]'],
  ['PUT', '{path}/units', '[{"unitTypeId": "{unitTypeId}", "NAME": 1}]'],
  ['PATCH', '{path}', '{"personCount": {"adults": 1, "NAME": 1}, "amount": {"currency": "NAME", "NAME": 1}}'],
  ['PATCH', '{path}', '{"profiles": [{"firstName": "A", "lastName": "B", "NAME": 1}]}'],
  ['PATCH', '{path}', '{"reservationIds": [{"type": "NAME", "value": "1", "NAME": 1}]}'],
  ['PATCH', '{path}', '{"status": "NAME"}'],
  ['PATCH', '{reservation}', '{"stays": [{"NAME": 1}], "NAME": 1}'],
  ['POST', '{path}/actions/record-payment', '{"currency": "EUR", "amount": 1, "brand": "NAME", "NAME": 1}'],
  [
    'POST',
    '/api/v2/profiles',
    '{"firstName": "A", "lastName": "B", "emails": [{"address": "a@b.c", "NAME": 1}]}',
  ],
  ['POST', '/api/v2/rate-plans', '{"derivedAdjustment": {"type": "NAME", "NAME": 1}}'],
  ['GET', '/api/v2/units?filter[NAME]=1'],
  ['GET', '/api/v2/units?filter[unitType.NAME]=1'],
  ['GET', '/api/v2/units?filter[name][NAME]=1'],
  ['GET', '/api/v2/stays?sort=NAME'],
  ['GET', '/api/v2/reservations?sort=-NAME,amount.NAME'],
  ['GET', '/api/v2/reservations?filter[stays.personCount.NAME][gt]=1'],
  ['GET', '/api/v2/units?include=NAME'],
  ['GET', '/api/v2/reservations?include=stays.NAME'],
  ['GET', '/api/v2/units?fields[NAME]=name'],
  ['GET', '/api/v2/units?fields[unit]=NAME'],
  ['GET', '/api/v2/units?page[NAME]=1'],
  ['GET', '/api/v2/availability/unit-types?filter[NAME]=2026-06-01'],
  ['GET', '/api/v2/unit-types/NAME'],
  ['GET', '/api/v2/NAME'],
  ['GET', '/problems/NAME'],
]

describe('A name that every object answers to', () => {
  for (const [method, path, body] of requests) {
    it(`is nothing of the interface in ${method} ${path} ${body ?? ''}`, async () => {
      for (const name of names) {
        const filled = (text: string) =>
          text.replaceAll('NAME', name).replace(/\{(\w+)\}/g, (whole, fact) => facts[fact] ?? whole)
        const reply = await house.ask(method, filled(path), body === undefined ? {} : { body: filled(body) })
        assert.ok(reply.status >= 200 && reply.status < 500, `${name}: ${reply.status} ${reply.text}`)
      }
    })
  }
})
