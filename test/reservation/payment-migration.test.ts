import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { migrate, migrations } from '../../src/store/migrate.ts'

type Row = Record<string, string | number | null>

/** Up to the one that brings payments, and the database as it was when nobody could pay yet. */
const steps = migrations().filter(({ version }) => version <= 2)
const before = steps.slice(0, 1)

interface Service {
  id: number
  count: number | null
}

interface KeptStay {
  status?: string
  nights?: number
  adults?: number
  children?: number
  amount?: { currency: string; amountWithTax: number }
  services?: Service[]
}

const services: Row[] = [
  { rid: 1, currencyCode: 'EUR', amountWithTax: 145_000, pricingType: 21, count: 1 },
  { rid: 2, currencyCode: 'EUR', amountWithTax: 1_000, pricingType: 24, count: 6 },
  { rid: 3, currencyCode: 'JPY', amountWithTax: 5_000_000, pricingType: 19, count: 1 },
  { rid: 4, currencyCode: 'EUR', amountWithTax: 20_000, pricingType: 20, count: 1 },
  { rid: 5, currencyCode: 'KWD', amountWithTax: 12_340, pricingType: 12, count: 1 },
]

let number = 0

function insert(db: Database.Database, table: string, row: Row): number {
  number++
  const id = Buffer.alloc(16)
  id.writeUInt32BE(number, 12)
  const common = table.startsWith('stay_') ? {} : { rid: number, id, createdAt: 0, updatedAt: 0, revision: 3 }
  const values = { ...common, ...row }
  const names = Object.keys(values)
  db.prepare(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => '?')})`).run(...Object.values(values))
  return Number(values.rid ?? 0)
}

/** A reservation with these stays, taken through the migrations; its row, the rows of its stays and of their services. */
function migrated(stays: KeptStay[]) {
  const db = new Database(':memory:')
  migrate(db, ':memory:', before)
  for (const service of services)
    insert(db, 'service', { ...service, code: 'S', name: 'S', amountWithoutTax: 0 })
  const reservationId = insert(db, 'reservation', { due: 1, paid: 0, outstanding: 1, currency: 'XXX' })
  for (const { status = 'Confirmed', nights = 2, adults = 2, children = 0, amount, services = [] } of stays) {
    const owner = insert(db, 'stay', {
      reservationId,
      startDate: '2026-06-01',
      endDate: '2026-06-03',
      status,
      nights,
      personCount: JSON.stringify({
        adults,
        children,
        childrenAges: null,
        infants: 1,
        total: adults + children,
      }),
      amount: amount ? JSON.stringify({ ...amount, amountWithoutTax: 0 }) : null,
    })
    for (const [position, { id, count }] of services.entries())
      insert(db, 'stay_service', { owner, position, serviceId: id, count })
  }
  migrate(db, ':memory:', steps)
  const shown = 'due, paid, outstanding, currency'
  return {
    reservation: db.prepare(`SELECT ${shown}, revision FROM reservation`).get() as Row,
    stays: db.prepare(`SELECT ${shown}, revision FROM stay ORDER BY rid`).all() as Row[],
    services: db.prepare('SELECT * FROM stay_service ORDER BY owner, position').all() as Row[],
  }
}

const EUR = (amountWithTax: number) => ({ currency: 'EUR', amountWithTax })

const dues: [rule: string, stay: KeptStay, due: number | null, currency: string | null][] = [
  ['a price', { amount: EUR(218) }, 21_800, 'EUR'],
  ['a price that no binary fraction is', { amount: EUR(0.29) }, 29, 'EUR'],
  ['a high price', { amount: EUR(9_999_999_999_999.99) }, 999_999_999_999_999, 'EUR'],
  ['a price without decimals', { amount: { currency: 'JPY', amountWithTax: 12_000 } }, 12_000, 'JPY'],
  ['a price with three', { amount: { currency: 'KWD', amountWithTax: 19.995 } }, 19_995, 'KWD'],
  [
    'a service by person and night',
    { adults: 2, children: 1, services: [{ id: 1, count: 1 }] },
    8_700,
    'EUR',
  ],
  ['a service by person', { services: [{ id: 4, count: 1 }] }, 400, 'EUR'],
  ['a service by night', { nights: 3, services: [{ id: 3, count: 1 }] }, 1_500, 'JPY'],
  ['a service by stay', { services: [{ id: 5, count: 1 }] }, 1_234, 'KWD'],
  ['items', { services: [{ id: 2, count: 5 }] }, 50, 'EUR'],
  ['items that nobody counted', { services: [{ id: 2, count: null }] }, 60, 'EUR'],
  ['a price and a service', { amount: EUR(100), services: [{ id: 2, count: 1 }] }, 10_010, 'EUR'],
  ['a day without a night', { nights: 0, amount: EUR(5), services: [{ id: 1, count: 1 }] }, 500, 'EUR'],
  ['a canceled stay', { status: 'Canceled', amount: EUR(100) }, 0, 'EUR'],
  ['a guest who did not come', { status: 'NoShow', amount: EUR(100) }, 0, 'EUR'],
  ['a guest who has left', { status: 'CheckedOut', amount: EUR(100) }, 10_000, 'EUR'],
  ['no price', {}, null, null],
  ['two currencies', { amount: EUR(100), services: [{ id: 3, count: 1 }] }, null, null],
]

describe('A house that is updated knows what is due for', () => {
  for (const [rule, stay, due, currency] of dues) {
    it(rule, () => {
      const { stays, reservation } = migrated([stay])
      const row = { due, paid: 0, outstanding: due, currency, revision: 4 }
      assert.deepEqual(stays, [row])
      assert.deepEqual(reservation, row)
    })
  }

  it('a reservation of several stays', () => {
    const { reservation } = migrated([{ amount: EUR(100) }, {}, { amount: EUR(50) }])
    assert.deepEqual(reservation, { due: 15_000, paid: 0, outstanding: 15_000, currency: 'EUR', revision: 4 })
  })

  it('one in several currencies: nothing', () => {
    const { reservation } = migrated([
      { amount: EUR(100) },
      { amount: { currency: 'CHF', amountWithTax: 1 } },
    ])
    assert.deepEqual(reservation, { due: null, paid: null, outstanding: null, currency: null, revision: 4 })
  })

  it('one in several currencies of which one owes nothing: the other', () => {
    const canceled = { status: 'Canceled', amount: { currency: 'CHF', amountWithTax: 1 } }
    const { reservation } = migrated([{ amount: EUR(100) }, canceled])
    assert.deepEqual(reservation, { due: 10_000, paid: 0, outstanding: 10_000, currency: 'EUR', revision: 4 })
  })

  it('its booked services, each with its price', () => {
    const { services: booked } = migrated([
      {
        services: [
          { id: 1, count: 1 },
          { id: 2, count: null },
        ],
      },
    ])
    assert.partialDeepStrictEqual(booked, [
      {
        serviceId: 1,
        count: 1,
        currencyCode: 'EUR',
        amountWithTax: 145_000,
        amountWithoutTax: 0,
        pricingType: 21,
      },
      {
        serviceId: 2,
        count: 6,
        currencyCode: 'EUR',
        amountWithTax: 1_000,
        amountWithoutTax: 0,
        pricingType: 24,
      },
    ])
  })
})
