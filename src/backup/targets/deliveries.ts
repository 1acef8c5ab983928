import { join } from 'node:path'
import type { BackgroundWork } from '../../host/background-work.ts'
import type { Clock } from '../../host/clock.ts'
import type { WriteOptions, Writer } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'
import { type BackupFile, newestUpTo } from '../backup-files.ts'
import { BackupRefused } from '../backup-refused.ts'
import type { BackupTarget } from './backup-target.ts'
import type { DeliveryProgress, DeliveryTask } from './deliver.ts'
import { settingsOf, targetsOf } from './opened-targets.ts'
import { type Delivered, noteDelivery } from './target-commands.ts'

/** The interval of the check for targets without the newest backup. */
const looksEveryMs = 15 * 60_000
const firstMs = 120_000
/** The pause after a failure, so that the box does not send to a full target all night. */
const againAfterMs = 60 * 60_000
/**
 * The largest number of identities in memory, each of which allows a backup at the targets to be verified by decrypting
 * it.
 */
const identitiesKept = 8
const actor = { by: 'backup', requestId: null }

/** The dependencies of the deliveries. */
export interface DeliveriesOptions {
  reader: Pick<Reader, 'rows'>
  writer: Writer
  clock: Clock
  background: BackgroundWork
  /** The folder of the backups on the box. */
  folder: string
  /** Returns the backups on the box, newest first. */
  list(): Promise<BackupFile[]>
  unseal(sealed: string, context: string): string
  zone(): string
  /** Whether the clock is reliable enough to decide which backups are old. */
  mayRemove(): boolean
  carryOut(
    task: DeliveryTask,
    how: { signal: AbortSignal; progress(now: DeliveryProgress): void },
  ): Promise<void>
  failed(error: unknown): void
}

/** What sends backups to the targets. */
export type Deliveries = ReturnType<typeof deliveries>

/** Sends the newest backup to each target, one after the other, and retries after a failure. */
export function deliveries(options: DeliveriesOptions) {
  const { reader, writer, clock, background } = options
  const identities = new Map<string, string>()
  const againFrom = new Map<string, number>()
  const ending = new AbortController()
  let queue: Promise<unknown> = Promise.resolve()
  let underWay: ({ id: string } & DeliveryProgress) | null = null
  const looks = background.every('backup-targets', looksEveryMs, () => inTurn(lookNow), { firstMs })

  /** A look waits for a delivery that a person has begun, so that it is late where that never ends. */
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = queue.then(work)
    queue = turn.catch(() => {})
    return turn
  }

  async function lookNow(): Promise<void> {
    for (const target of targetsOf(reader)) {
      const newest = await newestMade()
      if (!newest || ending.signal.aborted) return
      const isTooSoon = clock.monotonic() < (againFrom.get(target.id) ?? 0)
      if (target.enabled === false || target.verifiedBackup === newest.id || isTooSoon) continue
      await deliver(target, newest).catch((error) => error instanceof BackupRefused || options.failed(error))
    }
  }

  const newestMade = async () => newestUpTo(await options.list(), clock.now())

  async function deliver(target: BackupTarget, file: BackupFile, how: WriteOptions = { actor }) {
    const [id, backup] = [target.id, file.id]
    try {
      const task = taskOf(options, target, file, identities.get(file.name) ?? null)
      const progress = (now: DeliveryProgress) => {
        underWay = { id, ...now }
      }
      await options.carryOut(task, { signal: ending.signal, progress })
      againFrom.delete(id)
      return await writer.execute(noteDelivery, { id, backup, problem: null }, how)
    } catch (error) {
      if (ending.signal.aborted) throw error
      againFrom.set(id, clock.monotonic() + againAfterMs)
      await writer.execute(noteDelivery, { id, backup, problem: problemOf(error) }, { actor })
      throw error
    } finally {
      underWay = null
    }
  }

  return {
    /**
     * Sends a new backup to all targets. With the identity, each target is verified by decrypting the backup there.
     */
    made({ name }: BackupFile, identity: string): void {
      identities.set(name, identity)
      for (const old of [...identities.keys()].slice(0, -identitiesKept)) identities.delete(old)
      void looks.begin()
    },
    /**
     * Sends the newest backup to one target now, and resolves when it is verified there. Rejects with BackupRefused.
     * `how` has the actor for the journal.
     */
    send: (target: BackupTarget, how: WriteOptions): Promise<Delivered> =>
      inTurn(async () => {
        const newest = await newestMade()
        if (!newest) throw new BackupRefused('There is no backup yet. Make one first.')
        return deliver(target, newest, how)
      }),
    /** Returns why a target has no verified copy of the newest backup, for people; null when all have one. */
    problem: (): string | null =>
      targetsOf(reader).find(({ enabled, problem }) => enabled !== false && problem)?.problem ?? null,
    /** Returns the progress of the delivery to a target; null without a delivery. */
    progressOf: (id: string): DeliveryProgress | null => (underWay?.id === id ? underWay : null),
    async close(): Promise<void> {
      ending.abort(new BackupRefused('The appliance is stopping.'))
      await looks.close()
      await queue
    },
  }
}

function taskOf(
  { clock, folder, unseal, mayRemove, zone }: DeliveriesOptions,
  target: BackupTarget,
  { name }: BackupFile,
  identity: string | null,
): DeliveryTask {
  return {
    target: settingsOf(target, unseal),
    file: join(folder, name),
    identity,
    rules: mayRemove() ? rulesOf(target) : null,
    zone: zone(),
    now: clock.now(),
  }
}

function rulesOf({ daily, weekly, monthly, megabytes }: BackupTarget) {
  return { daily: daily ?? 7, weekly: weekly ?? 4, monthly: monthly ?? 12, megabytes: megabytes ?? 2_048 }
}

function problemOf(error: unknown): string {
  if (error instanceof BackupRefused) return error.message
  return 'The backup could not be sent because of a fault of the program, which is in its log.'
}
