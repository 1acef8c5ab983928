import { DeviceFault } from '../../devices/fault.ts'
import type { Feed } from '../../events/feed.ts'
import type { Timer } from '../../host/clock.ts'
import { Problem } from '../../resource/problem.ts'
import type { ApplianceServices } from '../contract.ts'
import { pmsActor } from '../pms-actor.ts'
import { type PmsConfiguration, pmsConfiguration } from '../resources/pms-configuration.ts'
import type { QuarantinedMessage } from '../resources/quarantined-message.ts'
import type { Session } from '../session.ts'
import type { Errand } from './errand-queue.ts'
import type { Counts } from './link.ts'
import type { LinkChanges } from './link-changes.ts'
import { configurationsIn, linkOf } from './linked.ts'
import { retryOne } from './retry-quarantined.ts'
import { type SyncLoop, syncLoop } from './sync-loop.ts'

export interface SynchronisationOptions extends Pick<ApplianceServices, 'reader' | 'writer' | 'clock'> {
  changes: LinkChanges
  feed: Pick<Feed, 'after' | 'changed'>
  /** Its adapter at work, as it is set up now. Throws what keeps it from being opened. */
  sessionOf(row: PmsConfiguration): Session
  /** Closes the adapter of a configuration, so that nobody waits for its answers any more. */
  release(configurationId: string): void
  /** Told when a line says by itself that it came, or went with the reason. */
  heard(configurationId: string, fault: DeviceFault | null): void
  failed(error: unknown): void
}

/** What could not be opened, or was no use, is looked at again. */
const lookAgainMs = 60_000

/** Keeps the house in step with each PMS that is switched on and whose adapter can: one loop each, begun anew when it is set up anew. */
export function synchronisation(options: SynchronisationOptions) {
  const { reader, writer, clock, changes, feed, sessionOf, release, heard, failed } = options
  const loops = new Map<string, SyncLoop>()
  /** Configurations whose adapter has nothing to keep in step, in that revision. */
  const idle = new Map<string, number>()
  let isClosed = false
  let examining: Promise<void> = Promise.resolve()
  let isExamining = false
  let isDue = false
  let timer: Timer | null = null
  let stop: () => void = () => {}

  function start(): void {
    stop = feed.changed(examine, `${pmsConfiguration.type}.`)
    timer = clock.setInterval(lookAgain, lookAgainMs).unref()
    examine()
  }

  function lookAgain(): void {
    idle.clear()
    examine()
  }

  /** Begins what is new, ends what is gone, and both for what has changed; one after the other. */
  function examine(): void {
    isDue = true
    if (isExamining || isClosed) return
    isExamining = true
    examining = (async () => {
      while (isDue && !isClosed) {
        isDue = false
        await compared()
      }
    })()
      .catch(failed)
      .finally(() => {
        isExamining = false
      })
  }

  async function compared(): Promise<void> {
    const rows = configurationsIn(reader).filter(({ enabled }) => enabled !== false)
    for (const [id, loop] of loops) {
      const row = rows.find((each) => each.id === id)
      if (row?.revision !== loop.revision) await ended(id, loop)
    }
    for (const row of rows) {
      if (isClosed) return
      if (!loops.has(row.id) && idle.get(row.id) !== row.revision) await begun(row)
    }
  }

  async function ended(id: string, loop: SyncLoop): Promise<void> {
    loops.delete(id)
    const closing = loop.close()
    release(id)
    await closing
  }

  function trySession(row: PmsConfiguration): Session | null {
    try {
      return sessionOf(row)
    } catch (error) {
      if (!(error instanceof DeviceFault)) failed(error)
      return null
    }
  }

  async function begun(row: PmsConfiguration): Promise<void> {
    const { id: configurationId } = row
    const actor = { by: pmsActor(configurationId), requestId: null }
    const lends = lendsOf(row)
    if (lends === null) {
      idle.set(configurationId, row.revision)
      if (linkOf(reader, configurationId))
        await writer.execute(changes.endLending, { configurationId }, { actor })
      return
    }
    await writer.execute(changes.openLink, { configurationId, lends }, { actor })
    if (isClosed) return
    const loop = syncLoop({
      configuration: row,
      reader,
      writer,
      changes,
      feed,
      clock,
      failed,
      sessionOf: () => current(configurationId),
      line: (fault) => heard(configurationId, fault),
    })
    loops.set(configurationId, loop)
  }

  /** Null where the adapter keeps nothing in step, or cannot be opened now. */
  function lendsOf(row: PmsConfiguration): boolean | null {
    try {
      const side = trySession(row)?.sync()
      return side ? side.lends === true : null
    } catch (error) {
      if (!(error instanceof DeviceFault)) failed(error)
      return null
    }
  }

  function current(configurationId: string): Session {
    const row = configurationsIn(reader).find(({ id }) => id === configurationId)
    if (row) return sessionOf(row)
    throw new DeviceFault('unsupported-operation', 'The PMS configuration no longer exists.')
  }

  /** Throws extension-not-implemented for a configuration that is not kept in step. */
  function loopOf(row: PmsConfiguration): SyncLoop {
    const loop = loops.get(row.id)
    if (loop) return loop
    throw new Problem('extension-not-implemented', `${row.name} does not synchronise reservations.`)
  }

  /** Does it now. Throws extension-not-implemented, the DeviceFault that kept it from being done, or a Problem. */
  async function ask(row: PmsConfiguration, errand: Errand): Promise<Counts> {
    const loop = loopOf(row)
    try {
      return await loop.ask(errand)
    } catch (error) {
      // Set up anew meanwhile: whoever asks wants it of the PMS that is set up now.
      if (isClosed || loops.get(row.id) === loop) throw error
      await settled()
      return loopOf(row).ask(errand)
    }
  }

  /** Resolves when each that is set up by now has its loop, also where nobody has told yet that it was set up. */
  function settled(): Promise<void> {
    examine()
    return examining
  }

  /** Tries a message in quarantine again. Null when it was taken in; else why it still cannot be. */
  async function retry(row: PmsConfiguration, message: QuarantinedMessage): Promise<string | null> {
    const loop = loops.get(row.id)
    return loop ? retryOne(loop.linked, message) : `${row.name} is no longer synchronised.`
  }

  async function close(): Promise<void> {
    isClosed = true
    stop()
    timer?.cancel()
    await Promise.all([examining, ...[...loops.values()].map((loop) => loop.close())])
    loops.clear()
  }

  return {
    start,
    ask,
    retry,
    settled,
    isLinked: (configurationId: string) => loops.has(configurationId),
    /** Null for one that is not kept in step. */
    loopAt: (configurationId: string) => loops.get(configurationId) ?? null,
    /** The PMS was asked something, by whomever. */
    heard: (configurationId: string, fault: DeviceFault | null) => loops.get(configurationId)?.heard(fault),
    close,
  }
}

export type Synchronisation = ReturnType<typeof synchronisation>
