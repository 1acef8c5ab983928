import { join } from 'node:path'
import type { BackgroundWork } from '../../host/background-work.ts'
import type { Clock } from '../../host/clock.ts'
import { dataFiles } from '../../host/files/data-files.ts'
import { readErasures } from '../../host/files/erasures.ts'
import { readRecipients } from '../archive/recipients.ts'
import { BackupRefused } from '../backup-refused.ts'
import { segmentName } from '../segment-name.ts'
import type { TargetSettings } from '../targets/target.ts'
import type { SegmentTask } from './send-segment.ts'

const looksEveryMs = 60_000
/** The interval for a segment without keys, which confirms that no key has changed. */
const emptyEveryMs = 15 * 60_000
/** After this many segments, the next one contains the keys of all of them. */
const mostInChain = 60
/** The period that the first segment of a chain covers. It is longer than the time between two nightly backups. */
const baseMs = 2 * 86_400_000
/** A shorter failure, such as while a stick is replaced, is not reported. */
const patienceMs = 5 * 60_000

/** The state of the segments. Times in Unix milliseconds. */
export interface SegmentState {
  /** The number of second media; 0 when keys are stored only on the disk of the box. */
  media: number
  /** Until this time every medium has all keys; null while one has none. */
  verifiedAt: number | null
  /** Why a medium has lagged behind for minutes, for people; null when none has. */
  problem: string | null
}

/** The state of one medium since the start of the program. */
class Chain {
  /** The last journal line that it has; null when it needs a new first segment. */
  reach: number | null = null
  names: string[] = []
  /** The time of the last write, by the wall clock and by the monotonic clock. */
  at: number | null = null
  writtenAt = 0
  problem: string | null = null
  failingSince: number | null = null
}

/** The dependencies of the key segments. */
export interface KeySegmentsOptions {
  data: string
  clock: Clock
  background: BackgroundWork
  /** The fingerprint of the property's vault. */
  house: string
  lastSequence(): number
  /** Returns the last line of the journal before an instant, or that of the last restore if it is later. */
  sequenceBefore(at: number): number
  /** Returns the keys that have changed in lines after `after` up to `to`. */
  keysChanged(after: number, to: number): unknown[]
  /** Returns the digests of the persons who were erased in lines after `after` up to `to`. */
  erased(after: number, to: number): string[]
  /** Returns how many second media there are. */
  count(): number
  /** Returns the second media. Throws VaultRefused. */
  media(): TargetSettings[]
  send(task: SegmentTask, signal: AbortSignal): Promise<void>
  /** Called when the problem of a medium begins or ends. */
  changed(medium: string, problem: string | null): void
  failed(error: unknown): void
}

/**
 * Writes the changed keys to each second medium once a minute, so that the loss of the disk costs the keys of one
 * minute and not of a day, and who was erased, so that no erased person comes back. Without a recovery key no segment is written.
 */
export function keySegments(options: KeySegmentsOptions) {
  const { clock, data, house } = options
  const chains = new Map<string, Chain>()
  const ending = new AbortController()
  const looks = options.background.every('key-copies', looksEveryMs, look)

  async function look(): Promise<void> {
    const recipients = readRecipients(data)
    const media = recipients.length === 0 ? [] : options.media()
    for (const name of chains.keys()) if (!media.some((each) => each.name === name)) chains.delete(name)
    for (const place of media) {
      if (ending.signal.aborted) return
      const chain = chains.get(place.name) ?? new Chain()
      chains.set(place.name, chain)
      await bringUp(place, chain, recipients)
    }
  }

  async function bringUp(place: TargetSettings, chain: Chain, recipients: string[]): Promise<void> {
    const [at, to] = [clock.now(), options.lastSequence()]
    const isFirst = chain.reach === null || chain.names.length >= mostInChain
    const from = isFirst ? options.sequenceBefore(at - baseMs) : chain.reach!
    const keys = options.keysChanged(from, to)
    const erased = erasedIn(from, to, isFirst)
    const isEmpty = keys.length === 0 && erased.length === 0
    if (isEmpty && !isFirst && clock.monotonic() - chain.writtenAt < emptyEveryMs) return
    const segment = { format: 1, house, from, to, at, keys, erased } as const
    const [replaces, continues] = isFirst ? [chain.names, []] : [[], chain.names]
    try {
      await options.send({ data, place, recipients, segment, replaces, continues }, ending.signal)
      chain.names = [...continues, segmentName(segment)]
      Object.assign(chain, { reach: to, at, writtenAt: clock.monotonic() })
      note(place, chain, null)
    } catch (error) {
      if (ending.signal.aborted) return
      if (!(error instanceof BackupRefused)) options.failed(error)
      // The content of the medium is unknown, so the next segment starts a new chain.
      chain.reach = null
      note(place, chain, (error as Error).message)
    }
  }

  /** Returns the erased persons of a segment. Those before the newest backup are in the list that each backup completes. */
  function erasedIn(from: number, to: number, isFirst: boolean): readonly string[] {
    const listed = isFirst ? readErasures(join(data, dataFiles.erasures)) : []
    return [...new Set([...listed, ...options.erased(from, to)])]
  }

  function note({ name }: TargetSettings, chain: Chain, problem: string | null): void {
    if ((chain.problem === null) !== (problem === null)) options.changed(name, problem)
    chain.problem = problem
    chain.failingSince = problem === null ? null : (chain.failingSince ?? clock.monotonic())
  }

  return {
    state(): SegmentState {
      const all = [...chains.values()]
      const times = all.map(({ at }) => at)
      const before = clock.monotonic() - patienceMs
      const late = all.find(({ failingSince }) => failingSince !== null && failingSince <= before)
      return {
        media: options.count(),
        verifiedAt: all.length === 0 || times.includes(null) ? null : Math.min(...(times as number[])),
        problem: late?.problem ?? null,
      }
    },
    isUnderWay: looks.isUnderWay,
    async close(): Promise<void> {
      ending.abort(new BackupRefused('The appliance is stopping.'))
      await looks.close()
    },
  }
}
