import { DeviceFault } from '../../../devices/fault.ts'
import type { Feed } from '../../../events/feed.ts'
import type { BackgroundWork, Loop } from '../../../host/background-work.ts'
import { Problem } from '../../../resource/problem.ts'
import type { ApplianceServices } from '../../contract.ts'
import { pmsActor } from '../../pms-actor.ts'
import { type PmsConfiguration, pmsConfiguration } from '../../resources/pms-configuration.ts'
import { type QuarantinedMessage, quarantinedMessage } from '../../resources/quarantined-message.ts'
import type { Session } from '../../session.ts'
import { UnreadableAnswer } from '../../unreadable-answer.ts'
import type { Counts } from '../link.ts'
import { retryOne } from '../quarantine/retry.ts'
import type { SyncChanges } from '../sync-changes.ts'
import { configurationsIn, linkOf } from './linked.ts'
import type { SyncRequest } from './rounds.ts'
import { SyncLoop } from './sync-loop.ts'

export interface SynchronisationOptions extends Pick<ApplianceServices, 'reader' | 'writer' | 'clock'> {
  background: BackgroundWork
  changes: SyncChanges
  feed: Pick<Feed, 'after' | 'changed'>
  /** Its adapter at work, as it is set up now. Throws what keeps it from being opened. */
  sessionOf(row: PmsConfiguration): Session
  /** Closes the adapter of a configuration, so that no caller waits for its answers any more. */
  release(configurationId: string): void
  /** Receives the state of a line that an adapter reports unasked: up (null), or down for a reason. */
  heard(configurationId: string, fault: DeviceFault | null): void
  failed(error: unknown): void
}

/** What could not be opened, or was no use, is looked at again. */
const compareEveryMs = 60_000

/** The loops of all configurations. */
interface Loops {
  options: SynchronisationOptions
  /** By the id of the configuration. */
  byId: Map<string, SyncLoop>
  /** Compares the configurations with the loops; null before the start. */
  comparing: Loop | null
  isClosed: boolean
}

/** Keeps the house in step with each PMS that is switched on and whose adapter can: one loop each, begun anew when it is set up anew. */
export function synchronisation(options: SynchronisationOptions) {
  const { background, feed } = options
  const byId = new Map<string, SyncLoop>()
  const loops: Loops = { options, byId, comparing: null, isClosed: false }
  let stop: () => void = () => {}

  return {
    start(): void {
      loops.comparing = background.every('pms-connections', compareEveryMs, () => compared(loops))
      stop = feed.changed(() => void settled(loops), `${pmsConfiguration.type}.`)
      void settled(loops)
    },
    ask: (row: PmsConfiguration, request: SyncRequest) => ask(loops, row, request),
    /** Tries a message in quarantine again. Null when it was taken in; else why it still cannot be. */
    async retry(row: PmsConfiguration, message: QuarantinedMessage): Promise<string | null> {
      const loop = byId.get(row.id)
      if (!loop) return `${row.name} is no longer synchronised.`
      return message.kind === 'Page' ? retryPage(loop, message) : retryOne(loop.linked, message)
    },
    settled: () => settled(loops),
    isLinked: (configurationId: string) => byId.has(configurationId),
    /** Null for one that is not kept in step. */
    loopAt: (configurationId: string) => byId.get(configurationId) ?? null,
    /** The PMS has answered a request of any kind, or has failed. */
    heard: (configurationId: string, fault: DeviceFault | null) => byId.get(configurationId)?.heard(fault),
    async close(): Promise<void> {
      loops.isClosed = true
      stop()
      await Promise.all([loops.comparing?.close(), ...[...byId.values()].map((loop) => loop.close())])
      byId.clear()
    },
  }
}

export type Synchronisation = ReturnType<typeof synchronisation>

/** Begins what is new, ends what is gone, and both for what has changed; one after the other. */
async function compared(loops: Loops): Promise<void> {
  const { byId, options } = loops
  const rows = configurationsIn(options.reader).filter(({ enabled }) => enabled !== false)
  for (const [id, loop] of byId) {
    const row = rows.find((each) => each.id === id)
    if (row?.revision !== loop.linked.configuration.revision) await ended(loops, id, loop)
  }
  for (const row of rows) {
    if (loops.isClosed) return
    if (!byId.has(row.id)) await begun(loops, row)
  }
}

async function ended({ byId, options }: Loops, id: string, loop: SyncLoop): Promise<void> {
  byId.delete(id)
  const closing = loop.close()
  options.release(id)
  await closing
}

async function begun(loops: Loops, row: PmsConfiguration): Promise<void> {
  const { reader, writer, changes, feed, clock, background, failed, heard } = loops.options
  const { id: configurationId } = row
  const actor = { by: pmsActor(configurationId), requestId: null }
  const lends = lendsOf(loops, row)
  if (lends === null) {
    if (linkOf(reader, configurationId))
      await writer.execute(changes.endLending, { configurationId }, { actor })
    return
  }
  await writer.execute(changes.openLink, { configurationId, lends }, { actor })
  if (loops.isClosed) return
  const loop = new SyncLoop({
    configuration: row,
    reader,
    writer,
    changes,
    feed,
    clock,
    background,
    failed,
    sessionOf: () => current(loops, configurationId),
    line: (fault) => heard(configurationId, fault),
  })
  loops.byId.set(configurationId, loop)
}

/** Null where the adapter keeps nothing in step, or cannot be opened now. */
function lendsOf({ options: { sessionOf, failed } }: Loops, row: PmsConfiguration): boolean | null {
  try {
    const side = sessionOf(row).sync()
    return side ? side.lends === true : null
  } catch (error) {
    if (!(error instanceof DeviceFault)) failed(error)
    return null
  }
}

/** Pulls now, which requests the quarantined pages from their cursors. */
async function retryPage(loop: SyncLoop, { id }: QuarantinedMessage): Promise<string | null> {
  try {
    await loop.ask('pull')
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error
  }
  return loop.linked.reader.row(quarantinedMessage, id)?.reason ?? null
}

function current({ options: { reader, sessionOf } }: Loops, configurationId: string): Session {
  const row = reader.row(pmsConfiguration, configurationId)
  if (row) return sessionOf(row)
  throw new DeviceFault('unsupported-operation', 'The PMS configuration no longer exists.')
}

/** Throws extension-not-implemented for a configuration that is not kept in step. */
function loopOf({ byId }: Loops, row: PmsConfiguration): SyncLoop {
  const loop = byId.get(row.id)
  if (loop) return loop
  throw new Problem('extension-not-implemented', `${row.name} does not synchronise reservations.`)
}

/** Does it now. Throws extension-not-implemented, the DeviceFault that kept it from being done, or a Problem. */
async function ask(loops: Loops, row: PmsConfiguration, request: SyncRequest): Promise<Counts> {
  const loop = loopOf(loops, row)
  try {
    return await loop.ask(request)
  } catch (error) {
    // Set up anew meanwhile: the request is for the PMS that is set up now.
    if (loops.isClosed || loops.byId.get(row.id) === loop) throw error
    await settled(loops)
    return loopOf(loops, row).ask(request)
  }
}

/** Resolves when each configuration that is stored by now has its loop. */
async function settled({ comparing }: Loops): Promise<void> {
  await comparing?.begin()
}
