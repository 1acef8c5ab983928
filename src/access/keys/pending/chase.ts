import type { Loop } from '../../../host/background-work.ts'
import type { Actor } from '../../../resource/command.ts'
import type { Reader } from '../../../resource/keeper.ts'
import { type Filter, first, having } from '../../../resource/query.ts'
import type { Access, Property } from '../../access.ts'
import { allOf } from '../../lookups.ts'
import { pauses, type RetryPauses } from '../../providers/pauses.ts'
import { accessProvider } from '../../resources/access-provider.ts'
import { key } from '../../resources/key.ts'
import { lockClockMs } from '../../resources/key-door.ts'
import { isAnyDue, supersedeDue } from '../doors/superseding.ts'
import {
  expirable,
  expireKeys,
  forgetPins,
  forgettable,
  publishDue,
  revivable,
  reviveKeys,
} from '../revoke-keys.ts'
import { chaseAtProvider } from './chase-at-provider.ts'

const actor: Actor = { by: 'key-chase', requestId: null }
const turnEveryMs = 2_000
const pinsKeptMs = 30 * 86_400_000
/** The interval between searches for PINs that are to be erased. */
const forgetsEveryMs = 3_600_000

/**
 * Ends keys whose window is over, reports virtual keys that are due, and runs the pending requests at each lock system.
 * A failed request is retried later.
 */
export function chase(access: Access) {
  const { clock, background, failed } = access
  const pausing = pauses(clock, failed)
  const atProviders = turnsAtProviders(access, pausing)
  const forgetOldPins = forgettingPins(access)
  const supersedeByDue = supersedingByDue(access)
  let ofHouse: Loop | null = null

  async function turn(): Promise<void> {
    await endExpired(access)
    await supersedeByDue()
    await forgetOldPins()
    await publishDueKeys(access)
    atProviders.begin()
    pausing.tidy()
  }

  return {
    start(): void {
      ofHouse = background.every('key-changes', turnEveryMs, turn)
      ofHouse.begin()
    },
    poke: () => ofHouse?.begin(),
    attempts: pausing.attempts,
    /** Ends the pause of a key, but not within 5 s of its last attempt, and starts a turn. */
    askNow(keyId: string): void {
      pausing.wake(keyId)
      ofHouse?.begin()
    },
    async stop(): Promise<void> {
      pausing.end()
      await ofHouse?.close()
      await atProviders.end()
    },
  }
}

/** Runs separate turns for each lock system, so that one that does not answer delays no other. */
function turnsAtProviders(access: Access, pausing: RetryPauses) {
  const known = new Map<string, Loop>()
  const turnsAt = (id: string, name: string) =>
    access.background.onDemand(
      'key-changes',
      (goesOn) => {
        // Each attempt ends in its time, also where the lock system does not answer. Many of them are not late, but one that hangs is.
        const unlessPaused: RetryPauses['unlessPaused'] = (keyId, attempt) =>
          pausing.unlessPaused(keyId, () => attempt().finally(goesOn))
        return chaseAtProvider(access, id, { ...pausing, unlessPaused })
      },
      name,
    )
  /** A lock system that was removed has no more work, in the status neither. */
  const endRemoved = (ids: readonly string[]) => {
    for (const [id, turns] of known) if (!ids.includes(id)) void turns.close().then(() => known.delete(id))
  }
  return {
    begin(): void {
      const rows = allOf(access, accessProvider)
      endRemoved(rows.map(({ id }) => id))
      for (const { id, name } of rows) {
        const turns = known.get(id) ?? turnsAt(id, name)
        known.set(id, turns)
        void turns.begin()
      }
    },
    async end(): Promise<void> {
      await Promise.all([...known.values()].map((each) => each.close()))
    },
  }
}

async function endExpired({ reader, writer, clock }: Property): Promise<void> {
  const before = clock.now() - lockClockMs
  // A read comes first: a turn without such keys writes nothing to the disk.
  if (isAny(reader, expirable(before))) await writer.execute(expireKeys, { before }, { actor })
  // Keys that ended by a clock that was ahead are restored when it has been set back.
  const now = clock.now()
  if (isAny(reader, revivable(now))) await writer.execute(reviveKeys, { now }, { actor })
}

/** Lets cards that were made in advance end older ones when they are due. The first turn looks at all, and each other at those since. */
function supersedingByDue({ reader, writer, clock }: Property): () => Promise<void> {
  let lookedTo = 0
  return async () => {
    const to = clock.now() + lockClockMs
    const period = { after: Math.min(lookedTo, to), to }
    if (isAnyDue(reader, period)) await writer.execute(supersedeDue, period, { actor })
    lookedTo = to
  }
}

/** Erases the PINs of keys that ended 30 days ago. It searches every hour, and in each turn while it finds some. */
function forgettingPins({ reader, writer, clock }: Property): () => Promise<void> {
  let forgot = Number.NEGATIVE_INFINITY
  return async () => {
    if (!clock.mayForget() || clock.monotonic() - forgot < forgetsEveryMs) return
    const before = clock.now() - pinsKeptMs
    if (forgettable(before).some((filters) => isAny(reader, filters)))
      await writer.execute(forgetPins, { before }, { actor })
    else forgot = clock.monotonic()
  }
}

async function publishDueKeys({ reader, writer, clock }: Property): Promise<void> {
  const hasOpened: Filter = { path: 'opensAt', operator: 'lte', value: clock.now() }
  const due = reader.rows(key, first([...having({ status: 'virtual' }), hasOpened]))
  for (const { id, dueTold } of due) if (!dueTold) await writer.execute(publishDue, { keyId: id }, { actor })
}

/** Whether a key passes these filters. */
function isAny(reader: Reader, filters: Filter[]): boolean {
  return reader.rows(key, first(filters, 1)).length > 0
}
