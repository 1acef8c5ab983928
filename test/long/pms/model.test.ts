import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { stays, sync } from '../../../src/composition/api.ts'
import { pmsActor } from '../../../src/pms/pms-actor.ts'
import type { ConflictPolicy } from '../../../src/pms/resources/conflict-policy.ts'
import type { SharedReservation } from '../../../src/pms/sync/shared-reservation.ts'
import type { Offer, OfferAnswer, ReservationChange } from '../../../src/pms/sync-contract.ts'
import { allRights } from '../../../src/reservation/stays/stay-rights.ts'
import { openBareProperty } from '../../pms/sync/bare-property.ts'
import { usual } from '../../pms/sync/shared-samples.ts'
import { fixedSeed } from '../../runner/fixed-seed.ts'
import fc from '../../seed.ts'

/** The same walks each time; others: `MODEL_SEED=7 MODEL_RUNS=1000 node --test test/long/pms/model.test.ts`. */
const seed = Number(process.env.MODEL_SEED ?? fixedSeed)
const numRuns = Number(process.env.MODEL_RUNS ?? 1_000)

/** One member of a stay from each of these groups; each has one of four values. */
const groups = ['dates', 'guests', 'comments'] as const
type Group = (typeof groups)[number]
type Values = Record<Group, number>
const policy: ConflictPolicy = { ...usual, dates: 'Pms', guests: 'Pms', comments: 'Local' }

/** What is expected of one reservation. `marks` are the groups with an intent, each with the time of its last change here. */
class Model {
  local: Values = { dates: 0, guests: 0, comments: 0 }
  shadow: Values = { ...this.local }
  revision = 1
  /** The shadow is a report, which may come again; otherwise a message that the PMS has accepted. */
  isReported = true
  marks = new Map<Group, number>()
  sent: { value: Values; groups: Group[]; at: number } | null = null
  #now = 0

  change(group: Group, value: number): void {
    if (this.local[group] === value) return
    this.local[group] = value
    this.marks.set(group, ++this.#now)
  }

  report(value: Values, revision: number): void {
    if (revision < this.revision || (revision === this.revision && this.isReported)) return
    for (const group of groups) {
      const [before, is] = [this.shadow[group], value[group]]
      const isOurs =
        this.sent?.groups.includes(group) && is === this.sent.value[group] && this.marks.has(group)
      if (is !== before && !isOurs) this.#changedThere(group, is)
      if (this.local[group] === is) this.marks.delete(group)
    }
    this.shadow = { ...value }
    this.revision = revision
    this.isReported = true
  }

  #changedThere(group: Group, value: number): void {
    if (this.marks.has(group) && policy[group] === 'Local') {
      if (this.local[group] !== value) this.marks.set(group, ++this.#now)
      return
    }
    this.local[group] = value
    this.marks.delete(group)
  }

  /** Whether a message is sent, and with what. */
  send(): Values | null {
    if (this.sent) return this.sent.value
    const isOpen = (group: Group) => this.local[group] !== this.shadow[group]
    if (![...this.marks.keys()].some(isOpen)) {
      this.marks.clear()
      return null
    }
    const value = { ...this.shadow }
    for (const group of this.marks.keys()) value[group] = this.local[group]
    this.sent = { value, groups: [...this.marks.keys()], at: this.#now }
    return value
  }

  accepted(revision: number): void {
    const { value, at } = this.sent!
    this.sent = null
    for (const [group, mark] of this.marks) if (mark <= at) this.marks.delete(group)
    const later = { value: this.shadow, revision: this.revision }
    this.shadow = { ...value }
    this.revision = revision
    this.isReported = false
    if (later.revision > revision) this.report(later.value, later.revision)
  }

  outdated(value: Values, revision: number): void {
    this.report(value, revision)
    this.sent = null
  }
}

const day = (value: number) => `2026-07-0${4 + value}`
const sharedOf = (externalId: string, { dates, guests, comments }: Values): SharedReservation => ({
  externalId,
  channel: 'Direct',
  stays: [
    {
      externalId: `${externalId}-S`,
      status: 'Confirmed',
      startDate: '2026-07-02',
      endDate: day(dates),
      personCount: { adults: 1 + guests },
      units: [{ unitTypeCode: 'DBL', unitName: null }],
      comment: `Comment ${comments}.`,
    },
  ],
})
const valuesOf = ({ stays: [stay] }: SharedReservation): Values => ({
  dates: Number(stay!.endDate.slice(-1)) - 4,
  guests: (stay!.personCount as { adults: number }).adults - 1,
  comments: Number(/\d/.exec(stay!.comment!)![0]),
})

/** The PMS: every state that a reservation has had there, and its answer to each message. */
class Pms {
  readonly states: Values[] = [{ dates: 0, guests: 0, comments: 0 }]
  readonly answers = new Map<string, OfferAnswer>()
  /** How often each intent was carried out, by its id. */
  readonly effects = new Map<string, number>()
  readonly externalId: string
  constructor(externalId: string) {
    this.externalId = externalId
  }

  change(group: Group, value: number): void {
    this.states.push({ ...this.states.at(-1)!, [group]: value })
  }

  report(revision: number): ReservationChange {
    const { externalId } = this
    const value = sharedOf(externalId, this.states[revision - 1]!)
    return { is: 'reservation', externalId, revision, changedAt: null, value }
  }

  answer({ id, baseRevision, value, intents }: Offer): OfferAnswer {
    const { externalId } = this
    const known = this.answers.get(id)
    if (known) return known
    if (baseRevision !== this.states.length)
      return { is: 'outdated', change: this.report(this.states.length) }
    this.states.push(valuesOf(value))
    for (const each of intents) this.effects.set(each.id, (this.effects.get(each.id) ?? 0) + 1)
    const answer = { is: 'accepted' as const, externalId, revision: this.states.length }
    this.answers.set(id, answer)
    return answer
  }
}

const which = fc.nat({ max: 2 })
const value = fc.nat({ max: 3 })
const step = fc.oneof(
  fc.record({
    is: fc.constant('here' as const),
    which,
    group: fc.constantFrom(...groups),
    value,
    isCut: fc.constantFrom(false, false, true),
  }),
  fc.record({ is: fc.constant('there' as const), which, group: fc.constantFrom(...groups), value }),
  // A page may hold old reports, the same ones again, and several of one reservation.
  fc.record({
    is: fc.constant('pull' as const),
    page: fc.array(fc.record({ which, back: fc.constantFrom(0, 0, 0, 1, 2) }), {
      minLength: 1,
      maxLength: 4,
    }),
    isCut: fc.boolean(),
  }),
  // The appliance dies while it makes the messages, the line breaks before the PMS has a message or before its answer is here, or the
  // appliance dies over the answer.
  fc.record({
    is: fc.constant('push' as const),
    cut: fc.constantFrom('nowhere', 'nowhere', 'take', 'message', 'answer', 'commit'),
  }),
  fc.record({ is: fc.constant('restart' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const property = openBareProperty(Date.UTC(2026, 6, 1, 12))
const { run, configurationId } = property
const by = pmsActor(configurationId)
const rules = { configurationId, policy, direction: 'Both' as const }
let walks = 0

function openWalk() {
  const walk = ++walks
  // A walk that failed has left messages.
  property.db.exec('DELETE FROM sync_offer')
  const all = [0, 1, 2].map((at) => ({ model: new Model(), pms: new Pms(`W${walk}R${at}`), localId: '' }))
  run(sync.applyChanges, { ...rules, changes: all.map(({ pms }) => pms.report(1)) }, { by })
  const idSql = 'SELECT reservationId FROM sync_record WHERE externalId = ?'
  for (const each of all) each.localId = one(idSql, each.pms.externalId) as string

  const pull = (picked: readonly { which: number; revision: number }[], isCut: boolean) => {
    const changes = picked.map(({ which, revision }) => all[which]!.pms.report(revision))
    run(sync.applyChanges, { ...rules, changes }, { by, isCut })
    if (isCut) return
    for (const { which, revision } of picked) {
      const { model, pms } = all[which]!
      model.report(pms.states[revision - 1]!, revision)
    }
  }

  /** Answers how many messages were sent. */
  const push = (cut: string): number => {
    property.elapse(61_000)
    const input = { configurationId, limit: 100, accepts: null }
    const offers = run(sync.takeOffers, input, { by, isCut: cut === 'take' })
    if (cut === 'take') return offers.length
    const sent = new Map(offers.map((offer) => [offer.localId, offer]))
    assert.ok(offers.every(({ localId }) => all.some((each) => each.localId === localId)))
    for (const { model, localId } of all)
      assert.deepEqual(sent.has(localId) ? valuesOf(sent.get(localId)!.value) : null, model.send())
    if (cut === 'message') return offers.length
    for (const { model, pms, localId } of all) {
      const offer = sent.get(localId)
      if (!offer) continue
      const answer = pms.answer(offer)
      if (cut === 'answer') continue
      const input = { ...rules, reservationId: localId, offerId: offer.id, answer }
      assert.equal(run(sync.settleOffer, input, { by, isCut: cut === 'commit' }), answer.is)
      if (cut === 'commit') continue
      if (answer.is === 'accepted') model.accepted(answer.revision)
      else if (answer.is === 'outdated') model.outdated(pms.states.at(-1)!, pms.states.length)
    }
    return offers.length
  }

  const go = (each: Step) => {
    if (each.is === 'there') all[each.which]!.pms.change(each.group, each.value)
    else if (each.is === 'push') push(each.cut)
    else if (each.is === 'restart') property.restart()
    else if (each.is === 'here') changeHere(each)
    else {
      const revisionOf = ({ which, back }: { which: number; back: number }) =>
        Math.max(1, all[which]!.pms.states.length - back)
      pull(
        each.page.map((one) => ({ which: one.which, revision: revisionOf(one) })),
        each.isCut,
      )
    }
  }

  const changeHere = ({ which, group, value, isCut }: Extract<Step, { is: 'here' }>) => {
    const { model, localId } = all[which]!
    const stay = {
      dates: { endDate: day(value) },
      guests: { personCount: { adults: 1 + value } },
      comments: { comment: `Comment ${value}.` },
    }[group]
    const stayId = one(stayIdSql, localId) as string
    const input = { reservationId: localId, stayId, stay, whole: false, rights: allRights }
    run(stays.updateStay, input, { isCut })
    if (!isCut) model.change(group, value)
  }

  return { all, go, pull, push }
}

/** One value from the store. */
const one = (sql: string, value: string): unknown => property.db.prepare(sql).pluck().get(value)
const ofReservation =
  "FROM stay JOIN reservation ON reservation.rid = stay.reservationId WHERE reservation.id = unhex(replace(?, '-', ''))"
const stayIdSql = `SELECT lower(concat_ws('-', hex(substr(stay.id, 1, 4)), hex(substr(stay.id, 5, 2)), hex(substr(stay.id, 7, 2)), hex(substr(stay.id, 9, 2)), hex(substr(stay.id, 11, 6)))) ${ofReservation}`
const staySql = `SELECT stay.endDate, stay.personCount, stay.comment ${ofReservation}`
const shadowSql = 'SELECT base, upstreamRevision FROM sync_record WHERE reservationId = ?'
const leftSql = `SELECT (SELECT count(*) FROM sync_intent WHERE reservationId = record.reservationId)
  + (SELECT count(*) FROM sync_offer WHERE reservationId = record.reservationId) FROM sync_record AS record WHERE reservationId = ?`

/** The stay and the shadow are what the model says. */
function expectModel({ all }: ReturnType<typeof openWalk>, at: string): void {
  for (const { model, localId } of all) {
    const { personCount, ...row } = property.db.prepare(staySql).get(localId) as Record<
      'endDate' | 'personCount' | 'comment',
      string
    >
    const stay = { ...row, personCount: JSON.parse(personCount) }
    const { base, upstreamRevision } = property.db.prepare(shadowSql).get(localId) as {
      base: string
      upstreamRevision: number
    }
    const found = {
      local: valuesOf({ stays: [stay] } as never),
      shadow: valuesOf(JSON.parse(base)),
      revision: upstreamRevision,
    }
    assert.deepEqual(found, { local: model.local, shadow: model.shadow, revision: model.revision }, at)
  }
}

describe(`a reservation that both sides change, with seed ${seed}`, () => {
  after(() => property.close())

  it('is always what a model of two maps and the policy says, and the same on both sides in the end', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
        const walk = openWalk()
        for (const [at, each] of steps.entries()) {
          walk.go(each)
          expectModel(walk, `after step ${at}`)
        }
        for (let round = 0; round < 4; round++) {
          walk.push('nowhere')
          walk.pull(
            walk.all.map(({ pms }, which) => ({ which, revision: pms.states.length })),
            false,
          )
        }
        assert.equal(walk.push('nowhere'), 0)
        expectModel(walk, 'in the end')
        for (const { model, pms, localId } of walk.all) {
          assert.deepEqual(model.local, pms.states.at(-1))
          assert.equal(one(leftSql, localId), 0)
          // Each intent was carried out once, whatever was repeated.
          for (const [id, count] of pms.effects) assert.equal(count, 1, id)
        }
      }),
      { seed, numRuns },
    )
  })
})
