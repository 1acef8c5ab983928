import { toDecimal } from '../../../resource/values/currency.ts'
import type { Fact } from '../../sync-contract.ts'
import { idsOf } from './calls.ts'
import { listOf, type OperaCall, OperaRefusal, warningIn } from './client.ts'
import { type Done, expectCashier, partsOf, type StepOptions, type Work } from './work.ts'

const one = '/csh/v1/hotels/{hotelId}/reservations/{reservationId}'

/**
 * Records a payment once. Its id is the reference of the posting: where an answer was lost, the folio shows whether it was
 * recorded. OPERA voids no payment for others.
 */
export async function recordPayment(
  fact: Extract<Fact, { is: 'payment' | 'void' }>,
  work: Work,
  options: StepOptions,
  call: OperaCall,
): Promise<Done> {
  const { id, amount, currency, brand } = fact.payment
  const isRecorded = (await references(work, options, call)).has(id)
  if (fact.is === 'void') {
    if (!isRecorded) return { is: 'already-done' }
    throw new OperaRefusal(400, 'The payment is posted at OPERA. Void it there.')
  }
  if (isRecorded) return { is: 'already-done' }
  // What was voided before OPERA knew it is not recorded at all.
  if (work.offer.facts.some((each) => each.is === 'void' && each.payment.id === id)) return { is: 'done' }
  expectCashier(options)
  const method = options.settings.paymentMethods[brand]
  if (method === undefined)
    throw new OperaRefusal(
      400,
      `paymentMethods of the connection has no method for ${brand}. Post the payment in OPERA.`,
    )
  const parts = partsOf(work, options)
  const { reservationId } = idsOf(parts)
  const criteria = {
    hotelId: parts.hotelId,
    reservationId: { id: reservationId, type: 'Reservation' },
    paymentMethod: { paymentMethod: method },
    postingAmount: { amount: Number(toDecimal(amount, currency)), currencyCode: currency },
    postingReference: id,
    folioWindowNo: 1,
    cashierId: parts.cashierId,
  }
  const answer = await options.client.ask(
    { method: 'POST', path: `${one}/payments`, ids: { reservationId }, body: { criteria } },
    call,
  )
  const isPosted = listOf<unknown>(answer?.postings).length > 0
  if (!isPosted)
    throw new OperaRefusal(400, warningIn(answer) ?? 'OPERA has not posted the payment, and gave no reason.')
  return { is: 'done' }
}

interface Folio {
  postings?: unknown
}

/** The references of all postings of the reservation; a guest who is not in house yet has none. */
async function references(work: Work, options: StepOptions, call: OperaCall): Promise<Set<unknown>> {
  const ids = idsOf(partsOf(work, options))
  const query = { fetchInstructions: ['Postings'], includeFolioHistory: true }
  const answer = await options.client.ask({ method: 'GET', path: `${one}/folios`, ids, query }, call)
  const information = answer?.reservationFolioInformation as { folioWindows?: unknown } | undefined
  const folios = listOf<{ folios?: unknown }>(information?.folioWindows).flatMap((each) =>
    listOf<Folio>(each.folios),
  )
  const postings = folios.flatMap((each) => listOf<{ reference?: unknown }>(each.postings))
  return new Set(postings.map(({ reference }) => reference))
}
