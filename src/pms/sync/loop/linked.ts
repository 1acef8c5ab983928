import { DeviceFault } from '../../../devices/fault.ts'
import type { Feed } from '../../../events/feed.ts'
import type { Actor, Command, Writer } from '../../../resource/command.ts'
import type { Reader } from '../../../resource/keeper.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Call } from '../../call.ts'
import { pmsActor } from '../../pms-actor.ts'
import type { AdapterRequest } from '../../request-deadline.ts'
import { type PmsConfiguration, pmsConfiguration } from '../../resources/pms-configuration.ts'
import { type SyncLink, syncLink } from '../../resources/sync-link.ts'
import type { Session } from '../../session.ts'
import { mostOffers, type SyncSide } from '../../sync-contract.ts'
import type { Counts } from '../link.ts'
import type { SyncChanges } from '../sync-changes.ts'

/** The first command runs code that was never run before, so it is small. */
const firstSlice = 4

/** What the steps of getting in step with one PMS work with. */
export interface Linked {
  configuration: PmsConfiguration
  reader: Reader
  changes: SyncChanges
  feed: Pick<Feed, 'after'>
  /** What this round has come to so far. */
  counts: Counts
  /** Offers of the next batch, and how many it may grow to until the outbox is empty: as many as the PMS answers to in time. */
  batch: { size: number; most: number }
  /** What the PMS failed in over reservations that were offered alone, by their ids; each until an offer of it is answered. */
  failures: Map<string, string>
  /** The number of reports in the next command. */
  slice: { size: number }
  /** Written on behalf of the PMS. */
  write<Input, Output>(change: Command<Input, Output>, input: Input): Promise<Output>
  /** Asks the PMS. Rejects as `Session.ask` does. */
  ask<T>(question: AdapterRequest, work: (sync: SyncSide, call: Call) => T | Promise<T>): Promise<T>
  /** As it is on the disk. Throws not-found when its configuration was removed. */
  link(): SyncLink
  /** Whether this link has ended. */
  isOver(): boolean
  /** Members of what is our own fault. */
  failed(error: unknown): void
}

export interface LinkedOptions
  extends Pick<Linked, 'configuration' | 'reader' | 'changes' | 'feed' | 'isOver' | 'failed'> {
  writer: Writer
  sessionOf(): Session
}

export const noCounts = (): Counts => ({
  received: 0,
  applied: 0,
  ignored: 0,
  quarantined: 0,
  offered: 0,
  accepted: 0,
  outdated: 0,
  refused: 0,
  published: 0,
})

/** The counts of both directions together. */
export function sumOf(one: Counts, other: Counts): Counts {
  const sum = noCounts()
  for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] = one[name] + other[name]
  return sum
}

/** Puts together what the steps of one link work with. */
export function linked({ writer, sessionOf, ...options }: LinkedOptions): Linked {
  const { configuration, reader } = options
  const actor: Actor = { by: pmsActor(configuration.id), requestId: null }
  /** A link has its id for ever. */
  let linkId: string | null = null
  return {
    ...options,
    counts: noCounts(),
    batch: { size: mostOffers, most: mostOffers },
    failures: new Map(),
    slice: { size: firstSlice },
    write: (change, input) => writer.execute(change, input, { actor, lowPriority: true }),
    ask: (question, work) =>
      sessionOf().ask(question, (open, signal) => {
        if (open.sync) return work(open.sync, { signal, actor })
        throw new DeviceFault(
          'unsupported-operation',
          `${configuration.name} does not synchronise reservations.`,
        )
      }),
    link() {
      const known = linkId === null ? null : reader.row(syncLink, linkId)
      const kept = known ?? linkOf(reader, configuration.id)
      linkId = kept?.id ?? null
      if (kept) return kept
      throw new Problem('not-found', 'The PMS configuration no longer exists.')
    },
  }
}

/** The link of a configuration; null before it was opened for the first time. */
export function linkOf(reader: Reader, configurationId: string): SyncLink | null {
  const filters = [{ path: 'configurationId', operator: 'eq' as const, value: configurationId }]
  return reader.rows(syncLink, { filters, sort: [], page: { size: 1 } })[0] ?? null
}

/** Every configuration there is. */
export function configurationsIn(reader: Reader): PmsConfiguration[] {
  return reader.rows(pmsConfiguration, { filters: [], sort: [], page: { size: 1_000 } })
}
