import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countryOfZone, machineZone } from '../../src/host/machine/machine-zone.ts'
import { isZone } from '../../src/host/zone.ts'

const countries: [zone: string, country: string | null][] = [
  ['Europe/Lisbon', 'PT'],
  ['Atlantic/Madeira', 'PT'],
  ['Europe/Oslo', 'NO'],
  ['Europe/Kyiv', 'UA'],
  ['Asia/Kolkata', 'IN'],
  ['Asia/Calcutta', 'IN'],
  ['America/Curacao', 'CW'],
  ['America/New_York', 'US'],
  ['UTC', null],
  ['Etc/UTC', null],
  ['Africa/Abidjan', 'CI'],
  ['Etc/GMT+3', null],
]

describe('The country of a time zone', () => {
  for (const [zone, country] of countries) {
    it(`${zone}: ${country ?? 'none'}`, () => assert.equal(countryOfZone(zone), country))
  }
})

it('The zone of this machine is a zone', () => assert.ok(isZone(machineZone())))
