import { command } from '../../resource/command.ts'
import { pmsConfiguration } from '../resources/pms-configuration.ts'
import { linkIn, type SyncLink, syncLink } from '../resources/sync-link.ts'

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
  /** The revision of the configuration by which the PMS was asked for what is behind `pullCursor`. */
  revision?: number
  /** Those that are not named stay. */
  pullCursor?: string | null
  publishedTo?: number
}

/**
 * Keeps how far the two have come: everything up to there is on the disk, or confirmed by the other side. A cursor of a
 * configuration that was changed meanwhile is not kept: it may be of another PMS.
 */
export const keepPlace = command(
  'keep-sync-place',
  (tx, { configurationId, revision, ...place }: Place): null => {
    const link = linkIn(tx, configurationId)
    const isSetUpAnew = revision !== undefined && tx.revision(pmsConfiguration, configurationId) !== revision
    if (link && !isSetUpAnew) tx.patch(syncLink, link.id, place)
    return null
  },
)

/** Stores that the line to the PMS is up or down, with an event. */
export const keepLine = command(
  'keep-line',
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

/** Both sides have nothing left for each other, as was known at this moment; `isNews` also journals the event. */
export const keepInStep = command(
  'keep-in-step',
  (
    tx,
    input: { configurationId: string; inStepAt: number | null; counts: Counts; isNews: boolean },
  ): null => {
    const { configurationId, inStepAt, counts, isNews } = input
    const link = linkIn(tx, configurationId)
    if (link) tx.patch(syncLink, link.id, { inStepAt })
    if (isNews) tx.journal('pms.sync-completed', `pms/${configurationId}`, { configurationId, ...counts })
    return null
  },
)
