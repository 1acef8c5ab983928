import assert from 'node:assert/strict'
import { booked, july, unitTypeList as list, tell } from './availability-samples.ts'
import { type ReservationHouse, today } from './house.ts'
import { type Scenario, scenarios } from './scenario.ts'

const ofType = `${list}?filter[unitTypeId]={unitTypeId}`
const julyOf = (days: string) => `${ofType}&filter[startDate]=2026-07-01&filter[endDate]=2026-07-${days}`
const unknown = '0197c0de-0000-7000-8000-000000000000'

async function told(
  house: ReservationHouse,
  ...quantities: [start: string, end: string, quantity: number][]
) {
  const made = await booked(house)
  await tell(
    house,
    made.unitTypeId,
    quantities.map((each) => july(...each)),
  )
  return made
}

const shows = (
  name: string,
  given: Scenario['given'],
  days: string,
  lists: Record<string, unknown>[],
): Scenario => ({
  name,
  ...(given && { given }),
  request: ['GET', julyOf(days)],
  status: 200,
  header: ['x-stability', /^beta$/],
  lists,
})

scenarios('What is left of a unit type, where upstream told nothing', [
  shows('the units of the type less what stays hold, in merged periods', booked, '10', [
    july('01', '02', 3),
    july('03', '04', 2),
    july('05', '10', 3),
  ]),
  {
    name: 'by code as well; from today, for 365 days, unless it says otherwise',
    given: booked,
    request: ['GET', `${list}?filter[unitTypeId]={code}`],
    status: 200,
    lists: [
      { startDate: today, endDate: '2026-07-02', quantity: 3 },
      july('03', '04', 2),
      { startDate: '2026-07-05', endDate: '2027-06-01', quantity: 3 },
    ],
  },
  shows(
    'an option holds its unit, who waits does not',
    async (house) => {
      const made = await booked(house, { status: 'Tentative' })
      await house.stay({
        units: [{ unitTypeId: made.unitTypeId }],
        startDate: '2026-07-01',
        endDate: '2026-07-02',
        status: 'Waitlisted',
      })
      return made
    },
    '05',
    [july('01', '02', 3), july('03', '04', 2), july('05', '05', 3)],
  ),
  shows(
    'a day use holds its day',
    (house) =>
      booked(house, { startDate: '2026-07-02', startTime: '09:00', endDate: '2026-07-02', endTime: '14:00' }),
    '03',
    [july('01', '01', 3), july('02', '02', 2), july('03', '03', 3)],
  ),
  shows(
    'a stay of two units holds both',
    async (house) => {
      const { unitTypeId } = await house.rooms(3)
      await house.stay({
        units: [{ unitTypeId }, { unitTypeId }],
        startDate: '2026-07-01',
        endDate: '2026-07-02',
      })
      return { unitTypeId }
    },
    '02',
    [july('01', '01', 1), july('02', '02', 3)],
  ),
  shows(
    'a unit that is out of order is none; one out of service is',
    async (house) => {
      const made = await booked(house)
      await house.ask('PATCH', `/api/v2/units/${made.unitIds[0]}`, { body: { status: 'OutOfOrder' } })
      await house.ask('PATCH', `/api/v2/units/${made.unitIds[1]}`, { body: { status: 'OutOfService' } })
      return made
    },
    '03',
    [july('01', '02', 2), july('03', '03', 1)],
  ),
  shows(
    'a blocked unit is none on its dates',
    async (house) => {
      const made = await booked(house)
      const body = [{ startDate: '2026-07-02', endDate: '2026-07-03', quantity: 0 }]
      assert.equal(
        (await house.ask('PATCH', `/api/v2/availability/units/${made.unitIds[0]}`, { body })).status,
        204,
      )
      return made
    },
    '05',
    [july('01', '01', 3), july('02', '02', 2), july('03', '03', 1), july('04', '04', 2), july('05', '05', 3)],
  ),
  shows(
    'fewer than none is shown as none',
    async (house) => {
      const { unitTypeId } = await house.rooms(1)
      for (const _ of [1, 2, 3])
        await house.told({ units: [{ unitTypeId }], startDate: '2026-07-01', endDate: '2026-07-02' })
      return { unitTypeId }
    },
    '01',
    [july('01', '01', 0)],
  ),
  shows('nothing, of a type without units', async ({ rooms }) => rooms(0), '10', []),
  {
    name: 'nothing, of a type that is not there',
    request: ['GET', `${list}?filter[unitTypeId]=${unknown}`],
    status: 200,
    lists: [],
  },
])

scenarios('What is left of a unit type, where upstream told it', [
  shows(
    'is what it told, and what it told nothing of is counted here',
    (house) => told(house, ['01', '03', 7]),
    '06',
    [july('01', '03', 7), july('04', '04', 2), july('05', '06', 3)],
  ),
  shows(
    'less what was booked here since, whoever booked it',
    async (house) => {
      const made = await told(house, ['01', '06', 2])
      const units = [{ unitTypeId: made.unitTypeId }]
      await house.stay({ units, startDate: '2026-07-02', endDate: '2026-07-04' })
      await house.told({ units, startDate: '2026-07-03', endDate: '2026-07-04' })
      return made
    },
    '06',
    [july('01', '01', 2), july('02', '02', 1), july('03', '03', 0), july('04', '06', 2)],
  ),
  shows(
    'plus what was released here since',
    async (house) => {
      const made = await told(house, ['01', '06', 2])
      await house.ask('PATCH', made.path, { body: { status: 'Canceled' } })
      return made
    },
    '06',
    [july('01', '02', 2), july('03', '04', 3), july('05', '06', 2)],
  ),
  shows(
    'and what was moved',
    async (house) => {
      const made = await told(house, ['01', '06', 2])
      await house.ask('PATCH', made.path, { body: { startDate: '2026-07-04', endDate: '2026-07-06' } })
      return made
    },
    '06',
    [july('01', '02', 2), july('03', '03', 3), july('04', '04', 2), july('05', '05', 1), july('06', '06', 2)],
  ),
  shows(
    'the last word counts, and only for its dates',
    async (house) => {
      const made = await told(house, ['01', '06', 2])
      await house.stay({
        units: [{ unitTypeId: made.unitTypeId }],
        startDate: '2026-07-01',
        endDate: '2026-07-07',
      })
      await tell(house, made.unitTypeId, [july('02', '03', 2)])
      return made
    },
    '06',
    [july('01', '01', 1), july('02', '03', 2), july('04', '06', 1)],
  ),
  shows(
    'also of a type of which there is no unit here',
    async (house) => {
      const { unitTypeId } = await house.rooms(0)
      await tell(house, unitTypeId, {
        data: [{ type: 'unit-type-availability', attributes: july('02', '03', 5) }],
      })
      return { unitTypeId }
    },
    '06',
    [july('02', '03', 5)],
  ),
  shows(
    'no more when a unit goes that was out of order or blocked, and no less when such a one comes',
    async (house) => {
      const made = await told(house, ['01', '06', 2])
      const [broken, painted] = made.unitIds
      await house.ask('PATCH', `/api/v2/units/${broken}`, { body: { status: 'OutOfOrder' } })
      await house.ask('PATCH', `/api/v2/availability/units/${painted}`, { body: [july('02', '03', 0)] })
      await house.ask('DELETE', `/api/v2/units/${broken}`)
      await house.ask('PATCH', `/api/v2/units/${painted}`, { body: { unitTypeId: null } })
      const { unitTypeId } = made
      await house.make('units', { name: `Broken ${unitTypeId}`, status: 'OutOfOrder', unitTypeId })
      return made
    },
    '06',
    [july('01', '01', 1), july('02', '03', 0), july('04', '06', 1)],
  ),
  shows(
    'a unit that is blocked, or freed, after upstream told is one less, or one more',
    async (house) => {
      const made = await told(house, ['01', '06', 2])
      const block = (body: unknown) =>
        house.ask('PATCH', `/api/v2/availability/units/${made.unitIds[2]}`, { body })
      await block([{ ...july('01', '04', 0) }])
      await tell(house, made.unitTypeId, [july('03', '06', 2)])
      await block([{ ...july('02', '03', 1) }])
      return made
    },
    '06',
    [july('01', '01', 1), july('02', '02', 2), july('03', '03', 3), july('04', '06', 2)],
  ),
])
