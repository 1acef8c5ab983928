import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { FieldGroup } from '../../../resources/conflict-policy.ts'
import type { SharedReservation, SharedStay } from '../../../sync/shared-reservation.ts'
import type { Fact, IntentValues } from '../../../sync-contract.ts'
import type { WireOffer } from '../messages/message-data.ts'
import { accepted, type Check, expect, type Made, madeIn, reportsOf, type Scene, Skipped } from './check.ts'

/** The checks that make, change and cancel reservations at the PMS. */
export const writeChecks: readonly Check[] = [
  {
    name: 'A new reservation',
    expected: 'accepted, with an externalId of the reservation and of each stay.',
    writes: true,
    run: async (scene) => {
      const value = scene.newReservation('nightporter check-pms')
      const facts: Fact[] = [{ id: value.localId!, is: 'creation', stayLocalId: null }]
      const offer = scene.newOffer(value, scene.contract === 2 ? { facts } : {})
      const [first] = await scene.offer(offer)
      const answer = accepted(first)
      const { externalId, revision, reservation } = answer
      const stays = reservation?.stays ?? []
      expect(stays.length === 1 && Boolean(stays[0]?.externalId), 'The answer has no externalId of the stay.')
      const named = {
        ...value,
        externalId,
        stays: [{ ...value.stays[0]!, externalId: stays[0]!.externalId }],
      }
      scene.made = { localId: value.localId!, externalId, revision, value: named, offer, answer }
    },
  },
  {
    name: 'The same offer again',
    expected: 'The same answer as before, and no second reservation.',
    writes: true,
    run: async (scene) => {
      const { offer, answer, externalId } = madeIn(scene)
      const [again] = await scene.offer(offer)
      expect(isDeepStrictEqual(again, answer), 'The answer differs from the first one.')
      await expectOne(scene, externalId)
    },
  },
  {
    name: 'The same reservation under a new offer',
    expected: 'The localId is known: accepted or outdated with the same externalId.',
    writes: true,
    run: async (scene) => {
      const { offer, externalId } = madeIn(scene)
      const [answer] = await scene.offer({ ...offer, id: randomUUID() })
      const named = answer && answer.is !== 'refused' ? answer.externalId : null
      expect(named === externalId, `The answer names ${named}, not ${externalId}.`)
      await expectOne(scene, externalId)
      await refresh(scene)
    },
  },
  {
    name: 'The reservation in the changes',
    expected: 'The accepted offer is in the changes after the cursor, in its revision.',
    writes: true,
    run: async (scene) => {
      const { externalId, revision, localId } = madeIn(scene)
      const { changes } = await scene.allAfter(scene.cursor)
      const last = reportsOf(changes, externalId).at(-1)
      expect(last !== undefined, `There is no ${externalId} in the changes.`)
      expect(last.revision >= revision, `Its revision is ${last.revision}, after ${revision} was answered.`)
      const found = last.value?.localId ?? localId
      expect(found === localId, `Its localId is ${found}, not ${localId}.`)
    },
  },
  {
    name: 'A change',
    expected: 'accepted in a higher revision; members that the offer leaves out stay.',
    writes: true,
    run: async (scene) => {
      const { value } = madeIn(scene)
      const { comment: _, ...without } = value
      const personCount = { adults: 2 }
      await change(scene, without, 'guests', { personCount })
      const after = madeIn(scene)
      const [stay] = after.value.stays
      expect(stay?.personCount?.adults === 2, 'The changed number of persons is not in the changes.')
      expect(after.value.comment === value.comment, 'The comment that was left out is not there any more.')
    },
  },
  {
    name: 'An outdated offer',
    expected: 'outdated, with the present revision and reservation, and nothing is changed.',
    writes: true,
    run: async (scene) => {
      const { value, revision, localId } = madeIn(scene)
      const wrong = { ...value, comment: 'This is based on an old revision.' }
      const [answer] = await scene.offer(
        scene.newOffer(wrong, { localId, baseRevision: revision - 1, changed: ['/comment'] }),
      )
      expect(answer?.is === 'outdated', `The answer is ${answer?.is}, not outdated.`)
      expect(answer.revision === revision, `The answer names revision ${answer.revision}, not ${revision}.`)
      expect(answer.reservation?.comment === value.comment, 'The reservation of the answer was changed.')
    },
  },
  {
    name: 'A unit type that does not exist',
    expected: 'refused, or a result refused, with a sentence for the front desk.',
    writes: true,
    run: async (scene) => {
      const value = scene.newReservation('nightporter check-pms: no such unit type')
      value.stays[0]!.units = [{ unitTypeCode: 'NO-SUCH-TYPE', unitName: null }]
      const [answer] = await scene.offer(scene.newOffer(value))
      expect(answer?.is === 'refused', `The answer is ${answer?.is}, not refused.`)
    },
  },
  {
    name: 'Two offers in one batch',
    expected: 'One answer to each, by its id; the refusal of one does not affect the other.',
    writes: true,
    run: async (scene) => {
      const { value, revision, localId } = madeIn(scene)
      const wrong = scene.newReservation('nightporter check-pms: the second of a batch')
      wrong.stays[0]!.units = [{ unitTypeCode: 'NO-SUCH-TYPE', unitName: null }]
      const right = scene.newOffer(
        { ...value, comment: 'In a batch.' },
        { localId, baseRevision: revision, changed: ['/comment'] },
      )
      const [first, second] = await scene.offer(right, scene.newOffer(wrong))
      keep(scene, accepted(first))
      expect(second?.is === 'refused', `The second answer is ${second?.is}, not refused.`)
      await refresh(scene)
      expect(madeIn(scene).value.comment === 'In a batch.', 'The comment of the first offer is not stored.')
    },
  },
  {
    name: 'A payment',
    expected: 'Recorded once by its id, although two offers have it.',
    writes: true,
    run: async (scene) => {
      const stayLocalId = madeIn(scene).value.stays[0]?.localId ?? null
      const recordedAt = new Date(scene.now()).toISOString()
      const money = { currency: 'EUR', amount: 100, brand: 'Cash', recordedAt, voidedAt: null }
      const payment = { id: randomUUID(), stayLocalId, ...money }
      const facts: Fact[] = [{ id: payment.id, is: 'payment', payment }]
      for (const comment of ['Paid.', 'Paid, sent again.']) {
        const { value, revision, localId } = madeIn(scene)
        const offer = { localId, baseRevision: revision, changed: ['/payments', '/comment'] }
        const paid = { ...value, comment, payments: [payment] }
        const [answer] = await scene.offer(
          scene.newOffer(paid, { ...offer, ...(scene.contract === 2 && { facts }) }),
        )
        keep(scene, accepted(answer))
      }
      await refresh(scene)
      const { payments } = madeIn(scene).value
      const count = payments?.filter(({ id }) => id === payment.id).length
      expect(count === undefined || count === 1, `The payment is recorded ${count} times.`)
    },
  },
  {
    name: 'A check-in',
    expected: 'accepted; the changes have the status InHouse.',
    writes: true,
    run: async (scene) => {
      await change(scene, madeIn(scene).value, 'status', { status: 'InHouse' })
      expect(madeIn(scene).value.stays[0]?.status === 'InHouse', 'The status in the changes is another one.')
    },
  },
  {
    name: 'A unit of two reservations',
    expected: 'refused, or a result refused, for the second one that gets the unit in the same nights.',
    writes: true,
    run: async (scene) => {
      const { unitName } = scene
      if (unitName === null) throw new Skipped('No unit is given (--unit).')
      const { value } = madeIn(scene)
      const [{ unitTypeCode = '' } = {}] = value.stays[0]?.units ?? []
      const units = [{ unitTypeCode, unitName }]
      await change(scene, value, 'units', { units })
      const second = scene.newReservation('nightporter check-pms: the unit is taken')
      second.stays[0]!.units = units
      const offer = scene.newOffer(second)
      const [answer] = await scene.offer(offer)
      if (answer?.is === 'refused') return
      const stored = accepted(answer).reservation?.stays[0]?.units?.[0]?.unitName
      await cancel(scene, { ...offer, externalId: accepted(answer).externalId }, accepted(answer).revision)
      expect(stored !== unitName, `The unit ${unitName} is given to both.`)
    },
  },
  {
    name: 'A check-out',
    expected: 'accepted; the changes have the status CheckedOut. It ends what the checks have made.',
    writes: true,
    run: async (scene) => {
      await change(scene, madeIn(scene).value, 'status', { status: 'CheckedOut' })
      expect(
        madeIn(scene).value.stays[0]?.status === 'CheckedOut',
        'The status in the changes is another one.',
      )
    },
  },
]

/** Offers other values of the stay, in the form of the PMS's contract, and takes over the result. */
async function change(
  scene: Scene,
  value: SharedReservation,
  group: FieldGroup,
  to: IntentValues & Partial<SharedStay>,
): Promise<void> {
  const { revision, localId } = madeIn(scene)
  const [stay] = value.stays
  const from = Object.fromEntries(Object.entries(stay!).filter(([name]) => name in to))
  const intent = {
    id: randomUUID(),
    group,
    stayLocalId: stay!.localId ?? null,
    stayExternalId: stay!.externalId,
    from,
    to,
  }
  const changed = Object.keys(to).map((name) => `/stays/0/${name}`)
  const offer: Partial<WireOffer> = { localId, baseRevision: revision, changed }
  const [answer] = await scene.offer(
    scene.newOffer(
      { ...value, stays: [{ ...stay!, ...to }] },
      { ...offer, ...(scene.contract === 2 && { intents: [intent] }) },
    ),
  )
  const { results, revision: next } = keep(scene, accepted(answer))
  expect(next > revision, `The answer names revision ${next} after ${revision}.`)
  const refused = results?.find(({ is }) => is === 'refused')
  expect(!refused, `The intent is refused: ${refused?.reason}`)
  await refresh(scene)
}

async function cancel(scene: Scene, offer: WireOffer, baseRevision: number): Promise<void> {
  const { reservation, localId, externalId } = offer
  const stays = reservation.stays.map((stay) => ({ ...stay, status: 'Canceled' as const }))
  const canceled = { ...reservation, externalId, stays }
  await scene.offer(scene.newOffer(canceled, { localId, baseRevision, changed: ['/stays/0/status'] }))
}

function keep<Answer extends { revision: number }>(scene: Scene, answer: Answer): Answer {
  scene.made = { ...madeIn(scene), revision: answer.revision }
  return answer
}

/** Takes over what the changes say of the reservation. */
async function refresh(scene: Scene): Promise<void> {
  const made: Made = madeIn(scene)
  const { changes } = await scene.allAfter(scene.cursor)
  const last = reportsOf(changes, made.externalId).at(-1)
  expect(Boolean(last?.value), `There is no ${made.externalId} in the changes.`)
  const [stay] = last!.value!.stays
  expect(stay !== undefined, `${made.externalId} has no stay in the changes.`)
  const localId = stay.localId ?? made.value.stays[0]!.localId ?? null
  scene.made = {
    ...made,
    revision: last!.revision,
    value: { ...last!.value!, stays: [{ ...stay, localId }] },
  }
}

/** The changes have one reservation that was made by this offer. */
async function expectOne(scene: Scene, externalId: string): Promise<void> {
  const { localId, value } = madeIn(scene)
  const { changes } = await scene.allAfter(scene.cursor)
  const others = changes.flatMap((each) =>
    each.is === 'reservation' && each.externalId !== externalId && isTwin(each.value) ? each.externalId : [],
  )
  expect(others.length === 0, `It was made twice: ${externalId} and ${others[0]}.`)

  function isTwin(other: SharedReservation | null): boolean {
    return other?.localId === localId || (!other?.localId && other?.comment === value.comment)
  }
}
