import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { leaveByRelease } from '../hand-over/release.ts'
import type { Stay, StayInput } from '../resources/stay.ts'
import type { StayPorts } from './stay-policy.ts'
import type { StayRights } from './stay-rights.ts'

/** After the check-in, its guest may still find that it was a mistake. */
const undoneWithinMs = 10 * 60_000

/**
 * Throws 403 `kiosk-scope` unless a guest at a kiosk may check out. It ends the guest's key and gives the unit to the next one,
 * so a number and a name, which others know too, are not enough: the guest has shown a card of the stay, has checked in there
 * within ten minutes, or the front desk has released the stay.
 */
export function expectMayLeave(
  tx: Transaction,
  before: Stay,
  { status }: StayInput,
  { atKiosk }: StayRights,
  { hasShownCard }: Pick<StayPorts, 'hasShownCard'>,
): void {
  if (atKiosk === undefined || before.status !== 'InHouse' || status !== 'CheckedOut') return
  const { checkedInAt = null, shown = null } = atKiosk ?? {}
  if (checkedInAt !== null && Math.abs(tx.now - checkedInAt) < undoneWithinMs) return
  if (shown && hasShownCard(tx, before.id, shown)) return
  if (leaveByRelease(tx, before.id)) return
  throw new Problem(
    'kiosk-scope',
    'A check-out at a kiosk needs a card of the stay, read or returned there, or a release by the front desk.',
    { pointer: '/status', meta: { scope: 'reservations.write', guest: 'desk' } },
  )
}
