import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { openHouse, type ReservationHouse, refused } from '../../reservation/api/house.ts'
import { daysLater, type Switch, type WallClock, wallClock } from '../../reservation/api/wall-clock.ts'

type Dates = { startDate: string; startTime?: string; endDate: string; endTime?: string }

/** Zones with the number of clock changes in 2027: at two, at one, at midnight, of half an hour, of two, and none. */
const zones: [zone: string, switches: number][] = [
  ['Europe/Berlin', 2],
  ['America/New_York', 2],
  ['America/St_Johns', 2],
  ['America/Santiago', 2],
  ['America/Havana', 2],
  ['Africa/Cairo', 2],
  ['Australia/Lord_Howe', 2],
  ['Pacific/Chatham', 2],
  ['Antarctica/Troll', 2],
  ['Asia/Kathmandu', 0],
  ['Pacific/Apia', 0],
  ['Pacific/Kiritimati', 0],
]

const checkInTime = '15:00'
const checkOutTime = '11:00'

let house: ReservationHouse
let settings: string
let noon: number
before(async () => {
  house = await openHouse()
  noon = house.clock.now()
  settings = `/api/config/v1/settings/${(await house.ask('GET', '/api/config/v1/settings')).body.data[0].id}`
})
beforeEach(() => house.clock.set(noon))
after(() => house.stop())

async function moveTo(timeZone: string): Promise<WallClock> {
  const { status, text } = await house.ask('PATCH', settings, { body: { timeZone } })
  assert.equal(status, 204, text)
  return wallClock(timeZone)
}

const iso = (instant: number) => new Date(instant).toISOString()

/** How often one goes to bed: counted day by day. */
function nightsOf({ startDate, endDate }: Dates): number {
  let count = 0
  for (let date = startDate; date < endDate; date = daysLater(date, 1)) count++
  return count
}

/** What is planned of a stay of these dates is what the clock on the wall says. */
async function expectPlanned(wall: WallClock, dates: Dates): Promise<void> {
  const { reservation, path } = await house.stay(dates)
  const { nights, plannedStartsAt, plannedEndsAt } = await house.attributes(path)
  const expected = {
    nights: nightsOf(dates),
    plannedStartsAt: iso(wall.startOf(dates.startDate, dates.startTime ?? checkInTime)),
    plannedEndsAt: iso(wall.endOf(dates.endDate, dates.endTime ?? checkOutTime)),
  }
  assert.deepEqual({ nights, plannedStartsAt, plannedEndsAt }, expected, JSON.stringify(dates))
  await house.ask('DELETE', reservation)
}

/** The time so many minutes later on the same day, or null where there is none. */
function minutesLater(time: string, minutes: number): string | null {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const sum = hour * 60 + minute + minutes
  if (sum < 0 || sum >= 1440) return null
  return `${String(Math.floor(sum / 60)).padStart(2, '0')}:${String(sum % 60).padStart(2, '0')}`
}

/** Stays that begin, end and pass in the middle of a clock change, at its edges and around them. */
function staysAt({ date, time, minutes }: Switch): Dates[] {
  const half = minutes / 2
  const times = [-half - 1, -half, 0, half - 1, half, half + 1].flatMap(
    (away) => minutesLater(time, away) ?? [],
  )
  return [
    ...times.map((startTime) => ({ startDate: date, startTime, endDate: daysLater(date, 2) })),
    ...times.map((endTime) => ({ startDate: daysLater(date, -2), endDate: date, endTime })),
    { startDate: daysLater(date, -1), endDate: daysLater(date, 1) },
    { startDate: daysLater(date, -1), startTime: time, endDate: daysLater(date, 1), endTime: time },
  ]
}

/** Days that calendars are wrong about. */
const oddDays: Dates[] = [
  { startDate: '2027-12-31', endDate: '2028-01-01' },
  { startDate: '2027-12-31', startTime: '23:59', endDate: '2028-01-01', endTime: '00:00' },
  { startDate: '2028-02-28', endDate: '2028-03-01' },
  { startDate: '2028-02-29', startTime: '00:00', endDate: '2028-03-01', endTime: '00:00' },
  { startDate: '2027-02-28', endDate: '2027-03-01' },
  { startDate: '2027-06-01', endDate: '2028-06-01' },
  { startDate: '2028-02-29', startTime: '09:00', endDate: '2028-02-29', endTime: '17:00' },
]

for (const [zone, switches] of zones) {
  describe(`In ${zone}`, () => {
    let wall: WallClock
    before(async () => {
      wall = await moveTo(zone)
    })

    it(`a stay over the ${switches} clock changes of a year is planned by the clock on the wall`, async () => {
      const found = wall.switches(2027)
      assert.equal(found.length, switches)
      for (const dates of found.flatMap(staysAt)) await expectPlanned(wall, dates)
    })

    it('a stay over the end of a year, a leap day or none, or no night, has the nights of the calendar', async () => {
      for (const dates of oddDays) await expectPlanned(wall, dates)
    })

    it('a day use on the day of a clock change lasts, or is refused', async () => {
      for (const { date, time, minutes } of wall.switches(2027)) {
        for (const [from, to] of [
          [-minutes, minutes],
          [-minutes / 2 - 1, 0],
          [0, minutes / 2 + 1],
          [0, 5],
          [5, 0],
          [0, 0],
        ]) {
          const [startTime, endTime] = [minutesLater(time, from!), minutesLater(time, to!)]
          if (startTime !== null && endTime !== null) await expectDayUse(wall, date, startTime, endTime)
        }
      }
    })

    it('a guest is let in from the first moment of the first day to the last of the last', async () => {
      await expectLetIn(wall, '2027-06-10')
      for (const { date } of wall.switches(2027)) await expectLetIn(wall, date)
    })

    it('a guest is missed from the first moment of the next day on', async () => {
      for (const date of ['2027-06-10', ...wall.switches(2027).map((each) => each.date)]) {
        const { reservation, path } = await house.stay({ startDate: date, endDate: daysLater(date, 2) })
        const tomorrow = wall.dawn(daysLater(date, 1))
        house.clock.set(tomorrow - 1)
        refused(await set(path, 'NoShow'), 409, 'stay-status-transition', undefined, { guard: 'after-start' })
        house.clock.set(tomorrow)
        assert.equal((await set(path, 'NoShow')).status, 204)
        await house.ask('DELETE', reservation)
      }
    })

    it('a guest who leaves early leaves at the time on the wall, and a late one when he was to', async () => {
      for (const date of ['2027-06-10', ...wall.switches(2027).map((each) => each.date)]) {
        await expectLeaving(wall, date)
      }
    })
  })
}

const set = (path: string, status: string) => house.ask('PATCH', path, { body: { status } })

/** A day use that has a reading by which it ends later than it starts is planned; any other is refused. */
async function expectDayUse(
  wall: WallClock,
  date: string,
  startTime: string,
  endTime: string,
): Promise<void> {
  const dates = { startDate: date, startTime, endDate: date, endTime }
  if (wall.startOf(date, startTime) < wall.endOf(date, endTime)) return expectPlanned(wall, dates)
  if (startTime < endTime) return expectLength(dates)
  const { unitTypeId } = await house.rooms(0)
  const stay = { ...dates, status: 'Confirmed', personCount: { adults: 1 }, units: [{ unitTypeId }] }
  const body = { stays: [{ ...stay, reservationIds: [] }] }
  const reply = await house.ask('POST', '/api/v2/reservations', { body })
  refused(reply, 422, 'end-before-start', '/data/attributes/stays/0/endTime')
}

/** A stay whose start a clock change skips lasts as long as its times say. */
async function expectLength(dates: Required<Dates>): Promise<void> {
  const { reservation, path } = await house.stay(dates)
  const { plannedStartsAt, plannedEndsAt } = await house.attributes(path)
  const utc = (date: string, time: string) => Date.parse(`${date}T${time}Z`)
  assert.equal(
    Date.parse(plannedEndsAt as string) - Date.parse(plannedStartsAt as string),
    utc(dates.endDate, dates.endTime) - utc(dates.startDate, dates.startTime),
    JSON.stringify(dates),
  )
  await house.ask('DELETE', reservation)
}

/** A confirmed stay with a clean unit of its own. */
async function expected(dates: Dates) {
  const { unitTypeId, unitId } = await house.rooms(1)
  return house.stay({ ...dates, units: [{ unitTypeId, unitId }] })
}

async function expectLetIn(wall: WallClock, startDate: string): Promise<void> {
  const endDate = daysLater(startDate, 1)
  const first = wall.dawn(startDate)
  const past = wall.dawn(daysLater(endDate, 1))
  for (const [instant, isLetIn] of [
    [first - 1, false],
    [first, true],
    [past - 1, true],
    [past, false],
  ] as const) {
    house.clock.set(instant)
    const { path } = await expected({ startDate, endDate })
    const reply = await set(path, 'InHouse')
    assert.equal(reply.status, isLetIn ? 204 : 409, `${wall.shows(instant)} for ${startDate}\n${reply.text}`)
    if (!isLetIn) assert.equal(reply.body.errors[0].meta.guard, 'within-stay')
    else assert.equal((await house.attributes(path)).checkedInAt, iso(instant))
  }
}

async function expectLeaving(wall: WallClock, date: string): Promise<void> {
  const stay = { startDate: daysLater(date, -1), endDate: daysLater(date, 2) }
  const into = async (instant: number) => {
    house.clock.set(wall.dawn(stay.startDate))
    const { path } = await expected(stay)
    assert.equal((await set(path, 'InHouse')).status, 204)
    house.clock.set(instant)
    const left = await set(path, 'CheckedOut')
    assert.equal(left.status, 204, left.text)
    return house.attributes(path)
  }
  const early = wall.dawn(date) + 30 * 60_000
  const shown = wall.shows(early)
  assert.partialDeepStrictEqual(await into(early), {
    endDate: shown.slice(0, 10),
    endTime: shown.slice(11, 16),
    nights: 1,
    checkedOutAt: iso(early),
    plannedEndsAt: iso(wall.endOf(shown.slice(0, 10), shown.slice(11, 16))),
  })
  const late = wall.startOf(daysLater(date, 3), '10:00')
  assert.partialDeepStrictEqual(await into(late), {
    endDate: stay.endDate,
    endTime: null,
    nights: 3,
    checkedOutAt: iso(late),
  })
}

describe('The day of the property', () => {
  afterEach(() => house.clock.set(noon))

  const births: [zone: string, instant: string, today: string][] = [
    ['Pacific/Kiritimati', '2027-05-09T10:00:00Z', '2027-05-10'],
    ['Pacific/Kiritimati', '2027-05-09T09:59:59Z', '2027-05-09'],
    ['Pacific/Pago_Pago', '2027-05-10T10:59:59Z', '2027-05-09'],
    ['Asia/Kathmandu', '2027-05-09T18:15:00Z', '2027-05-10'],
  ]
  for (const [zone, instant, today] of births) {
    it(`is ${today} in ${zone} at ${instant}: nobody is born later`, async () => {
      await moveTo(zone)
      house.clock.set(Date.parse(instant))
      const born = (birthDate: string) =>
        house.ask('POST', '/api/v2/profiles', {
          body: { firstName: 'New', lastName: `${zone} ${instant}`, birthDate },
        })
      refused(await born(daysLater(today, 1)), 422, 'validation-failed', '/data/attributes/birthDate')
      assert.equal((await born(today)).status, 201)
    })
  }

  it('is that of the wall when a walk-in comes after midnight', async () => {
    const wall = await moveTo('Pacific/Kiritimati')
    const dawn = wall.dawn('2027-01-01')
    const walkIn = async (startDate: string) => {
      const { unitTypeId, unitId } = await house.rooms(1)
      const units = [{ unitTypeId, unitId }]
      const stay = { startDate, endDate: '2027-01-03', status: 'InHouse', personCount: { adults: 1 }, units }
      return house.ask('POST', '/api/v2/reservations', { body: { stays: [{ ...stay, reservationIds: [] }] } })
    }
    house.clock.set(dawn - 1)
    refused(await walkIn('2027-01-01'), 409, 'stay-status-transition')
    assert.equal((await walkIn('2026-12-31')).status, 201)
    house.clock.set(dawn)
    assert.equal((await walkIn('2027-01-01')).status, 201)
  })

  it('that a zone left out is the day after it in a stay from it', async () => {
    await moveTo('Pacific/Apia')
    await expectLength({
      startDate: '2011-12-30',
      startTime: checkInTime,
      endDate: '2011-12-31',
      endTime: checkOutTime,
    })
  })
})
