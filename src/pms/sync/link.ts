import { command, type Transaction } from '../../resource/command.ts'
import { type SyncLink, syncLink } from '../resources/sync-link.ts'

/** The link of a configuration inside a change; null before it was opened for the first time. */
export function linkIn(tx: Transaction, configurationId: string): SyncLink | null {
  const ofConfiguration = { path: 'configurationId', operator: 'eq', value: configurationId } as const
  return tx.select(syncLink, [ofConfiguration], [], 1)[0] ?? null
}

/**
 * Begins or goes on with a link: its line is not known to be there. A new one looks at what has happened since the
 * configuration was made, and not at what was there before.
 */
export const openLink = command(
  'open-link',
  (tx, { configurationId, lends }: { configurationId: string; lends: boolean }): SyncLink => {
    const kept = linkIn(tx, configurationId)
    if (kept) return tx.patch(syncLink, kept.id, { isConnected: false, lends })
    const made = tx.count(
      `SELECT coalesce((SELECT min(sequence) FROM journal WHERE subject = ?), max(sequence), 0) FROM journal`,
      `pms-configurations/${configurationId}`,
    )
    return tx.insert(syncLink, { configurationId, lends, tailedTo: made, publishedTo: made })
  },
)

/** The adapter of the configuration keeps nothing in step any more. */
export const endLending = command(
  'end-lending',
  (tx, { configurationId }: { configurationId: string }): null => {
    const link = linkIn(tx, configurationId)
    if (link) tx.patch(syncLink, link.id, { isConnected: false, lends: false })
    return null
  },
)

/** SQL questions for the lines of the journal up to which the PMSs that are switched on have had all they were to have. */
export const linkPlaces: readonly string[] = ['tailedTo', 'publishedTo'].map(
  (place) => `SELECT min(link.${place}) FROM sync_link AS link
    JOIN pms_configuration AS pms ON pms.rid = link.configurationId WHERE pms.enabled IS NOT 0`,
)

interface Place {
  configurationId: string
  /** Those that are not named stay. */
  pullCursor?: string | null
  publishedTo?: number
}

/** Keeps how far the two have come: everything up to there is on the disk, or confirmed by the other side. */
export const keepPlace = command('keep-sync-place', (tx, { configurationId, ...place }: Place): null => {
  const link = linkIn(tx, configurationId)
  if (link) tx.patch(syncLink, link.id, place)
  return null
})

/** The line has come or gone. */
export const tellLine = command(
  'tell-line',
  (tx, input: { configurationId: string; isConnected: boolean; reason: string | null }): null => {
    const { configurationId, isConnected, reason } = input
    const link = linkIn(tx, configurationId)
    if (link) tx.patch(syncLink, link.id, { isConnected })
    const data = { configurationId, ...(reason !== null && { reason }) }
    tx.journal(isConnected ? 'pms.connected' : 'pms.disconnected', `pms/${configurationId}`, data)
    return null
  },
)

/** What one round of getting in step came to. */
export interface Counts {
  /** Changes that were fetched or came by themselves, and what became of them. */
  received: number
  applied: number
  ignored: number
  quarantined: number
  offered: number
  accepted: number
  outdated: number
  refused: number
  published: number
}

/** Both sides have nothing left for each other, as was known at this moment; `told` also writes that down as an event. */
export const keepInStep = command(
  'keep-in-step',
  (tx, input: { configurationId: string; inStepAt: number | null; counts: Counts; told: boolean }): null => {
    const { configurationId, inStepAt, counts, told } = input
    const link = linkIn(tx, configurationId)
    if (link) tx.patch(syncLink, link.id, { inStepAt })
    if (told) tx.journal('pms.sync-completed', `pms/${configurationId}`, { configurationId, ...counts })
    return null
  },
)
