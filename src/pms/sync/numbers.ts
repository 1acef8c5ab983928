import type { Message } from '../../jsonapi/locales/message.ts'
import type { Reader } from '../../resource/keeper.ts'
import { ridOf } from '../../resource/uuid-sql.ts'
import type { PmsContact } from '../contacts.ts'
import type { Synchronisation } from './loop/synchronisation.ts'

/** How much waits between the house and one PMS; null where the two are not kept in step. */
export interface SyncNumbers {
  /** Reservations whose changes the PMS has not received. */
  outbox: number | null
  /** Seconds since nothing was left to be fetched; 0 while that is so. */
  inboxLag: number | null
  /** Conflicts that no person has decided yet. */
  conflicts: number | null
  /** Messages that could not be taken in. */
  quarantined: number | null
  /** Why the two do not get in step although the PMS answers: a sentence for the desk. */
  trouble: string | null
  /** What the adapter notes of the line although it works. */
  notes: readonly Message[]
}

const rid = ridOf('pms_configuration')
const counts = `SELECT (SELECT count(*) FROM sync_offer WHERE configurationId = ${rid}) AS outbox,
  (SELECT count(*) FROM sync_conflict WHERE state = 'open' AND configurationId = ?) AS conflicts,
  (SELECT count(*) FROM quarantined_message WHERE configurationId = ${rid}) AS quarantined`
type Counts = Record<'outbox' | 'conflicts' | 'quarantined', number>

/** The numbers of one link for the status. They are null without a link. */
export function numbersOf(
  { all }: Reader,
  sync: Pick<Synchronisation, 'loopAt'>,
  { configurationId }: Pick<PmsContact, 'configurationId'>,
  now: number,
): SyncNumbers {
  const loop = sync.loopAt(configurationId)
  if (!loop)
    return { outbox: null, inboxLag: null, conflicts: null, quarantined: null, trouble: null, notes: [] }
  const { createdAt } = loop.linked.configuration
  const since = loop.inStepAt() ?? createdAt
  const [counted] = all<Counts>(counts, configurationId, configurationId, configurationId)
  return {
    ...counted!,
    inboxLag: loop.isBehind() ? Math.max(0, Math.round((now - since) / 1_000)) : 0,
    trouble: loop.trouble(),
    notes: loop.notes(),
  }
}
