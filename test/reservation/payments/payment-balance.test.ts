import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Owed,
  reservationBalance,
  stayBalances,
} from '../../../src/reservation/stays/payment-balance.ts'
import fc from '../../seed.ts'

type Row = [due: number | null, received: number]

const euros = ([due, received]: Row): Owed => ({ currency: due === null ? null : 'EUR', due, received })

/** What is due and received on each stay of a reservation; what is paid and outstanding on each, and on the whole. */
const spread: [
  rule: string,
  stays: Row[],
  paid: number[],
  outstanding: (number | null)[],
  whole: number | null,
][] = [
  ['nothing is paid', [[100, 0]], [0], [100], 100],
  ['a part is paid', [[100, 30]], [30], [70], 70],
  [
    'each stay has its own',
    [
      [100, 100],
      [50, 0],
    ],
    [100, 0],
    [0, 50],
    50,
  ],
  [
    'what a canceled stay was paid pays for another',
    [
      [0, 100],
      [150, 0],
    ],
    [0, 100],
    [0, 50],
    50,
  ],
  [
    'the first that is open gets it first',
    [
      [80, 0],
      [0, 100],
      [50, 0],
    ],
    [80, 0, 20],
    [0, 0, 30],
    30,
  ],
  [
    'what nobody needs stays where it was paid',
    [
      [40, 100],
      [50, 0],
    ],
    [50, 50],
    [-10, 0],
    -10,
  ],
  ['one stay was paid too much', [[80, 100]], [100], [-20], -20],
  [
    'a stay without a price is left out',
    [
      [null, 0],
      [10, 10],
    ],
    [0, 10],
    [null, 0],
    0,
  ],
  ['nothing has a price', [[null, 0]], [0], [null], null],
  ['there are no stays', [], [], [], null],
  [
    'a discount is worth something to the others',
    [
      [-20, 0],
      [100, 0],
    ],
    [-20, 20],
    [0, 80],
    80,
  ],
]

describe('What is paid for the stays of a reservation, when', () => {
  for (const [rule, stays, paid, outstanding, whole] of spread) {
    it(rule, () => {
      const balances = stayBalances(stays.map(euros))
      assert.deepEqual(
        balances.map((each) => each.paid),
        paid,
      )
      assert.deepEqual(
        balances.map((each) => each.outstanding),
        outstanding,
      )
      assert.equal(reservationBalance(balances).outstanding, whole)
    })
  }
})

describe('A reservation in several currencies', () => {
  const whole = (stays: Owed[]) => reservationBalance(stayBalances(stays))

  it('has no balance as a whole, and money of one currency pays nothing in the other', () => {
    const stays = [
      { currency: 'EUR', due: 0, received: 100 },
      { currency: 'USD', due: 100, received: 0 },
    ]
    assert.deepEqual(
      stayBalances(stays).map(({ outstanding }) => outstanding),
      [-100, 100],
    )
    assert.deepEqual(whole(stays), { currency: null, due: null, paid: null, outstanding: null })
  })

  it('has one when what is in the other currency owes nothing and was not paid for', () => {
    const stays = [
      { currency: 'USD', due: 0, received: 0 },
      { currency: 'EUR', due: 100, received: 40 },
    ]
    assert.deepEqual(whole(stays), { currency: 'EUR', due: 100, paid: 40, outstanding: 60 })
  })
})

const most = 9_000_000_000_000
const anyStay = fc.record({
  currency: fc.constantFrom('EUR', 'USD'),
  due: fc.integer({ min: -1000, max: most }),
  received: fc.integer({ min: 0, max: most }),
})

it('The stays and the whole agree, whatever is due and was received', () => {
  fc.assert(
    fc.property(fc.array(anyStay, { maxLength: 12 }), (stays) => {
      const balances = stayBalances(stays)
      for (const currency of ['EUR', 'USD']) {
        const mine = balances.filter((each) => each.currency === currency)
        const received = stays.filter((each) => each.currency === currency)
        const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + BigInt(amount), 0n)
        assert.equal(sum(mine.map(({ paid }) => paid)), sum(received.map((each) => each.received)))
        const left = mine.map(({ outstanding }) => outstanding!)
        assert.ok(left.every((each) => each >= 0) || left.every((each) => each <= 0), left.join())
        assert.equal(sum(left), sum(received.map(({ due }) => due)) - sum(mine.map(({ paid }) => paid)))
      }
    }),
  )
})
