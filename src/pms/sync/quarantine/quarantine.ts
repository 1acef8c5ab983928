import { command, type Transaction } from '../../../resource/command.ts'
import { ridOf } from '../../../resource/uuid-sql.ts'
import {
  type QuarantinedKind,
  type QuarantinedMessage,
  quarantinedMessage,
} from '../../resources/quarantined-message.ts'
import { linkIn, syncLink } from '../../resources/sync-link.ts'

/** Messages that are kept of one PMS; the oldest make room. */
const mostQuarantined = 10_000

/** A message to be quarantined. */
export interface NewMessage {
  configurationId: string
  kind: QuarantinedKind
  externalId: string | null
  pmsRevision: number | null
  reason: string
  payload: string
  size: number
  retryable: boolean
  digest: string
}

const of = (path: string, value: string | number) => ({ path, operator: 'eq', value }) as const

/**
 * Keeps what could not be taken in. The same message, sent again, is one more attempt of the first; of a reservation only
 * the newest is kept, because it says all that the others did.
 */
export const quarantine = command('quarantine-message', (tx, message: NewMessage): { id: string } => {
  const { configurationId, digest, externalId, pmsRevision } = message
  const [known] = tx.select(
    quarantinedMessage,
    [of('configurationId', configurationId), of('digest', digest)],
    [],
    1,
  )
  if (known) {
    const { reason, payload, size } = message
    countAttempt(tx, known, { reason, payload, size })
    return { id: known.id }
  }
  if (externalId !== null && pmsRevision !== null)
    settle(tx, { configurationId, externalId, revision: pmsRevision })
  else if (externalId !== null) settleUnreadable(tx, configurationId, externalId)
  makeRoom(tx, configurationId)
  return { id: tx.insert(quarantinedMessage, { ...message, lastTriedAt: tx.now }).id }
})

/** A newer message replaces an unreadable one of the same reservation. */
function settleUnreadable(tx: Transaction, configurationId: string, externalId: string): void {
  const before = tx.select(quarantinedMessage, [
    of('configurationId', configurationId),
    of('externalId', externalId),
    of('kind', 'Unreadable'),
  ])
  for (const { id } of before) tx.remove(quarantinedMessage, id)
}

function makeRoom(tx: Transaction, configurationId: string): void {
  const count = `SELECT count(*) FROM quarantined_message
    WHERE configurationId = ${ridOf('pms_configuration')}`
  if (tx.count(count, configurationId) < mostQuarantined) return
  const [oldest] = tx.select(quarantinedMessage, [of('configurationId', configurationId)], [], 1)
  if (oldest) tx.remove(quarantinedMessage, oldest.id)
  const link = linkIn(tx, configurationId)
  if (link) tx.patch(syncLink, link.id, { forgotten: (link.forgotten ?? 0) + 1 })
}

interface Settled {
  configurationId: string
  externalId: string
  /** That was taken in, or is older than what was. */
  revision: number
}

/** Removes what was quarantined of a reservation up to this revision. Returns how many messages that were. */
export function settle(tx: Transaction, { configurationId, externalId, revision }: Settled): number {
  const about = tx.select(quarantinedMessage, [
    of('configurationId', configurationId),
    of('externalId', externalId),
  ])
  const done = about.filter(({ pmsRevision }) => (pmsRevision ?? 0) <= revision)
  for (const { id } of done) tx.remove(quarantinedMessage, id)
  return done.length
}

/** Counts another failed attempt. One that is gone by now is fine. */
export const attemptQuarantined = command('attempt-quarantined', (tx, { id }: { id: string }): null => {
  const [row] = tx.select(quarantinedMessage, [of('id', id)], [], 1) as QuarantinedMessage[]
  if (row) countAttempt(tx, row)
  return null
})

function countAttempt(
  tx: Transaction,
  { id, attempts }: QuarantinedMessage,
  newest: Partial<Pick<NewMessage, 'reason' | 'payload' | 'size'>> = {},
): void {
  tx.patch(quarantinedMessage, id, { ...newest, attempts: (attempts ?? 1) + 1, lastTriedAt: tx.now })
}

/** It could be taken in after all. One that is gone by now is fine. */
export const releaseQuarantined = command('release-quarantined', (tx, { id }: { id: string }): null => {
  const [row] = tx.select(quarantinedMessage, [of('id', id)], [], 1) as QuarantinedMessage[]
  if (row) tx.remove(quarantinedMessage, row.id)
  return null
})

const mostSettledAtOnce = 200

/** The PMS has reported everything again: removes messages that could not be read. True when there may be more of them. */
export const settleAllUnreadable = command(
  'settle-all-unreadable',
  (tx, { configurationId }: { configurationId: string }): boolean => {
    const filters = [of('configurationId', configurationId), of('kind', 'Unreadable')]
    const found = tx.select(quarantinedMessage, filters, [], mostSettledAtOnce)
    for (const { id } of found) tx.remove(quarantinedMessage, id)
    return found.length === mostSettledAtOnce
  },
)
