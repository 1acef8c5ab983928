import { cash, euros, paidInFull, partlyPaid, party, pay, priced, record } from './paid-stays.ts'
import { type Scenario, scenarios } from './scenario.ts'

const unknown = '0197c0de-0000-7000-8000-000000000000'
const onStay = `{path}/${record}`
const onReservation = `{reservation}/${record}`

scenarios('A payment of a stay', [
  {
    name: '201 with the payment, where it is, its revision, and what is left',
    given: priced,
    request: [
      'POST',
      onStay,
      cash(900, {
        brand: 'Other',
        brandText: 'Meal card',
        customerReceipt: 'SALE 9.00\nThank you',
        terminalTransactionId: 'T-1',
      }),
    ],
    status: 201,
    header: ['location', /^\/api\/v2\/payments\/[0-9a-f-]{36}$/],
    holds: {
      stayId: '{id}',
      currency: 'EUR',
      amount: 900,
      brand: 'Other',
      brandText: 'Meal card',
      customerReceipt: 'SALE 9.00\nThank you',
      terminalTransactionId: 'T-1',
      allotments: [{ stayId: '{id}', share: 900 }],
      voided: false,
      revision: 1,
    },
    lacks: ['voidedAt'],
  },
  {
    name: 'is taken in an envelope, and what is not for the client to say is ignored',
    given: priced,
    request: [
      'POST',
      onStay,
      {
        data: {
          type: 'payment',
          attributes: { ...cash(1), id: unknown, stayId: unknown, voidedAt: '2026-01-01T00:00:00Z' },
        },
      },
    ],
    status: 201,
    holds: { stayId: '{id}', amount: 1 },
    lacks: ['voidedAt'],
  },
  {
    name: 'may be a part: what is left is told on the stay',
    given: priced,
    request: ['POST', onStay, cash(900)],
    status: 201,
    afterwards: '{path}',
    holds: { due: 10_900, paid: 900, outstanding: 10_000, currency: 'EUR' },
  },
  {
    name: 'and on the reservation',
    given: partlyPaid,
    request: ['GET', '{reservation}'],
    status: 200,
    holds: { due: 10_900, paid: 900, outstanding: 10_000, currency: 'EUR' },
  },
  {
    name: 'may be all of the rest',
    given: partlyPaid,
    request: ['POST', onStay, cash(10_000)],
    status: 201,
    afterwards: '{reservation}',
    holds: { paid: 10_900, outstanding: 0 },
  },
  {
    name: '422 above what is outstanding, and says what is',
    given: partlyPaid,
    request: ['POST', onStay, cash(10_001)],
    status: 422,
    error: {
      code: 'payment-exceeds-outstanding',
      at: '/amount',
      meta: { outstanding: 10_000, currency: 'EUR' },
    },
  },
  {
    name: '422 when nothing is outstanding',
    given: paidInFull,
    request: ['POST', onStay, cash(1)],
    status: 422,
    error: { code: 'payment-exceeds-outstanding', meta: { outstanding: 0 } },
  },
  {
    name: '422 above what is outstanding on this stay, however much is on the others',
    given: (house) => party(house, [euros(50), euros(60)]),
    request: ['POST', `{first}/${record}`, cash(5_001)],
    status: 422,
    error: { code: 'payment-exceeds-outstanding', meta: { outstanding: 5_000 } },
  },
  {
    name: '422 for a canceled stay, which owes nothing',
    given: async (house) => {
      const made = await priced(house)
      await house.ask('PATCH', made.path, { body: { status: 'Canceled' } })
      return made
    },
    request: ['POST', onStay, cash(1)],
    status: 422,
    error: { code: 'payment-exceeds-outstanding', meta: { outstanding: 0 } },
  },
  {
    name: '422 in another currency',
    given: priced,
    request: ['POST', onStay, cash(900, { currency: 'CHF' })],
    status: 422,
    error: { code: 'payment-currency-mismatch', at: '/currency', meta: { currency: 'EUR' } },
  },
  {
    name: '422 when nothing has a price',
    given: (house) => priced(house, { amount: null }),
    request: ['POST', onStay, cash(900)],
    status: 422,
    error: { code: 'payment-due-unknown' },
  },
  {
    name: '409 for what the terminal has done once, and says which payment it is',
    given: (house) => partlyPaid(house, { terminalTransactionId: 'T-9' }),
    request: ['POST', onStay, cash(900, { terminalTransactionId: 'T-9' })],
    status: 409,
    error: { code: 'payment-duplicate', at: '/terminalTransactionId', meta: { paymentId: '{paymentId}' } },
  },
  {
    name: '409 for it even when nothing is left to be paid',
    given: async (house) => {
      const made = await priced(house)
      return { ...made, ...(await pay(house, made.path, cash(10_900, { terminalTransactionId: 'T-9' }))) }
    },
    request: ['POST', onStay, cash(10_900, { terminalTransactionId: 'T-9' })],
    status: 409,
    error: { code: 'payment-duplicate' },
  },
  {
    name: '409 for what paid the stay with the whole, though it became dearer since',
    given: async (house) => {
      const made = await priced(house)
      await pay(house, made.reservation, cash(10_900, { terminalTransactionId: 'T-9' }))
      await house.ask('PATCH', made.path, { body: { amount: euros(218) } })
      return made
    },
    request: ['POST', onStay, cash(10_900, { terminalTransactionId: 'T-9' })],
    status: 409,
    error: { code: 'payment-duplicate' },
  },
  {
    name: 'one transaction may pay for several stays',
    given: async (house) => {
      const made = await party(house, [euros(50), euros(60)])
      await pay(house, made.first, cash(5_000, { terminalTransactionId: 'T-9' }))
      return made
    },
    request: ['POST', `{second}/${record}`, cash(6_000, { terminalTransactionId: 'T-9' })],
    status: 201,
  },
  {
    name: 'a transaction whose payment was voided can be recorded again',
    given: async (house) => {
      const made = await partlyPaid(house, { terminalTransactionId: 'T-9' })
      await house.ask('DELETE', made.payment)
      return made
    },
    request: ['POST', onStay, cash(900, { terminalTransactionId: 'T-9' })],
    status: 201,
  },
  {
    name: '404 for a stay that is not there',
    given: priced,
    request: ['POST', `{reservation}/stays/${unknown}/${record}`, cash(900)],
    status: 404,
    error: { code: 'not-found' },
  },
  {
    name: '404 for a stay of another reservation',
    given: async (house) => ({ ...(await priced(house)), other: (await priced(house)).reservation }),
    request: ['POST', `{other}/stays/{id}/${record}`, cash(900)],
    status: 404,
    error: { code: 'not-found' },
  },
  {
    name: '412 when the stay has changed since it was read',
    given: partlyPaid,
    request: ['POST', onStay, cash(900)],
    headers: { 'If-Match': '"1"' },
    status: 412,
    error: { code: 'revision-mismatch' },
  },
  {
    name: 'is tried and not kept with dryRun',
    given: priced,
    request: ['POST', `${onStay}?dryRun=true`, cash(900)],
    status: 201,
    afterwards: '{path}',
    holds: { paid: 0, outstanding: 10_900 },
  },
])

const invalid = (
  name: string,
  body: unknown,
  error: Scenario['error'] = { code: 'validation-failed' },
): Scenario => ({ name: `422: ${name}`, given: priced, request: ['POST', onStay, body], status: 422, error })

scenarios('A payment is refused', [
  invalid('without a currency', { amount: 1, brand: 'Cash' }, { code: 'validation-failed', at: '/currency' }),
  invalid(
    'without an amount',
    { currency: 'EUR', brand: 'Cash' },
    { code: 'validation-failed', at: '/amount' },
  ),
  invalid('without a brand', { currency: 'EUR', amount: 1 }, { code: 'validation-failed', at: '/brand' }),
  invalid('of nothing', cash(0), { code: 'validation-failed', at: '/amount' }),
  invalid('of less than nothing', cash(-1)),
  invalid('of a part of a cent', cash(0.5)),
  invalid('of more than an exact integer', cash(9_007_199_254_740_992)),
  invalid('with an amount in a text', cash(1, { amount: '1' })),
  invalid('in a currency there is none of', cash(1, { currency: 'EUX' }), {
    code: 'validation-failed',
    at: '/currency',
  }),
  invalid('in a currency in small letters', cash(1, { currency: 'eur' })),
  invalid('of a brand there is none of', cash(1, { brand: 'visa' }), {
    code: 'validation-failed',
    at: '/brand',
  }),
  invalid('with a field there is none of', cash(1, { tip: 1 }), { code: 'validation-failed', at: '/tip' }),
  invalid('with a receipt that is too long', cash(1, { customerReceipt: 'é'.repeat(8_193) }), {
    code: 'validation-failed',
    at: '/customerReceipt',
    meta: { expected: { maxBytes: 16_384 } },
  }),
  invalid('with a receipt of no format', cash(1, { customerReceipt: { encoding: 'utf-8', content: '' } })),
  invalid(
    'with a content that is too long',
    cash(1, { merchantReceipt: { format: 'Html', encoding: 'utf-8', content: 'é'.repeat(32_769) } }),
    { code: 'validation-failed', at: '/merchantReceipt/content' },
  ),
  invalid(
    'with a content that is no base64',
    cash(1, { customerReceipt: { format: 'Pdf', encoding: 'base64', content: 'a?' } }),
    { code: 'validation-failed', at: '/customerReceipt/content' },
  ),
  invalid('with a card number on the receipt', cash(1, { customerReceipt: 'VISA 4111 1111 1111 1111' }), {
    code: 'receipt-contains-pan',
    at: '/customerReceipt',
  }),
  invalid(
    'with a card number in an encoded receipt',
    cash(1, {
      merchantReceipt: {
        format: 'Text',
        encoding: 'base64',
        content: Buffer.from('4111111111111111').toString('base64'),
      },
    }),
    { code: 'receipt-contains-pan', at: '/merchantReceipt/content' },
  ),
  invalid('with a card number as a brand', cash(1, { brand: 'Other', brandText: '5555 5555 5555 4444' }), {
    code: 'receipt-contains-pan',
    at: '/brandText',
  }),
  invalid('with a card number as a transaction', cash(1, { terminalTransactionId: '378282246310005' }), {
    code: 'receipt-contains-pan',
    at: '/terminalTransactionId',
  }),
  {
    name: '400: no JSON',
    given: priced,
    request: ['POST', onStay, '{'],
    status: 400,
    error: { code: 'malformed-json' },
  },
  {
    name: '422: a list',
    given: priced,
    request: ['POST', onStay, []],
    status: 422,
    error: { code: 'validation-failed' },
  },
])

const receipt = {
  format: 'Html',
  encoding: 'utf-8',
  content: '<p>VISA ****1111</p>',
  number: 'R-17',
  terminalId: 'TID 4',
  issuedAt: '2026-06-01T16:00:00Z',
}

scenarios('A payment of a reservation', [
  {
    name: 'is all that is outstanding, and each stay has its share of it',
    given: (house) => party(house, [euros(50), null, euros(60)]),
    request: ['POST', onReservation, cash(11_000, { customerReceipt: receipt })],
    status: 201,
    holds: { amount: 11_000, customerReceipt: receipt, allotments: [{ share: 5_000 }, { share: 6_000 }] },
    lacks: ['stayId'],
  },
  {
    name: 'is what is left after the payments of its stays',
    given: partlyPaid,
    request: ['POST', onReservation, cash(10_000)],
    status: 201,
    afterwards: '{path}',
    holds: { paid: 10_900, outstanding: 0 },
  },
  ...[9_999, 10_001, 10_900].map(
    (amount): Scenario => ({
      name: `422 for ${amount}, where 10000 is outstanding`,
      given: partlyPaid,
      request: ['POST', onReservation, cash(amount)],
      status: 422,
      error: {
        code: 'payment-amount-mismatch',
        at: '/amount',
        meta: { outstanding: 10_000, currency: 'EUR' },
      },
    }),
  ),
  {
    name: '422 when nothing is outstanding',
    given: paidInFull,
    request: ['POST', onReservation, cash(10_900)],
    status: 422,
    error: { code: 'payment-amount-mismatch', meta: { outstanding: 0 } },
  },
  {
    name: '422 when nothing has a price',
    given: (house) => priced(house, { amount: null }),
    request: ['POST', onReservation, cash(1)],
    status: 422,
    error: { code: 'payment-due-unknown' },
  },
  {
    name: '422 when its stays are priced in several currencies',
    given: (house) => party(house, [euros(50), { currency: 'CHF', amountWithTax: 60 }]),
    request: ['POST', onReservation, cash(5_000)],
    status: 422,
    error: { code: 'payment-due-unknown' },
  },
  {
    name: 'in several currencies, each stay is paid in its own',
    given: (house) => party(house, [euros(50), { currency: 'CHF', amountWithTax: 60 }]),
    request: ['POST', `{second}/${record}`, cash(6_000, { currency: 'CHF' })],
    status: 201,
  },
  {
    name: '422 in another currency',
    given: priced,
    request: ['POST', onReservation, cash(10_900, { currency: 'CHF' })],
    status: 422,
    error: { code: 'payment-currency-mismatch', at: '/currency' },
  },
  {
    name: '409 for what the terminal has done once',
    given: async (house) => {
      const made = await priced(house)
      const paid = await pay(house, made.reservation, cash(10_900, { terminalTransactionId: 'T-9' }))
      return { ...made, ...paid }
    },
    request: ['POST', onReservation, cash(10_900, { terminalTransactionId: 'T-9' })],
    status: 409,
    error: { code: 'payment-duplicate', meta: { paymentId: '{paymentId}' } },
  },
  {
    name: '409 for what has paid a part of a stay that it would pay again',
    given: (house) => partlyPaid(house, { terminalTransactionId: 'T-9' }),
    request: ['POST', onReservation, cash(10_000, { terminalTransactionId: 'T-9' })],
    status: 409,
    error: { code: 'payment-duplicate', meta: { paymentId: '{paymentId}' } },
  },
  {
    name: 'the rest of a transaction that has paid another stay in full is taken',
    given: async (house) => {
      const made = await party(house, [euros(50), euros(60)])
      await pay(house, made.first, cash(5_000, { terminalTransactionId: 'T-9' }))
      return made
    },
    request: ['POST', onReservation, cash(6_000, { terminalTransactionId: 'T-9' })],
    status: 201,
  },
  {
    name: '404 for a reservation that is not there',
    request: ['POST', `/api/v2/reservations/${unknown}/${record}`, cash(1)],
    status: 404,
    error: { code: 'not-found' },
  },
  {
    name: '412 when it has changed since it was read',
    given: priced,
    request: ['POST', onReservation, cash(10_900)],
    headers: { 'If-Match': '"999"' },
    status: 412,
    error: { code: 'revision-mismatch' },
  },
])
