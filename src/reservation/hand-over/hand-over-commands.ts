import { command, type Document, type Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { having } from '../../resource/query.ts'
import { type HandOver, handOver } from '../resources/hand-over.ts'
import { stay } from '../resources/stay.ts'
import { isExpectedOrInHouse } from '../stays/rules/status-rules.ts'
import { release } from './release.ts'

/** How long a code can be used. */
const validMs = 4 * 3_600_000
const codes = 10_000
/** No divisor of `codes`, so that the search for a free code comes past each of them. */
const stride = 7_919
/** More open hand-overs would make a code easy to guess. */
const most = 500

export interface HandOverInput {
  stayId: string
  /** A random number from 0 to 9,999. The search for a free code starts there. */
  start: number
  failure?: string | null
  step?: string | null
  language?: HandOver['language']
}

/**
 * Hands a stay over to the front desk. A stay that is handed over again keeps its code, so that the guest has one only. Throws
 * not-found, and busy when there are too many.
 */
export const makeHandOver = command('make-hand-over', (tx, input: HandOverInput): Document => {
  const { id: stayId, reservationId } = tx.find(stay, input.stayId)
  removeEnded(tx)
  const { failure = null, step = null, language = null } = input
  const values = { failure, step, language, expiresAt: tx.now + validMs }
  const [open] = tx.select(handOver, having({ stayId }))
  const { id } = open
    ? tx.patch(handOver, open.id, values)
    : tx.insert(handOver, { code: freeCode(tx, input.start), reservationId, stayId, ...values })
  tx.journal('stay.handed-over', `stays/${stayId}`, { handOverId: id, failure, step, language })
  return tx.document(handOver, id)
})

/** Ends a hand-over: the front desk has the guest. Throws not-found. */
export const finishHandOver = command(
  'finish-hand-over',
  (tx, { id, revision }: { id: string; revision?: number | undefined }): null => {
    tx.expectRevision(handOver, { id, revision })
    end(tx, tx.find(handOver, id))
    return null
  },
)

/**
 * Releases a stay to the kiosks for 15 minutes, and finishes its hand-over: the desk knows that its guest is the one who
 * asks. Returns until when, Unix milliseconds. Throws not-found, and stay-status-transition for a stay that is over.
 */
export const releaseStay = command('release-stay', (tx, { stayId }: { stayId: string }): number => {
  const { id, status } = tx.find(stay, stayId)
  if (!isExpectedOrInHouse(status))
    throw new Problem('stay-status-transition', `The stay is ${status}: a kiosk does nothing more for it.`, {
      meta: { status },
    })
  const until = release(tx, id)
  for (const open of tx.select(handOver, having({ stayId: id }))) end(tx, open)
  tx.journal('stay.released', `stays/${id}`, { until: new Date(until).toISOString() })
  return until
})

function end(tx: Transaction, { id, stayId }: HandOver): void {
  tx.remove(handOver, id)
  tx.journal('stay.hand-over-finished', `stays/${stayId}`, { handOverId: id })
}

function removeEnded(tx: Transaction): void {
  const ended = tx.select(handOver, [{ path: 'expiresAt', operator: 'lte', value: tx.now }])
  for (const { id } of ended) tx.remove(handOver, id)
}

function freeCode(tx: Transaction, start: number): string {
  const taken = new Set(tx.select(handOver, []).map(({ code }) => code))
  if (taken.size >= most) {
    const detail = `Too many stays are handed over already (${most}). Finish some of them at the front desk.`
    throw new Problem('busy', detail, { meta: { retryAfterSeconds: 60 } })
  }
  for (let code = start % codes; ; code = (code + stride) % codes) {
    const text = String(code).padStart(4, '0')
    if (!taken.has(text)) return text
  }
}

export const handOverCommands = [makeHandOver, finishHandOver, releaseStay]
