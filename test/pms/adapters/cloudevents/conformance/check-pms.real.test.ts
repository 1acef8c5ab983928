import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DeviceFault } from '../../../../../src/devices/fault.ts'
import { systemClock } from '../../../../../src/host/clock.ts'
import type { Carrier } from '../../../../../src/pms/adapters/cloudevents/carrier.ts'
import { checkPms } from '../../../../../src/pms/adapters/cloudevents/conformance/check-pms.ts'
import type {
  ChangesReplied,
  OffersAnswered,
  RequestFailed,
  ReservationsOffered,
  WireAnswer,
} from '../../../../../src/pms/adapters/cloudevents/messages/message-data.ts'
import type { RequestType } from '../../../../../src/pms/adapters/cloudevents/messages/messages.ts'
import { clerk } from '../../../../../src/simulators/cloudevents/clerk.ts'
import { type SimulatedPms, simulatedPms } from '../../../../../src/simulators/cloudevents/simulated-pms.ts'

const units = { DBL: ['201', '202'] }

function openPms(contract: 1 | 2 = 2): SimulatedPms {
  const pms = simulatedPms({ clock: systemClock, units, contract })
  const books = clerk({ book: pms.book, units, now: systemClock.now, seed: 1 })
  for (let count = 0; count < 5; count++) books.books()
  return pms
}

/** What a PMS answers, by the request; `answered` gives the right answer to a request. */
type Answers = (
  type: RequestType,
  data: never,
  answered: (data?: object) => Promise<object>,
) => Promise<object>

/** The results of all checks of a PMS that answers otherwise. */
async function checked(pms: SimulatedPms, answers: Answers = (_type, _data, answered) => answered()) {
  const carrier: Pick<Carrier, 'request'> = {
    request: async (type, data) => {
      const answered = async (other: object = data) => {
        const { reply } = await pms.answer({ type, data: structuredClone(other) })
        if (reply?.type !== 'pms.request.failed') return structuredClone(reply!.data)
        const { code, reason } = reply.data as RequestFailed
        throw new DeviceFault('vendor-error', reason, { vendorCode: code === 'cursor-gone' ? 'gone' : code })
      }
      return answers(type, data as never, answered)
    },
  }
  const options = {
    clock: systemClock,
    unitTypeCode: null,
    unitName: '202',
    readOnly: false,
    timeoutMs: 1_000,
  }
  return checkPms({ ...options, carrier, report: () => {} })
}

const failed = (results: Awaited<ReturnType<typeof checked>>) =>
  results.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)

describe('The checks of a PMS', () => {
  for (const contract of [1, 2] as const) {
    it(`are all passed by the simulated PMS with contract ${contract}`, async () => {
      const pms = openPms(contract)
      const results = await checked(pms)
      assert.deepEqual(
        results.filter(({ outcome }) => outcome !== 'passed'),
        [],
      )
      assert.ok(results.every(({ exchanges }) => exchanges.length > 0))
      const offers = pms.requests
        .filter(({ type }) => type === 'pms.reservations.offered')
        .flatMap(({ data }) => (data as ReservationsOffered).offers)
      assert.ok(offers.every(({ intents }) => (intents !== undefined) === (contract === 2)))
      const left = [...pms.book.reservations.values()].filter(({ value }) =>
        value?.comment?.includes('check-pms'),
      )
      assert.deepEqual(
        left
          .flatMap(({ value }) => value!.stays.map(({ status }) => status))
          .filter((each) => each === 'Confirmed'),
        [],
        'nothing that was made is left open',
      )
    })
  }

  it('that only read change nothing', async () => {
    const pms = openPms()
    const carrier = {
      request: async (type: RequestType, data: object) => (await pms.answer({ type, data })).reply!.data,
    }
    const options = { clock: systemClock, unitTypeCode: null, unitName: null, timeoutMs: 1_000 }
    await checkPms({
      ...options,
      carrier: carrier as Pick<Carrier, 'request'>,
      readOnly: true,
      report: () => {},
    })
    assert.ok(pms.requests.every(({ type }) => type !== 'pms.reservations.offered'))
  })

  const offersOf = (data: never) => (data as ReservationsOffered).offers
  const withAnswers = (reply: object, change: (answer: WireAnswer) => object | null) => ({
    answers: (reply as OffersAnswered).answers.flatMap((answer) => change(answer) ?? []),
  })
  let count = 0

  const broken: [what: string, fails: string, answers: Answers][] = [
    [
      'gives a page that is no page',
      'All changes without a cursor',
      async (type, _data, answered) => (type === 'pms.changes.requested' ? { changes: 'none' } : answered()),
    ],
    [
      'sends a message with a member that the contract does not have',
      'All changes without a cursor',
      async (type, _data, answered) => {
        const reply = await answered()
        if (type !== 'pms.changes.requested') return reply
        const [first, ...others] = (reply as ChangesReplied).changes
        return first
          ? { ...reply, changes: [{ ...first, data: { ...first.data, colour: 'red' } }, ...others] }
          : reply
      },
    ],
    [
      'never comes to an end',
      'All changes without a cursor',
      async (type, _data, answered) =>
        type === 'pms.changes.requested'
          ? { ...(await answered()), more: true, cursor: `c${count++}` }
          : answered(),
    ],
    [
      'ignores the limit',
      'Small pages',
      async (type, data: { after: string | null }, answered) =>
        type === 'pms.changes.requested' ? answered({ after: data.after, limit: 500 }) : answered(),
    ],
    [
      'begins anew with each cursor',
      'Nothing new',
      async (type, _data, answered) =>
        type === 'pms.changes.requested' ? answered({ after: null, limit: 500 }) : answered(),
    ],
    [
      'takes any cursor',
      'An unknown cursor',
      async (type, data: { after: string | null; limit: number }, answered) =>
        type === 'pms.changes.requested' && data.after?.startsWith('check-pms')
          ? answered({ after: null, limit: data.limit })
          : answered(),
    ],
    [
      'carries out an offer twice',
      'The same offer again',
      async (type, data, answered) =>
        type === 'pms.reservations.offered'
          ? withAnswers(
              await answered({
                offers: offersOf(data).map((offer) => ({ ...offer, id: `${offer.id}-${count++}` })),
              }),
              (answer) => ({ ...answer, id: answer.id.slice(0, 36) }),
            )
          : answered(),
    ],
    [
      'forgets the localId',
      'The same reservation under a new offer',
      async (type, data, answered) => {
        if (type !== 'pms.reservations.offered') return answered()
        const offers = offersOf(data).map((offer) => {
          if (offer.externalId !== null) return offer
          const { localId: _, ...reservation } = offer.reservation
          return { ...offer, localId: `${offer.id}`, reservation }
        })
        return answered({ offers })
      },
    ],
    [
      'does not raise the revision',
      'A change',
      async (type, _data, answered) => {
        const reply = await answered()
        return type === 'pms.reservations.offered'
          ? withAnswers(reply, (answer) => (answer.is === 'accepted' ? { ...answer, revision: 1 } : answer))
          : reply
      },
    ],
    [
      'forgets members that an offer leaves out',
      'A change',
      async (type, data, answered) =>
        type === 'pms.reservations.offered'
          ? answered({
              offers: offersOf(data).map((offer) => ({
                ...offer,
                reservation: { comment: null, ...offer.reservation },
              })),
            })
          : answered(),
    ],
    [
      'overwrites what it has',
      'An outdated offer',
      async (type, data, answered) => {
        if (type !== 'pms.reservations.offered') return answered()
        const first = await answered()
        const { answers } = first as OffersAnswered
        if (answers[0]?.is !== 'outdated') return first
        const [offer] = offersOf(data)
        return answered({ offers: [{ ...offer!, baseRevision: answers[0].revision }] })
      },
    ],
    [
      'takes any unit type',
      'A unit type that does not exist',
      async (type, data, answered) =>
        type === 'pms.reservations.offered'
          ? answered(JSON.parse(JSON.stringify(data).replaceAll('NO-SUCH-TYPE', 'DBL')))
          : answered(),
    ],
    [
      'answers one offer of a batch',
      'Two offers in one batch',
      async (type, _data, answered) => {
        const reply = await answered()
        return type === 'pms.reservations.offered'
          ? { answers: (reply as OffersAnswered).answers.slice(0, 1) }
          : reply
      },
    ],
    [
      'records a payment with each offer',
      'A payment',
      async (type, data, answered) =>
        type === 'pms.reservations.offered'
          ? answered({
              offers: offersOf(data).map(({ reservation, ...offer }) => ({
                ...offer,
                reservation: { ...reservation, ...twice(reservation.payments, reservation.comment) },
              })),
            })
          : answered(),
    ],
    [
      'does not check in',
      'A check-in',
      async (type, data, answered) =>
        type === 'pms.reservations.offered'
          ? answered(JSON.parse(JSON.stringify(data).replaceAll('InHouse', 'Confirmed')))
          : answered(),
    ],
    [
      'does not answer',
      'Capabilities',
      async () => {
        throw new DeviceFault('adapter-timeout', 'The PMS gave no answer.')
      },
    ],
  ]
  for (const [what, fails, answers] of broken) {
    it(`find that a PMS ${what}`, async () => {
      const results = await checked(openPms(), answers)
      assert.ok(failed(results).includes(fails), `${failed(results)}`)
      const { reason, exchanges } = results.find(({ name }) => name === fails)!
      assert.match(reason!, /\.$|\w$/)
      assert.ok(exchanges.length > 0)
    })
  }
})

function twice(payments: readonly object[] = [], comment: string | null = null) {
  return comment === 'Paid, sent again.' ? { payments: [...payments, ...payments] } : {}
}
