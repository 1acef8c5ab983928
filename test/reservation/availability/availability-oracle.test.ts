import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { assignment, reservations, resources, shapeOf, stays } from '../../../src/composition/api.ts'
import { localDate, localInstant } from '../../../src/host/zone.ts'
import { periodsOf } from '../../../src/reservation/availability/availability.ts'
import {
  blockUnit,
  setUnitTypeAvailability,
} from '../../../src/reservation/availability/availability-update.ts'
import { leftIn } from '../../../src/reservation/availability/inventory-nights.ts'
import { momentIn } from '../../../src/reservation/resources/house.ts'
import { settings } from '../../../src/reservation/resources/settings.ts'
import { type Stay, stay } from '../../../src/reservation/resources/stay.ts'
import { type Unit, unit } from '../../../src/reservation/resources/unit.ts'
import { unitType } from '../../../src/reservation/resources/unit-type.ts'
import type { Transaction } from '../../../src/resource/command.ts'
import { Problem } from '../../../src/resource/problem.ts'
import { type Connection, openWritingConnection } from '../../../src/store/connection.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { transactions } from '../../../src/store/writer/transaction.ts'
import fc from '../../seed.ts'

const zone = 'Europe/Lisbon'
const dayMs = 86_400_000
const start = localInstant('2026-06-01', '09:00', zone, 'start')
const day = (offset: number) => localDate(start + offset * dayMs, zone)
/** From the night before the first day on, which is not over in its morning. */
const window = Array.from({ length: 31 }, (_, offset) => day(offset - 1))

interface Told {
  quantity: number
  used: number
}

/** A small house in a real store: two types with units and one without. What upstream told is kept beside it. */
interface House {
  now: number
  types: string[]
  units: { id: string; type: string }[]
  told: Map<string, Told>
}

type Who = 'Api' | 'Pms'

/** Something that is done to the house; the numbers are offsets of days and places in lists. */
type Step = { does: string; who: Who; a: number; b: number; c: number }

let folder: string
let db: Connection
let begin: ReturnType<typeof transactions>['begin']
let rolledBack: ReturnType<typeof transactions>['rolledBack']
let house: House

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'nightporter-oracle-'))
  const path = join(folder, 'nightporter.db')
  db = openWritingConnection(path)
  migrate(db, path)
  ;({ begin, rolledBack } = transactions(db, resources, shapeOf))
})
after(() => {
  db.close()
  rmSync(folder, { recursive: true })
})

const at = () => begin(house.now, { by: 'test', requestId: null })

function found(): House {
  house = { now: start, types: [], units: [], told: new Map() }
  const tx = at()
  tx.insert(settings, {
    timeZone: zone,
    checkInTime: '15:00',
    checkOutTime: '11:00',
    country: 'PT',
    allowOpenBalance: true,
  })
  for (const [code, count] of [
    ['A', 3],
    ['B', 2],
    ['C', 0],
  ] as const) {
    const { id } = tx.insert(unitType, { code, name: code })
    house.types.push(id)
    for (let number = 1; number <= count; number++) {
      const row = tx.insert(unit, { name: `${code}${number}`, unitTypeId: id, status: 'Clean' })
      house.units.push({ id: row.id, type: id })
    }
  }
  return house
}

/** Does the work, or nothing of it; the code of what refused it. */
function attempt(work: (tx: Transaction) => void, keep = true): string | null {
  db.exec('SAVEPOINT attempt')
  try {
    work(at())
    if (!keep) takeBack()
    return null
  } catch (error) {
    takeBack()
    if (!(error instanceof Problem)) throw error
    return error.code
  } finally {
    db.exec('RELEASE attempt')
  }
}

function takeBack(): void {
  db.exec('ROLLBACK TO attempt')
  rolledBack()
}

const all = (tx = at()) => tx.select(stay, [], [], 10_000)

interface World {
  stays: Stay[]
  units: Unit[]
  today: string
  /** The date of the night that is not over: yesterday until the guests of last night leave. */
  night: string
  tonightHasBegun: boolean
}

function world(tx = at()): World {
  const today = localDate(house.now, zone)
  const isMorningOver = house.now >= localInstant(today, '11:00', zone, 'end')
  return {
    stays: all(tx),
    units: tx.select(unit, []),
    today,
    night: isMorningOver ? today : localDate(house.now - dayMs, zone),
    tonightHasBegun: house.now >= localInstant(today, '15:00', zone, 'start'),
  }
}

/** Night by night, one thing after another: nothing is counted beforehand, nothing is kept beside. */
const naive = {
  holds({ status, startDate, endDate }: Stay, date: string): boolean {
    const covers = startDate === endDate ? date === startDate : startDate <= date && date < endDate
    return ['Tentative', 'Confirmed', 'InHouse'].includes(status) && covers
  },
  isPastItsTime(each: Stay, date: string, { today, night, tonightHasBegun }: World): boolean {
    if (each.status !== 'InHouse' || naive.holds(each, date)) return false
    if (date === today) return each.endDate < today || (each.endDate === today && tonightHasBegun)
    return date === night && each.endDate <= night
  },
  /** Guests who share take a unit once. */
  places(type: string, stays: Stay[]): number {
    const shared = new Set<string>()
    let alone = 0
    for (const { shareId, units } of stays)
      for (const { unitId } of units.filter(({ unitTypeId }) => unitTypeId === type))
        if (shareId && unitId) shared.add(`${shareId}/${unitId}`)
        else alone++
    return alone + shared.size
  },
  held(type: string, date: string, stays: Stay[]): number {
    return naive.places(
      type,
      stays.filter((each) => naive.holds(each, date)),
    )
  },
  used(type: string, date: string, at: World): number {
    const there = at.stays.filter((each) => naive.holds(each, date) || naive.isPastItsTime(each, date, at))
    const out = at.units.filter(({ unitTypeId, status, blocks }) => {
      const isBlocked = blocks?.some((block) => block.startDate <= date && date <= block.endDate)
      return unitTypeId === type && (status === 'OutOfOrder' || isBlocked)
    })
    return naive.places(type, there) + out.length
  },
  left(type: string, date: string, at: World): number | null {
    const used = naive.used(type, date, at)
    const told = house.told.get(`${type}/${date}`)
    if (told) return told.quantity + told.used - used
    const units = at.units.filter(({ unitTypeId }) => unitTypeId === type).length
    return units === 0 ? null : units - used
  },
}

/**
 * Dates that are held more often than before, and for which there is no unit: from today on, and the night that is not
 * over, which is nothing new to those who were in house and have no more units than they had.
 */
function oversold(before: World, after: World): string[] {
  const here = before.stays.filter(({ id, status, units }) => {
    const now = after.stays.find((each) => each.id === id)
    return ['InHouse', 'CheckedOut'].includes(status) && (now?.units.length ?? 0) <= units.length
  })
  const others = ({ stays }: World) => stays.filter(({ id }) => !here.some((each) => each.id === id))
  return house.types.flatMap((type) =>
    window.filter((date) => {
      const grows = (count: (at: World) => number) => count(after) > count(before)
      const isSold =
        date >= after.today || (date === after.night && grows((at) => naive.held(type, date, others(at))))
      const isMore =
        grows((at) => naive.held(type, date, at.stays)) && grows((at) => naive.used(type, date, at))
      return isSold && isMore && (naive.left(type, date, after) ?? 0) < 0
    }),
  )
}

const body = (type: string, { a, b, c }: Step) => ({
  startDate: day(a),
  endDate: day(a + (b % 5)),
  startTime: '10:00',
  endTime: '11:00',
  status: (['Confirmed', 'Confirmed', 'Tentative', 'Waitlisted'] as const)[c % 4]!,
  personCount: { adults: 1 },
  units: Array.from({ length: 1 + (c % 2) }, () => ({ unitTypeId: type })),
  reservationIds: [],
})

const rights = (who: Who) => ({
  write: true,
  checkIn: true,
  checkOut: true,
  reinstate: true,
  overbook: who === 'Pms',
})
const update = (tx: Transaction, who: Who, row: Stay, fields: object) =>
  stays.updateStay.run(tx, {
    reservationId: row.reservationId,
    stayId: row.id,
    stay: { ...fields },
    whole: false,
    rights: rights(who),
  })

/** What is sold, moved or released: asked of both, and of the oracle. */
const sales: Record<string, (tx: Transaction, step: Step, row: Stay | undefined) => void> = {
  book: (tx, step) => {
    const given = [step.b, step.c].slice(0, 1 + (step.c % 2)).map((at) => body(house.types[at % 3]!, step))
    reservations.createReservation.run(tx, { source: step.who, attributes: {}, stays: given })
  },
  bookTonight: (tx, step) => {
    const [startDate, endDate] = [world(tx).night, localDate(house.now + (step.b % 3) * dayMs, zone)]
    const given = [{ ...body(house.types[step.c % 3]!, step), startDate, endDate }]
    reservations.createReservation.run(tx, { source: step.who, attributes: {}, stays: given })
  },
  move: (tx, step, row) =>
    row && update(tx, step.who, row, { startDate: day(step.a), endDate: day(step.a + (step.b % 6)) }),
  retype: (tx, step, row) =>
    row &&
    update(tx, step.who, row, { units: row.units.map(() => ({ unitTypeId: house.types[step.b % 3]! })) }),
  more: (tx, step, row) =>
    row && update(tx, step.who, row, { units: [...row.units, { unitTypeId: house.types[step.b % 3]! }] }),
  confirm: (tx, step, row) => row && update(tx, step.who, row, { status: 'Confirmed' }),
  cancel: (tx, step, row) => row && update(tx, step.who, row, { status: 'Canceled' }),
  add: (tx, step, row) =>
    row &&
    stays.addStay.run(tx, {
      reservationId: row.reservationId,
      stay: body(house.types[step.b % 3]!, step),
      rights: rights(step.who),
    }),
  remove: (tx, _, row) => row && reservations.removeReservation.run(tx, { id: row.reservationId }),
  replace: (tx, step, row) => {
    if (!row) return
    const given = [
      body(house.types[step.b % 3]!, step),
      { ...body(house.types[step.c % 3]!, step), id: row.id },
    ]
    const input = {
      id: row.reservationId,
      attributes: {},
      stays: given,
      whole: false,
      rights: rights(step.who),
    }
    reservations.replaceReservation.run(tx, input)
  },
  checkIn: (tx, step, row) => {
    const free = house.units.find(({ type }) => type === row?.units[0]?.unitTypeId)
    if (!row || !free) return
    update(tx, step.who, row, { units: [{ unitTypeId: free.type, unitId: free.id }] })
    update(tx, step.who, tx.find(stay, row.id), { status: 'InHouse' })
  },
  walkIn: (tx, step) => {
    const { id, type } = house.units[step.c % house.units.length]!
    const stay = {
      ...body(type, step),
      startDate: world(tx).night,
      status: 'InHouse' as const,
      units: [{ unitTypeId: type, unitId: id }],
    }
    const endDate = localDate(house.now + (step.b % 3) * dayMs, zone)
    const source = step.who
    reservations.createReservation.run(tx, { source, attributes: {}, stays: [{ ...stay, endDate }] })
  },
  share: (tx, step, row) => {
    const others = all(tx)
    const other = others[step.b % Math.max(1, others.length)]
    if (row && other)
      assignment.shareUnits.run(tx, { stayId: row.id, withStayId: other.id, rights: rights(step.who) })
  },
  part: (tx, step, row) => row && update(tx, step.who, row, { shareId: null }),
  checkOut: (tx, step, row) => row && update(tx, step.who, row, { status: 'CheckedOut' }),
}

/** What happens to the house itself. */
const events: Record<string, (step: Step) => void> = {
  tell: ({ a, b, c }) => {
    const type = house.types[c % 3]!
    const periods = [
      { startDate: day(a), endDate: day(a + (b % 4)), quantity: c % 4 },
      { startDate: day(a + (b % 4) + 1), endDate: day(a + (b % 4) + 2), quantity: (c % 4) + 1 },
    ]
    const before = world()
    assert.equal(
      attempt((tx) => void setUnitTypeAvailability.run(tx, { unitTypeId: type, periods })),
      null,
    )
    for (const { startDate, endDate, quantity } of periods) {
      for (const date of window.filter((each) => startDate <= each && each <= endDate))
        house.told.set(`${type}/${date}`, { quantity, used: naive.used(type, date, before) })
    }
  },
  block: ({ a, b, c }) => {
    const { id } = house.units[c % house.units.length]!
    const periods = [{ startDate: day(a), endDate: day(a + (b % 4)), quantity: c % 2 }]
    attempt((tx) => void blockUnit.run(tx, { unitId: id, periods }))
  },
  order: ({ b, c }) => {
    const { id } = house.units[c % house.units.length]!
    attempt((tx) => void tx.patch(unit, id, { status: b % 2 ? 'OutOfOrder' : 'Clean' }))
  },
  wait: ({ b }) => {
    house.now += (1 + (b % 30)) * 3_600_000
  },
}

function take(step: Step): void {
  const event = events[step.does]
  if (event) event(step)
  else sell(step, sales[step.does]!)
}

function sell(step: Step, sale: (typeof sales)[string]): void {
  const before = world()
  const row = before.stays[step.c % Math.max(1, before.stays.length)]
  const refused = attempt((tx) => sale(tx, step, row))
  if (refused === 'no-eligible-unit') {
    assert.equal(step.who, 'Api', 'what a PMS tells is kept')
    attempt((tx) => {
      sale(tx, { ...step, who: 'Pms' }, row)
      assert.notDeepEqual(oversold(before, world(tx)), [], 'refused although a unit was left')
    }, false)
  } else if (step.who === 'Api') assert.deepEqual(oversold(before, world()), [], 'sold what is not there')
}

/** What was told of nights that are over is forgotten. */
function expectOracle(): void {
  const tx = at()
  const now = world(tx)
  const dates = window.filter((date) => date >= now.night)
  for (const type of house.types) {
    const expected = dates.map((date) => ({ date, left: naive.left(type, date, now) }))
    const found = leftIn(tx, type, { first: dates[0]!, last: dates.at(-1)! }, momentIn(tx))
    assert.deepEqual(found, expected)
    const shown = new Map(
      periodsOf(found).flatMap(({ startDate, endDate, quantity }) =>
        dates.filter((date) => startDate <= date && date <= endDate).map((date) => [date, quantity]),
      ),
    )
    for (const { date, left } of expected)
      assert.equal(shown.get(date) ?? null, left === null ? null : Math.max(0, left))
  }
}

function inAHouse(work: () => void): void {
  db.exec('BEGIN')
  try {
    found()
    work()
  } finally {
    db.exec('ROLLBACK')
    rolledBack()
  }
}

const stepOf = (names: string[], who: fc.Arbitrary<Who>): fc.Arbitrary<Step> =>
  fc.record({
    does: fc.constantFrom(...names),
    who,
    a: fc.integer({ min: 0, max: 15 }),
    b: fc.nat({ max: 60 }),
    c: fc.nat({ max: 60 }),
  })

describe('Availability, against one who counts night by night', () => {
  it('is always the same, whatever is told, blocked, sold, moved and released', () => {
    const booking = ['book', 'book', 'walkIn', 'walkIn', 'wait', 'wait']
    const names = [...booking, ...Object.keys(sales), ...Object.keys(events)]
    const steps = fc.array(stepOf(names, fc.constantFrom('Api', 'Api', 'Pms')), {
      minLength: 10,
      maxLength: 40,
    })
    fc.assert(
      fc.property(steps, (given) =>
        inAHouse(() => {
          for (const step of given) {
            take(step)
            expectOracle()
          }
        }),
      ),
      { numRuns: 40 },
    )
  })

  it('never falls below nothing by what is sold here', () => {
    const steps = fc.array(stepOf(['book', 'book', ...Object.keys(sales)], fc.constant('Api')), {
      minLength: 20,
      maxLength: 60,
    })
    fc.assert(
      fc.property(steps, (given) =>
        inAHouse(() => {
          for (const step of given) take(step)
          const now = world()
          for (const type of house.types) {
            for (const date of window.filter((each) => each >= now.today))
              assert.ok((naive.left(type, date, now) ?? 0) >= 0, `${type} is oversold on ${date}`)
          }
        }),
      ),
      { numRuns: 40 },
    )
  })
})
