import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { reservations, stays, sync } from '../../../src/composition/api.ts'
import { pmsActor } from '../../../src/pms/pms-actor.ts'
import type { ConflictPolicy } from '../../../src/pms/resources/conflict-policy.ts'
import type { SharedReservation, SharedStay } from '../../../src/pms/sync/shared-reservation.ts'
import { snapshot } from '../../../src/pms/sync/snapshot.ts'
import type { Offer, OfferAnswer, ReservationChange } from '../../../src/pms/sync-contract.ts'
import { allRights } from '../../../src/reservation/stays/stay-rights.ts'
import { command } from '../../../src/resource/command.ts'
import { Problem } from '../../../src/resource/problem.ts'
import { openBareProperty } from '../../pms/sync/bare-property.ts'
import { usual } from '../../pms/sync/shared-samples.ts'
import { fixedSeed } from '../../runner/fixed-seed.ts'
import fc from '../../seed.ts'

/** The same walks each time; others: `MODEL_SEED=7 MODEL_RUNS=1000 node --test test/long/pms/walk.test.ts`. */
const seed = Number(process.env.MODEL_SEED ?? fixedSeed)
const numRuns = Number(process.env.MODEL_RUNS ?? 1_000)

const policy: ConflictPolicy = { ...usual, comments: 'Local' }
const members = ['endDate', 'adults', 'comment', 'guestComment', 'status'] as const
type Member = (typeof members)[number]

/** A stay's member with one of four values; the status goes only from `Confirmed` to `Canceled` and back. */
function memberOf(name: Member, value: number): Partial<SharedStay> {
  if (name === 'endDate') return { endDate: `2026-07-0${4 + value}` }
  if (name === 'adults') return { personCount: { adults: 1 + value } }
  if (name === 'status') return { status: value === 3 ? 'Canceled' : 'Confirmed' }
  return { [name]: `Text ${value}.` }
}

const blank = (): SharedStay =>
  Object.assign(
    {
      startDate: '2026-07-02',
      units: [{ unitTypeCode: 'WALK', unitName: null }],
    },
    ...members.map((name) => memberOf(name, 0)),
  )

/** What both sides are compared by. */
const seenOf = (value: SharedReservation | null) =>
  value?.stays.map(({ startDate, endDate, personCount, comment, guestComment, status }) => ({
    ...{ startDate, endDate, comment, guestComment, status },
    adults: (personCount as { adults: number }).adults,
  })) ?? null

/** The PMS: all states of each reservation, its answer to each message, and which of ours it has. */
class Pms {
  readonly states = new Map<string, SharedReservation[]>()
  readonly answers = new Map<string, OfferAnswer>()
  readonly byLocalId = new Map<string, string>()
  readonly effects = new Map<string, number>()
  readonly walk: number
  refusing = false
  constructor(walk: number) {
    this.walk = walk
  }

  make(): string {
    const externalId = `W${this.walk}-${this.states.size}`
    const stay = { ...blank(), externalId: `${externalId}-S` }
    this.states.set(externalId, [{ externalId, channel: 'Direct', stays: [stay] }])
    return externalId
  }

  change(externalId: string, name: Member, value: number): void {
    const all = this.states.get(externalId)!
    const before = all.at(-1)!
    const [stay, ...others] = before.stays
    all.push({ ...before, stays: [{ ...stay!, ...memberOf(name, value) }, ...others] })
  }

  report(externalId: string, back = 0): ReservationChange {
    const all = this.states.get(externalId)!
    const revision = Math.max(1, all.length - back)
    return { is: 'reservation', externalId, revision, changedAt: null, value: all[revision - 1]! }
  }

  answer(offer: Offer): OfferAnswer {
    const known = this.answers.get(offer.id)
    if (known) return known
    if (this.refusing) return { is: 'refused', reason: 'Not today.' }
    const externalId = offer.externalId ?? this.byLocalId.get(offer.localId)
    if (externalId && offer.baseRevision !== this.states.get(externalId)!.length)
      return { is: 'outdated', change: this.report(externalId) }
    const id = externalId ?? `W${this.walk}-${this.states.size}`
    this.byLocalId.set(offer.localId, id)
    const stays = offer.value.stays.map((stay) => ({ ...stay, externalId: stay.externalId ?? `${id}-S` }))
    const value = { ...offer.value, externalId: id, stays }
    this.states.set(id, [...(this.states.get(id) ?? []), value])
    for (const each of offer.intents) this.effects.set(each.id, (this.effects.get(each.id) ?? 0) + 1)
    const answer = { is: 'accepted' as const, externalId: id, revision: this.states.get(id)!.length, value }
    this.answers.set(offer.id, answer)
    return answer
  }
}

const which = fc.nat({ max: 5 })
const value = fc.nat({ max: 3 })
const member = fc.constantFrom(...members)
const isCut = fc.constantFrom(false, false, true)
const cuts = ['nowhere', 'nowhere', 'nowhere', 'take', 'message', 'answer', 'commit'] as const
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ is: fc.constant('here'), which, member, value, isCut }) },
  { weight: 5, arbitrary: fc.record({ is: fc.constant('there'), which, member, value }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('book here'), isCut }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('book there') }) },
  {
    weight: 5,
    arbitrary: fc.record({
      is: fc.constant('pull'),
      page: fc.array(fc.record({ which, back: fc.constantFrom(0, 0, 0, 1, 2) }), {
        minLength: 1,
        maxLength: 4,
      }),
      isCut,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      is: fc.constant('push'),
      cut: fc.constantFrom(...cuts),
      isDouble: fc.boolean(),
      isRefused: fc.constantFrom(false, false, false, true),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('restart') }) },
) as fc.Arbitrary<Step>
type Step =
  | { is: 'here'; which: number; member: Member; value: number; isCut: boolean }
  | { is: 'there'; which: number; member: Member; value: number }
  | { is: 'book here'; isCut: boolean }
  | { is: 'book there' }
  | { is: 'restart' }
  | { is: 'pull'; page: { which: number; back: number }[]; isCut: boolean }
  | { is: 'push'; cut: (typeof cuts)[number]; isDouble: boolean; isRefused: boolean }

const property = openBareProperty(Date.UTC(2026, 6, 1, 12))
const { run, configurationId } = property
const by = pmsActor(configurationId)
const rules = { configurationId, policy, direction: 'Both' as const }
const uuid =
  "lower(concat_ws('-', hex(substr(id, 1, 4)), hex(substr(id, 5, 2)), hex(substr(id, 7, 2)), hex(substr(id, 9, 2)), hex(substr(id, 11, 6))))"
const idsIn = (table: string) => property.db.prepare(`SELECT ${uuid} FROM ${table}`).pluck().all() as string[]
const unitTypeId = property.create('unit-type', { code: 'WALK', name: 'Walk', maxOccupancy: 4 })
for (let name = 201; name < 241; name++)
  property.create('unit', { name: String(name), unitTypeId, status: 'Clean' })
const look = command('look', (tx, id: string) => snapshot(tx, id))
let walks = 0

function openWalk() {
  const pms = new Pms(++walks)
  for (const id of idsIn('reservation')) run(reservations.removeReservation, { id })
  for (const table of ['sync_offer', 'sync_record', 'sync_intent']) property.db.exec(`DELETE FROM ${table}`)
  const local: string[] = []
  const localIds = () => {
    const linked = property.db.prepare('SELECT reservationId FROM sync_record').pluck().all() as string[]
    return [...new Set([...local, ...linked])]
  }
  const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(1, all.length)]
  const pull = (changes: ReservationChange[], isCut = false) => {
    const outcomes = run(sync.applyChanges, { ...rules, changes }, { by, isCut })
    for (const each of outcomes) assert.ok(!('reason' in each), JSON.stringify(each))
  }
  const push = (cut: string, { isDouble = false, isRefused = false } = {}): number => {
    property.elapse(61_000)
    const offers = run(
      sync.takeOffers,
      { configurationId, limit: 100, accepts: null },
      { by, isCut: cut === 'take' },
    )
    if (cut === 'take' || cut === 'message') return offers.length
    pms.refusing = isRefused
    for (const offer of offers) {
      const answer = pms.answer(offer)
      if (cut === 'answer') continue
      const input = { ...rules, reservationId: offer.localId, offerId: offer.id, answer }
      run(sync.settleOffer, input, { by, isCut: cut === 'commit' })
      if (cut !== 'commit' && isDouble) assert.equal(run(sync.settleOffer, input, { by }), 'unknown')
    }
    pms.refusing = false
    return offers.length
  }
  const bookHere = (isCut: boolean) => {
    const { units: _, ...stay } = blank()
    const made = run(
      reservations.createReservation,
      {
        attributes: { integrationId: configurationId },
        stays: [{ ...stay, reservationIds: [], units: [{ unitTypeId }] }],
        source: 'Desk',
      } as never,
      { isCut },
    ) as { id: string }
    if (!isCut) local.push(made.id)
  }
  const changeHere = ({ which, member, value, isCut }: Extract<Step, { is: 'here' }>) => {
    const reservationId = pick(localIds(), which)
    const stayId = reservationId && run(look, reservationId)?.stays[0]?.localId
    if (!reservationId || !stayId) return
    const stay = memberOf(member, value)
    const input = { reservationId, stayId, stay, whole: false, rights: allRights }
    try {
      run(stays.updateStay, input as never, { isCut })
    } catch (error) {
      // The desk may not change a canceled stay.
      if (!(error instanceof Problem && error.code === 'stay-status-transition')) throw error
    }
  }
  const go = (each: Step) => {
    const externalIds = [...pms.states.keys()]
    if (each.is === 'there') {
      const found = pick(externalIds, each.which)
      if (found) pms.change(found, each.member, each.value)
    } else if (each.is === 'here') changeHere(each)
    else if (each.is === 'book here') bookHere(each.isCut)
    else if (each.is === 'book there') pms.make()
    else if (each.is === 'restart') property.restart()
    else if (each.is === 'push') push(each.cut, each)
    else {
      const named = each.page.flatMap(({ which, back }) => {
        const externalId = pick(externalIds, which)
        return externalId ? [pms.report(externalId, back)] : []
      })
      pull(named, each.isCut)
    }
  }
  return { pms, go, pull, push, localIds }
}

const leftSql = 'SELECT (SELECT count(*) FROM sync_intent) + (SELECT count(*) FROM sync_offer)'

describe(`reservations that both sides make and change, with seed ${seed}`, () => {
  after(() => property.close())

  it('are the same on both sides in the end, each once, whatever is cut, repeated, refused or late', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
        const walk = openWalk()
        for (const each of steps) walk.go(each)
        run(sync.offerAgain, { configurationId }, { by })
        for (let round = 0; round < 5; round++) {
          walk.push('nowhere')
          walk.pull([...walk.pms.states.keys()].map((each) => walk.pms.report(each)))
        }
        assert.equal(walk.push('nowhere'), 0)
        const here = walk.localIds().flatMap((id) => run(look, id) ?? [])
        const byName = new Map(here.map((each) => [each.externalId, seenOf(each)]))
        assert.equal(here.length, walk.pms.states.size, 'as many here as there')
        for (const [externalId, states] of walk.pms.states)
          assert.deepEqual(byName.get(externalId), seenOf(states.at(-1)!), externalId)
        assert.equal(property.db.prepare(leftSql).pluck().get(), 0)
        for (const [id, count] of walk.pms.effects) assert.equal(count, 1, id)
      }),
      { seed, numRuns },
    )
  })
})
