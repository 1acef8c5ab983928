import type { X509Certificate } from 'node:crypto'
import type { DeviceHealth } from '../access/controllers/device-health.ts'
import type { BackupState } from '../backup/backups.ts'
import type { WebhookHealth } from '../events/webhooks/webhook-health.ts'
import type { WorkState } from '../host/background-work.ts'
import type { FirewallState } from '../host/firewall/state.ts'
import type { JudgedClock, JudgedTime } from '../host/judged-clock.ts'
import type { TimeSync } from '../host/time-sync.ts'
import type { PmsContact } from '../pms/contacts.ts'
import type { SyncNumbers } from '../pms/sync/numbers.ts'
import type { UnansweredCall } from '../reservation/hand-over/unanswered-calls.ts'
import type { NotForgotten } from '../retention/retention-report.ts'
import type { Trouble } from '../store/disk/disk-trouble.ts'
import type { DiskWatch } from '../store/disk/disk-watch.ts'
import type { ShortUpdate } from '../update/update-document.ts'
import type { PropertySetup } from './property-setup.ts'
import { type Storage, storageOf } from './status-storage.ts'

/** The certificate of the server. */
export interface CertificateFacts {
  source: 'own' | 'uploaded' | 'files' | 'none'
  /** Null when the server uses no TLS. */
  certificate: Pick<X509Certificate, 'validToDate'> | null
  /** The authority of the box; null when it has none. */
  authority: Pick<X509Certificate, 'validToDate'> | null
  /** The names of the box that its own certificate cannot have. */
  missingNames: readonly string[]
  /** The names for which its authority may sign although other computers may have them. */
  foreignNames: readonly string[]
}

/** The sources of the facts. */
export interface StatusOptions {
  clock: JudgedClock
  /** Returns how the machine's clock is synchronised. */
  timeSync(): TimeSync
  /** The version of the interface. `releaseId` is the version of the program. */
  version: string
  releaseId: string
  /** The last day on which this release gets security fixes, YYYY-MM-DD. */
  supportEnds: string
  /** Unix milliseconds. */
  startedAt: number
  /** The store. `ready` resolves when the whole database file was checked. `lost` rejects when the writer is lost. */
  store: {
    ready: Promise<void>
    lost: Promise<never>
    waiting(): number
    disk: Pick<DiskWatch, 'trouble' | 'problem' | 'isSlow'>
    /** When a check last found no damage, Unix milliseconds; null when none has since that of the start. */
    soundAt(): number | null
    /** Whether each commit begins in a new block of the log; null until that is measured. */
    beginsInNewBlocks(): boolean | null
  }
  /** The folder whose disk is checked. */
  data: string
  /** Whether the property is the sample property, whose devices the program simulates. */
  simulated: boolean
  /** A sentence for each module that was missing at the start. */
  missingModules: readonly string[]
  /** Returns how the work goes that the program does without being asked. */
  work(): WorkState[]
  devices(): DeviceHealth[]
  pms(): (PmsContact & SyncNumbers)[]
  backups(): Promise<BackupState>
  /** Returns the number of units that may have keys unknown to the property. */
  unitsToCheck(): number
  /** Returns the number of tokens, accounts and stations that an administrator has to confirm or end. */
  rightsToConfirm(): number
  /** Returns whether a newer box has the property. */
  isFenced(): boolean
  /** Returns whether it is because the data were copied from another machine or folder. */
  isCopy(): boolean
  /** Returns the number of payments of which a terminal does not say whether they were made. */
  paymentsInDoubt(): number
  /** Returns the names of the kiosks whose pages ask for nothing any more. */
  silentKiosks(): string[]
  /** Returns the calls for help that no person has taken. */
  unansweredCalls(): UnansweredCall[]
  /** Returns how far the deliveries of each webhook are. */
  webhooks(): WebhookHealth[]
  property(): PropertySetup
  /** Returns the certificate of the server. */
  certificate(): CertificateFacts
  /** Returns the updates of the box. */
  updates(): ShortUpdate
  /** Returns what the retention could not delete. */
  notForgotten(): NotForgotten[]
  /** Returns how the firewall of the box is; null on a machine without the image of a box. */
  firewall(): FirewallState | null
}

type Integrity = 'checking' | 'ok' | 'failed' | 'writer-lost'

/** The facts from which the status is computed. */
export interface Facts {
  now: number
  simulated: boolean
  supportEnds: string
  /** A sentence for each module that was missing at the start. */
  missingModules: readonly string[]
  clock: TimeSync & JudgedTime
  integrity: Integrity
  /** When a check last found no damage in the database, Unix milliseconds; null when none has since the start. */
  soundAt: number | null
  /** Whether each commit begins in a new block of the log; null until that is measured. */
  newBlocks: boolean | null
  /** The current problem of the disk; null when none is known. */
  disk: Trouble | null
  /** Whether a change has waited for more than five seconds within the last ten minutes. */
  isDiskSlow: boolean
  storage: Storage
  /** The number of commands that run or wait in the writer. */
  writing: number
  work: readonly WorkState[]
  devices: DeviceHealth[]
  pms: (PmsContact & SyncNumbers)[]
  backups: BackupState
  unitsToCheck: number
  rightsToConfirm: number
  isFenced: boolean
  isCopy: boolean
  paymentsInDoubt: number
  silentKiosks: readonly string[]
  unansweredCalls: readonly UnansweredCall[]
  webhooks: readonly WebhookHealth[]
  property: PropertySetup
  certificate: CertificateFacts
  updates: ShortUpdate
  notForgotten: readonly NotForgotten[]
  firewall: FirewallState | null
}

/** The facts that need no access to the disk. */
export type KnownFacts = Pick<Facts, 'now' | 'simulated' | 'integrity' | 'soundAt' | 'disk' | 'isDiskSlow'>

/** How long the sizes of the files and the state of the backups are cached. */
const storageForMs = 2_000

/**
 * Returns functions that collect the facts. The sizes of the files and the state of the backups are read at most every
 * 2 s.
 */
export function statusFacts({
  clock,
  timeSync,
  store,
  data,
  simulated,
  supportEnds,
  missingModules,
  work,
  devices,
  pms,
  backups,
  unitsToCheck,
  rightsToConfirm,
  isFenced,
  isCopy,
  paymentsInDoubt,
  silentKiosks,
  unansweredCalls,
  webhooks,
  property,
  certificate,
  updates,
  notForgotten,
  firewall,
}: StatusOptions) {
  let integrity: Integrity = 'checking'
  let soundAt: number | null = null
  const is = (word: Integrity) => () => {
    integrity = word
    if (word === 'ok') soundAt = clock.now()
  }
  // After a check that has failed the appliance closes, and finds out whether the database is damaged.
  store.ready.then(is('ok'), () => {})
  store.lost.catch(is('writer-lost'))
  const storage = every(clock, storageForMs, () => storageOf(data))
  const kept = every(clock, storageForMs, backups)

  /** Returns the facts that need no access to the disk. */
  function known(): KnownFacts {
    const disk = store.disk.trouble()
    return {
      now: clock.now(),
      simulated,
      disk,
      isDiskSlow: store.disk.isSlow(),
      soundAt: store.soundAt() ?? soundAt,
      integrity: disk?.is === 'damaged' ? 'failed' : integrity,
    }
  }

  async function ofStore(): Promise<KnownFacts & Pick<Facts, 'storage'>> {
    return { storage: await storage(), ...known() }
  }

  async function all(): Promise<Facts> {
    const [ours, saved] = await Promise.all([ofStore(), kept()])
    return {
      ...ours,
      newBlocks: store.beginsInNewBlocks(),
      supportEnds,
      missingModules,
      clock: { ...timeSync(), ...clock.judged() },
      writing: store.waiting(),
      work: work(),
      devices: devices(),
      pms: pms(),
      backups: saved,
      unitsToCheck: unitsToCheck(),
      rightsToConfirm: rightsToConfirm(),
      isFenced: isFenced(),
      isCopy: isCopy(),
      paymentsInDoubt: paymentsInDoubt(),
      silentKiosks: silentKiosks(),
      unansweredCalls: unansweredCalls(),
      webhooks: webhooks(),
      property: property(),
      certificate: certificate(),
      updates: updates(),
      notForgotten: notForgotten(),
      firewall: firewall(),
    }
  }

  return { all, known, ofStore }
}

/** Caches the answer of `ask` for `ms` milliseconds; a failure is not cached. */
function every<T>(
  clock: Pick<JudgedClock, 'monotonic'>,
  ms: number,
  ask: () => Promise<T>,
): () => Promise<T> {
  let kept: { answer: Promise<T>; until: number } | null = null
  return () => {
    const now = clock.monotonic()
    if (kept && now < kept.until) return kept.answer
    const cached = { answer: ask(), until: now + ms }
    kept = cached
    cached.answer.catch(() => {
      if (kept === cached) kept = null
    })
    return cached.answer
  }
}
