import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resources } from '../../src/composition/api.ts'
import { reservation } from '../../src/reservation/resources/reservation.ts'
import { unit } from '../../src/reservation/resources/unit.ts'
import { type Resources, resolvePath } from '../../src/resource/path.ts'

const steps = (
  path: string,
  from = reservation as Parameters<typeof resolvePath>[1],
  all: Resources = resources,
) => {
  const found = resolvePath(all, from, path)
  return found && `${found.steps.map(({ via }) => via).join(' ')} > ${found.name}`
}

const reached: [path: string, steps: string][] = [
  ['externalId', ' > externalId'],
  ['id', ' > id'],
  ['createdAt', ' > createdAt'],
  ['stays.startDate', 'children > startDate'],
  ['stays.id', 'children > id'],
  ['stays.personCount.adults', 'children object > adults'],
  ['stays.units.unitTypeId', 'children parts > unitTypeId'],
  ['stays.units.unit.name', 'children parts reference > name'],
  ['stays.units.name', 'children parts reference > name'],
  ['stays.services.count', 'children parts > count'],
  ['stays.services.name', 'children parts reference > name'],
  ['stays.profiles.lastName', 'children parts reference > lastName'],
  ['stays.profiles.role', 'children parts > role'],
  ['profile.lastName', 'children parts reference > lastName'],
  ['reservationIds.value', 'children parts > value'],
  ['profile.emails.address', 'children parts reference list > address'],
]

const lost = [
  '',
  '.',
  'stays.',
  '.stays',
  'ship',
  'stays.ship',
  'externalId.length',
  '__proto__',
  'constructor.name',
  'stays.__proto__',
  'stays.reservation.stays.reservation.stays.reservation.stays',
]

describe('a dotted path', () => {
  for (const [path, expected] of reached) it(`${path} is reached`, () => assert.equal(steps(path), expected))
  for (const path of lost) it(`${path || 'of nothing'} leads nowhere`, () => assert.equal(steps(path), null))

  it('may end in a list of plain texts or ids', () => {
    assert.equal(steps('amenities', unit), 'parts > amenityId')
    assert.equal(steps('amenities.code', unit), 'parts reference > code')
    const settings = resources.get('settings')!
    assert.equal(steps('assignableStatuses', settings), 'list > ')
  })
})
