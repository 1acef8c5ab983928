import type { ReservationHouse } from '../reservation/api/house.ts'
import fc from '../seed.ts'

export type Values = Record<string, unknown>

/** A collection that a client walks through, and how rows of it come about. */
export interface Walked {
  path: string
  /** Where rows are made, when it is not there. */
  madeAt?: string
  /** What it can be sorted by, besides the fields that `row` gives. */
  sorts: string[]
  /** Values of a row to be made, few of each kind, so that many are equal. */
  row: fc.Arbitrary<Values>
  /** The body of a creation with these values; `number` is another one each time. */
  body(values: Values, number: number): Values
  /** Fields that a PATCH may change by themselves. */
  patched: string[]
  filters: fc.Arbitrary<string>
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const texts = fc.constantFrom('a', 'B', 'b', 'É', 'é', 'z%', '1', '10', '9')
const common = ['id', 'createdAt', 'updatedAt', 'revision']

/** Collections with rows of every kind of value: texts, numbers, days, times, words, references, members of objects. */
export async function walkedCollections(house: ReservationHouse): Promise<Walked[]> {
  const { unitTypeId } = await house.rooms(0)
  const { unitTypeId: otherType } = await house.rooms(0)
  // Of a type that never gets a unit, as many stays as there may be are sold.
  const { unitTypeId: sold } = await house.rooms(0)
  const { reservation } = await house.stay({ units: [{ unitTypeId: sold }] })
  const paid = await house.stay({
    units: [{ unitTypeId: sold }],
    amount: { currency: 'EUR', amountWithTax: 1_000_000 },
  })
  const aType = fc.constantFrom(unitTypeId, otherType)
  const day = fc.constantFrom('2026-07-01', '2026-07-02', '2027-02-28')

  const stayRow = fc.record({
    startDate: day,
    startTime: maybe(fc.constantFrom('08:00', '23:59')),
    status: fc.constantFrom('Tentative', 'Waitlisted', 'Confirmed', 'Canceled'),
    personCount: fc.record({ adults: fc.integer({ min: 1, max: 3 }) }),
    amount: maybe(
      fc.record({ currency: fc.constantFrom('EUR', 'JPY'), amountWithTax: fc.constantFrom(0, 1, 100, 99) }),
    ),
    externalId: maybe(fc.constantFrom('x', 'X', 'é')),
    comment: maybe(texts),
  })
  const stayBody = (values: Values): Values => ({
    ...values,
    status: values.status === 'Canceled' ? 'Confirmed' : values.status,
    endDate: '2027-03-01',
    units: [{ unitTypeId: sold }],
    reservationIds: [],
  })

  return [
    {
      path: '/api/v2/units',
      sorts: ['name', 'status', 'occupied', 'idleSince', ...common],
      row: fc.record({
        floor: maybe(texts),
        priority: maybe(fc.constantFrom(1, 2, 10)),
        unitTypeId: maybe(aType),
        status: fc.constantFrom('Dirty', 'Clean', 'Inspected'),
      }),
      body: (values, number) => ({ ...values, name: `W${number}` }),
      patched: ['floor', 'priority', 'unitTypeId'],
      filters: fc.constantFrom(
        'filter[floor][isnull]=1',
        'filter[floor][ne]=1',
        'filter[floor][like]=É',
        'filter[priority][gte]=2',
        'filter[status]=Clean',
        `filter[unitTypeId]=${unitTypeId}`,
        'filter[unitType.code][notnull]=1',
        'filter[name][like]=W',
      ),
    },
    {
      path: '/api/v2/profiles',
      sorts: ['firstName', 'lastName', 'normalizedName', ...common],
      row: fc.record({
        firstName: texts.map((text) => `F${text}`),
        lastName: texts,
        middleName: maybe(texts),
        gender: maybe(fc.constantFrom('Female', 'Male')),
        birthDate: maybe(fc.constantFrom('1970-01-01', '2000-02-29')),
        nationality: maybe(fc.constantFrom('PT', 'DE')),
        emails: maybe(fc.constant([{ address: 'a@example.org' }])),
      }),
      // An address of his own, because a person has one profile.
      body: ({ emails, ...values }, count) => ({
        ...values,
        ...(emails !== undefined && { emails: [{ address: `a${count}@example.org` }] }),
      }),
      patched: ['middleName', 'gender', 'birthDate', 'nationality'],
      filters: fc.constantFrom(
        'filter[lastName][like]=B',
        'filter[lastName][gt]=a',
        'filter[gender][isnull]=1',
        'filter[birthDate][lt]=2000-01-01',
        'filter[emails.address][like]=EXAMPLE',
      ),
    },
    {
      path: `${reservation}/stays`,
      sorts: [
        'nights',
        'endDate',
        'endTime',
        'plannedStartsAt',
        'personCount.adults',
        'startDate',
        'startTime',
        'status',
        'amount.currency',
        'amount.amountWithTax',
        'checkedInAt',
        ...common,
      ],
      row: stayRow,
      body: (values) => ({ ...stayBody(values), ...oneCurrencyOf(values) }),
      patched: ['comment', 'externalId'],
      filters: fc.constantFrom(
        'filter[startTime][isnull]=1',
        'filter[personCount.adults][gte]=2',
        'filter[amount.amountWithTax][lt]=100',
        'filter[status]=Confirmed',
        'filter[externalId][like]=x',
      ),
    },
    {
      path: '/api/v2/payments',
      madeAt: `${paid.path}/actions/record-payment`,
      // Not by what voiding changes: a voided payment is still there, at another place of such an order.
      sorts: ['amount', 'brand', 'brandText', 'terminalTransactionId', 'currency', 'createdAt', 'id'],
      row: fc.record({
        amount: fc.integer({ min: 1, max: 5 }),
        brand: fc.constantFrom('Cash', 'Visa', 'Other'),
        brandText: maybe(texts),
      }),
      body: (values, number) => ({
        ...values,
        currency: 'EUR',
        terminalTransactionId: `T${number % 7}-${number}`,
      }),
      patched: [],
      filters: fc.constantFrom(
        'filter[brand]=Visa',
        'filter[amount][gte]=3',
        'filter[brandText][isnull]=1',
        'filter[stayId][notnull]=1',
        'filter[terminalTransactionId][like]=t1',
      ),
    },
    {
      path: '/api/v2/reservations',
      // Not by revision: the stays go before their reservation, and with each of them it has a new one.
      sorts: ['arrival', 'departure', 'status', 'due', 'currency', 'source', 'createdAt', 'updatedAt'],
      row: fc.record({
        channel: maybe(texts),
        purpose: maybe(fc.constantFrom('Leisure', 'Business')),
        comment: maybe(texts),
        stays: fc.array(
          stayRow.map((values) => ({ ...stayBody(values), externalId: null })),
          { maxLength: 2 },
        ),
      }),
      body: (values, number) => ({ ...values, externalId: `W${number}`, stays: oneCurrency(values.stays) }),
      patched: ['channel', 'purpose', 'comment'],
      filters: fc.constantFrom(
        'filter[channel][isnull]=1',
        'filter[purpose][ne]=Leisure',
        'filter[due][gt]=0',
        'filter[arrival][lte]=2026-07-01',
        'filter[stays.startDate]=2026-07-02&filter[stays.status][ne]=Tentative',
        'filter[externalId][like]=w1',
      ),
    },
  ]
}

/** What is booked together is paid in one currency. */
function oneCurrency(stays: unknown): unknown {
  return (stays as Values[]).map((stay) => ({ ...stay, ...oneCurrencyOf(stay) }))
}

function oneCurrencyOf({ amount }: Values): Values {
  return amount ? { amount: { ...(amount as object), currency: 'EUR' } } : {}
}
