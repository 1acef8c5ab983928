import { command } from '../../../resource/command.ts'
import type { JournalLine } from '../../../resource/keeper.ts'
import { linkIn, syncLink } from '../../resources/sync-link.ts'
import { syncOffer } from '../../resources/sync-offer.ts'
import { settleDoubleBookings } from '../conflicts/double-booking.ts'
import type { Linked } from '../loop/linked.ts'
import { keepPending } from '../outbound/outbox.ts'

const linesAtOnce = 500
const mostPages = 10_000

/**
 * Looks at what has happened here since the last look. Answers whether something was set up meanwhile that a message in
 * quarantine may have lacked.
 */
export async function tail(linked: Linked): Promise<boolean> {
  const { reader, write, changes, configuration } = linked
  let wasSetUp = false
  for (let page = 0; page < mostPages && !linked.isOver(); page++) {
    const after = linked.link().tailedTo
    const lines = reader.journal(after, linesAtOnce)
    const upTo = lines.at(-1)?.sequence
    if (upTo === undefined) break
    wasSetUp ||= lines.some(isSetUp)
    await write(changes.markTouched, { configurationId: configuration.id, after, upTo })
    if (lines.length < linesAtOnce) break
  }
  return wasSetUp
}

/** Kinds of what a message names or is read by, and the fields of each that it goes by; null for all. */
const setUp: Readonly<Record<string, readonly string[] | null>> = {
  unit: ['name', 'unitTypeId'],
  'unit-type': ['code'],
  'rate-plan': ['code', 'unitTypeId', 'startDate', 'endDate'],
  service: ['code'],
  settings: null,
  'pms-configuration': null,
}

/** Whether something is there now, or is called so now, that a message may have lacked. */
export function isSetUp({ type, data }: JournalLine): boolean {
  const [kind = '', verb] = type.split('.')
  const fields = setUp[kind]
  if (fields === undefined || (verb !== 'created' && verb !== 'changed')) return false
  const changed = Array.isArray(data.changed) ? data.changed : []
  return verb === 'created' || fields === null || changed.some((name) => fields.includes(name))
}

const mostAtOnce = 1_000

interface SeenInput {
  configurationId: string
  after: number
  upTo: number
}

/**
 * Shows what waits in the outbox as pending, settles the conflicts of units that one stay alone has now, and stores the line of the
 * journal up to which it was looked at. Does nothing when another round has been there already.
 */
export const markTouched = command(
  'mark-touched',
  (tx, { configurationId, after, upTo }: SeenInput): null => {
    const link = linkIn(tx, configurationId)
    if (!link || link.tailedTo !== after) return null
    const waiting = tx.select(
      syncOffer,
      [{ path: 'configurationId', operator: 'eq', value: configurationId }],
      [],
      mostAtOnce,
    )
    for (const { reservationId } of waiting) keepPending(tx, { configurationId, reservationId }, true)
    settleDoubleBookings(tx)
    tx.patch(syncLink, link.id, { tailedTo: upTo })
    return null
  },
)
