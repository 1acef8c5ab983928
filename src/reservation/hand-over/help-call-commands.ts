import { command, type Document, type Transaction } from '../../resource/command.ts'
import { having } from '../../resource/query.ts'
import { type HelpCall, helpCall } from '../resources/help-call.ts'
import { stay } from '../resources/stay.ts'

/** How long a call stays open that no person takes. */
const openMs = 3_600_000
/** How long a person is on the way to a guest. The kiosk makes no other call for this guest until then. */
const onTheWayMs = 3 * 60_000

export interface HelpCallInput {
  kioskId: string
  kioskName: string | null
  failure?: string | null
  step?: string | null
  language?: HelpCall['language']
  stayId?: string | null
}

/**
 * Calls a person of the front desk to a kiosk. A kiosk keeps a call that is open, which then names the guest who is there now, and
 * a call that a person has taken for the same stay and the same reason. The person may have helped and gone before another guest
 * calls, or before something else fails, so that is a new call; so it is where the stay is not known, because two such guests look the same. A stay that does not exist is left out: the guest needs help all the same.
 */
export const callForHelp = command('call-for-help', (tx, input: HelpCallInput): Document => {
  removeEnded(tx)
  const { kioskId, kioskName, failure = null, step = null, language = null } = input
  const stayId = input.stayId && tx.revision(stay, input.stayId) !== null ? input.stayId.toLowerCase() : null
  const values = { kioskName, failure, step, language, stayId }
  const [before] = tx.select(helpCall, having({ kioskId }))
  const isTaken = typeof before?.takenAt === 'number'
  const expiresAt = isTaken ? before.expiresAt : tx.now + openMs
  const isSame = stayId !== null && before?.stayId === stayId && before.failure === failure
  if (before && (!isTaken || isSame))
    return tx.document(helpCall, tx.patch(helpCall, before.id, { ...values, expiresAt }).id)
  if (before) tx.remove(helpCall, before.id)
  const { id } = tx.insert(helpCall, { kioskId, ...values, expiresAt: tx.now + openMs })
  tx.journal('help-call.made', `help-calls/${id}`, values)
  return tx.document(helpCall, id)
})

/** A person of the front desk is on the way to the kiosk. Who was first stays so. Throws not-found. */
export const takeHelpCall = command(
  'take-help-call',
  (tx, { id, revision }: { id: string; revision?: number | undefined }): Document => {
    tx.expectRevision(helpCall, { id, revision })
    const { takenAt, kioskName, stayId } = tx.find(helpCall, id)
    if (takenAt === null || takenAt === undefined) {
      tx.patch(helpCall, id, { takenAt: tx.now, expiresAt: tx.now + onTheWayMs })
      tx.journal('help-call.taken', `help-calls/${id}`, { kioskName, stayId })
    }
    return tx.document(helpCall, id)
  },
)

function removeEnded(tx: Transaction): void {
  const ended = tx.select(helpCall, [{ path: 'expiresAt', operator: 'lte', value: tx.now }])
  for (const { id } of ended) tx.remove(helpCall, id)
}

export const helpCallCommands = [callForHelp, takeHelpCall]
