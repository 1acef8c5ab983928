import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { detailIn } from '../../../src/jsonapi/locales/detail.ts'
import {
  allowedStatuses,
  type Effect,
  type StayStatus,
  stayStatuses,
  transition,
} from '../../../src/reservation/stays/rules/status-rules.ts'
import type { StayFacts } from '../../../src/reservation/stays/rules/stay-guards.ts'
import type { ProblemCode } from '../../../src/resource/problem.ts'
import fc from '../../seed.ts'
import { refusal } from '../refusal.ts'

/** Facts under which every guard holds. */
const fine: StayFacts = {
  today: '2026-05-02',
  startDate: '2026-05-01',
  endDate: '2026-05-02',
  isOverAtKiosk: false,
  unitAssigned: true,
  unitStatus: 'Clean',
  unitStatusAllowed: true,
  outOfOrder: null,
  othersInHouse: [],
  mayKnowOthers: true,
  unitBookedTwice: false,
  outstanding: 0,
  isPriced: true,
  allowOpenBalance: false,
  mayCheckInUnpaid: false,
  missingRegistrations: [],
  isRegistrationWaived: false,
  canReinstate: true,
  unitStillFree: true,
  unitStillFits: true,
  checkedInToday: true,
  checkedOutToday: true,
}

const other = {
  stayId: 'S1',
  reservationId: 'R1',
  guestName: 'Anna Meier',
  unitName: '204',
  since: '2026-04-28',
  endDate: '2026-05-01',
}

const checkIn: Effect[] = ['record-check-in']
const cancel: Effect[] = ['snapshot-fee']

const accepted: [from: StayStatus | null, to: StayStatus, effects: Effect[]][] = [
  [null, 'Tentative', []],
  [null, 'Waitlisted', []],
  [null, 'Confirmed', []],
  [null, 'InHouse', checkIn],
  ['Tentative', 'Confirmed', []],
  ['Waitlisted', 'Confirmed', []],
  ['Tentative', 'Canceled', cancel],
  ['Waitlisted', 'Canceled', cancel],
  ['Confirmed', 'Canceled', cancel],
  ['Confirmed', 'InHouse', checkIn],
  ['Confirmed', 'NoShow', ['snapshot-no-show-fee']],
  ['NoShow', 'Confirmed', ['clear-fee']],
  ['Canceled', 'Confirmed', ['clear-fee']],
  ['InHouse', 'CheckedOut', ['record-check-out']],
  ['InHouse', 'Confirmed', ['undo-check-in']],
  ['CheckedOut', 'InHouse', ['undo-check-out']],
]

describe('A stay changes its status', () => {
  for (const [from, to, effects] of accepted) {
    it(`${from ?? '(new)'} → ${to}: ${effects.join(', ') || 'nothing else'}`, () => {
      assert.deepEqual(transition(from, to, fine).effects, effects)
    })
  }

  for (const from of [null, ...stayStatuses]) {
    const open = accepted.filter(([start]) => start === from).map(([, to]) => to)
    for (const to of stayStatuses.filter((status) => status !== from && !open.includes(status))) {
      it(`${from ?? '(new)'} → ${to} is refused, naming ${open.join(', ')}`, () => {
        const allowed = stayStatuses.filter((status) => open.includes(status))
        assert.throws(
          () => transition(from, to, fine),
          refusal('stay-status-transition', '/status', { allowed }),
        )
      })
    }
  }

  for (const status of stayStatuses) {
    it(`${status} again changes nothing`, () => {
      assert.deepEqual(transition(status, status, { ...fine, today: '1999-01-01' }), { effects: [] })
    })
  }
})

const guarded: [
  rule: string,
  from: StayStatus | null,
  to: StayStatus,
  facts: Partial<StayFacts>,
  ProblemCode,
][] = [
  ['dates must be in order', null, 'Tentative', { startDate: '2026-05-03' }, 'end-before-start'],
  ['a walk-in needs a unit', null, 'InHouse', { unitAssigned: false }, 'unit-required'],
  ['a walk-in has started', null, 'InHouse', { today: '2026-04-30' }, 'stay-status-transition'],
  ['a walk-in is alone in the unit', null, 'InHouse', { othersInHouse: [other] }, 'unit-occupied'],
  ['not before the first day', 'Confirmed', 'InHouse', { today: '2026-04-30' }, 'stay-status-transition'],
  ['not after the last day', 'Confirmed', 'InHouse', { today: '2026-05-03' }, 'stay-status-transition'],
  [
    'not after the departure at a kiosk',
    'Confirmed',
    'InHouse',
    { isOverAtKiosk: true },
    'stay-status-transition',
  ],
  [
    'check-in needs a unit',
    'Confirmed',
    'InHouse',
    { unitAssigned: false, unitStatus: null },
    'unit-required',
  ],
  [
    'a ready unit',
    'Confirmed',
    'InHouse',
    { unitStatusAllowed: false, unitStatus: 'Dirty' },
    'stay-status-transition',
  ],
  ['nobody else in house', 'Confirmed', 'InHouse', { othersInHouse: [other] }, 'unit-occupied'],
  ['nothing owed at a kiosk', 'Confirmed', 'InHouse', { outstanding: 1 }, 'balance-outstanding'],
  ['a known price at a kiosk', 'Confirmed', 'InHouse', { outstanding: null }, 'balance-outstanding'],
  ['no no-show on the first day', 'Confirmed', 'NoShow', { today: '2026-05-01' }, 'stay-status-transition'],
  ['scope', 'Canceled', 'Confirmed', { canReinstate: false }, 'scope-required'],
  ['scope', 'NoShow', 'Confirmed', { canReinstate: false }, 'scope-required'],
  ['nothing owed', 'InHouse', 'CheckedOut', { outstanding: 1 }, 'balance-outstanding'],
  ['a known balance', 'InHouse', 'CheckedOut', { outstanding: null }, 'balance-outstanding'],
  ['reverted the same day', 'InHouse', 'Confirmed', { checkedInToday: false }, 'stay-status-transition'],
  ['undone the same day', 'CheckedOut', 'InHouse', { checkedOutToday: false }, 'stay-status-transition'],
  [
    'undone while nobody else is in house',
    'CheckedOut',
    'InHouse',
    { othersInHouse: [other] },
    'unit-occupied',
  ],
  ['undone while the unit is free', 'CheckedOut', 'InHouse', { unitStillFree: false }, 'unit-occupied'],
]

describe('A guard refuses a status', () => {
  for (const [rule, from, to, facts, code] of guarded) {
    it(`${from ?? '(new)'} → ${to}, ${rule}: ${code}`, () => {
      const now = { ...fine, ...facts }
      const pointer = code === 'end-before-start' ? '/endDate' : '/status'
      assert.throws(() => transition(from, to, now), refusal(code, pointer))
      assert.equal(allowedStatuses(from, now).includes(to), false)
    })
  }

  it('what would be accepted now leaves out the status that was asked for', () => {
    const meta = { guard: 'unit-ready', unitStatus: 'Dirty', allowed: ['Canceled', 'NoShow'] }
    const facts: StayFacts = { ...fine, unitStatusAllowed: false, unitStatus: 'Dirty' }
    assert.throws(
      () => transition('Confirmed', 'InHouse', facts),
      refusal('stay-status-transition', '/status', meta),
    )
  })

  it('a unit that is out of order is named, with its last day and the reason where they are known', () => {
    const facts = (until: string | null, reason: string | null, more = {}): StayFacts => ({
      ...fine,
      unitStatusAllowed: false,
      outOfOrder: { unitName: '101', until, reason },
      ...more,
    })
    const detailOf = (from: StayStatus | null, given: StayFacts) => {
      try {
        transition(from, 'InHouse', given)
        return null
      } catch (error) {
        return (error as Error).message
      }
    }
    for (const [until, reason, detail] of [
      ['2026-05-05', 'Painting', 'Room 101 is out of order until 2026-05-05: Painting. Assign another room.'],
      ['2026-05-05', null, 'Room 101 is out of order until 2026-05-05. Assign another room.'],
      [null, 'Painting', 'Room 101 is out of order: Painting. Assign another room.'],
      [null, null, 'Room 101 is out of order. Assign another room.'],
    ] as const) {
      assert.equal(detailOf('Confirmed', facts(until, reason)), detail)
      assert.equal(detailOf(null, facts(until, reason, { unitStatusAllowed: true })), detail, 'a walk-in')
      for (const language of ['de', 'es', 'fr', 'pt'] as const) {
        const text = detailIn(language, 'stay-status-transition', detail) ?? ''
        assert.ok(
          text.includes('101') && text.includes(reason ?? '101') && text.includes(until ?? '101'),
          text,
        )
        assert.doesNotMatch(text, /[{}]/)
      }
    }
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Za-z0-9 :.]{1,20}$/),
        fc.option(fc.constant('2026-12-24')),
        (reason, until) => {
          const text = detailIn('de', 'stay-status-transition', detailOf('Confirmed', facts(until, reason))!)
          assert.ok(text?.includes(`gesperrt: ${reason}.`), String(text))
          assert.equal(text?.includes('bis 2026-12-24'), until !== null)
        },
      ),
    )
    assert.equal(
      detailOf('CheckedOut', facts(null, null)),
      null,
      'a guest who is still in the room stays there',
    )
  })

  it('a missing scope is named', () => {
    const meta = { scope: 'reservations.reinstate' }
    const facts = { ...fine, canReinstate: false }
    assert.throws(() => transition('NoShow', 'Confirmed', facts), refusal('scope-required', '/status', meta))
  })

  it('a reinstated stay loses a unit that was given away', () => {
    assert.deepEqual(transition('Canceled', 'Confirmed', { ...fine, unitStillFree: false }).effects, [
      'clear-unit',
      'clear-fee',
    ])
  })

  it('a check-out before the last day shortens the stay', () => {
    const { effects } = transition('InHouse', 'CheckedOut', { ...fine, endDate: '2026-05-03' })
    assert.ok(effects.includes('shorten-end'))
  })

  it('a person at the front desk checks a guest in who has not paid', () => {
    const facts = { ...fine, outstanding: 500, mayCheckInUnpaid: true }
    assert.deepEqual(transition('Confirmed', 'InHouse', facts).effects, checkIn)
  })

  it('a kiosk checks a guest in who has paid too much', () => {
    assert.deepEqual(transition('Confirmed', 'InHouse', { ...fine, outstanding: -1 }).effects, checkIn)
  })

  it('a guest who has paid too much checks out', () => {
    const { effects } = transition('InHouse', 'CheckedOut', { ...fine, outstanding: -1 })
    assert.ok(effects.includes('record-check-out'))
  })

  it('an open balance is no obstacle where the property allows it, nor where nothing has a price', () => {
    for (const facts of [
      { outstanding: 500, allowOpenBalance: true },
      { outstanding: null, isPriced: false },
    ]) {
      assert.ok(
        transition('InHouse', 'CheckedOut', { ...fine, ...facts }).effects.includes('record-check-out'),
      )
    }
  })
})
