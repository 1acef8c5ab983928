import type { DeviceHealth } from './access/equipment/device-health.ts'
import type { BackupState } from './backup/backups.ts'
import type { JudgedClock, JudgedTime } from './host/judged-clock.ts'
import type { TimeSync } from './host/time-sync.ts'
import { type Storage, storageOf } from './status-storage.ts'
import type { Trouble } from './store/disk-trouble.ts'
import type { DiskWatch } from './store/disk-watch.ts'
import type { PmsContact } from './upstream/contacts.ts'
import type { SyncNumbers } from './upstream/sync/numbers.ts'

export interface StatusOptions {
  clock: JudgedClock
  /** What sets the machine's clock. */
  timeSync(): TimeSync
  /** Of the interface, and of the program that speaks it. */
  version: string
  releaseId: string
  /** Unix milliseconds. */
  startedAt: number
  /** The store: `ready` resolves when it was checked whole, `lost` rejects when the writer is lost. */
  store: {
    ready: Promise<void>
    lost: Promise<never>
    waiting(): number
    disk: Pick<DiskWatch, 'trouble'>
    /** When it was found sound while at work, Unix milliseconds. */
    soundAt(): number | null
  }
  /** The folder whose disk is watched. */
  data: string
  /** All devices are played by the program itself. */
  simulated: boolean
  devices(): DeviceHealth[]
  pms(): (PmsContact & SyncNumbers)[]
  backups(): Promise<BackupState>
  /** How many units may have keys that the house does not know. */
  unitsToCheck(): number
}

type Integrity = 'checking' | 'ok' | 'failed' | 'writer-lost'

/** Everything that the status is made of, as it is now. */
export interface Facts {
  now: number
  simulated: boolean
  clock: TimeSync & JudgedTime
  integrity: Integrity
  /** When the database was found sound last, Unix milliseconds; null when it was not since the start. */
  soundAt: number | null
  /** What keeps the disk from its work; null when nothing is known to. */
  disk: Trouble | null
  storage: Storage
  /** Changes under way and waiting. */
  writing: number
  devices: DeviceHealth[]
  pms: (PmsContact & SyncNumbers)[]
  backups: BackupState
  unitsToCheck: number
}

/** A disk does not change much meanwhile, however many watch. */
const storageForMs = 2_000

/** Collects the facts. What takes longer is asked at most every few seconds, and nothing blocks. */
export function statusFacts({
  clock,
  timeSync,
  store,
  data,
  simulated,
  devices,
  pms,
  backups,
  unitsToCheck,
}: StatusOptions) {
  let integrity: Integrity = 'checking'
  let soundAt: number | null = null
  const is = (word: Integrity) => () => {
    integrity = word
    if (word === 'ok') soundAt = clock.now()
  }
  store.ready.then(is('ok'), is('failed'))
  store.lost.catch(is('writer-lost'))
  const storage = every(clock, storageForMs, () => storageOf(data))
  const kept = every(clock, storageForMs, backups)

  /** Asks nothing of the disk. */
  function known(): Pick<Facts, 'integrity' | 'soundAt' | 'disk'> {
    const disk = store.disk.trouble()
    return {
      disk,
      soundAt: store.soundAt() ?? soundAt,
      integrity: disk?.is === 'damaged' ? 'failed' : integrity,
    }
  }

  async function ofStore(): Promise<Pick<Facts, 'integrity' | 'soundAt' | 'disk' | 'storage'>> {
    return { storage: await storage(), ...known() }
  }

  async function all(): Promise<Facts> {
    const [ours, saved] = await Promise.all([ofStore(), kept()])
    return {
      ...ours,
      now: clock.now(),
      simulated,
      clock: { ...timeSync(), ...clock.judged() },
      writing: store.waiting(),
      devices: devices(),
      pms: pms(),
      backups: saved,
      unitsToCheck: unitsToCheck(),
    }
  }

  return { all, known, ofStore }
}

/** What was asked is answered the same for a while; a failure is asked again. */
function every<T>(
  clock: Pick<JudgedClock, 'monotonic'>,
  ms: number,
  ask: () => Promise<T>,
): () => Promise<T> {
  let kept: { answer: Promise<T>; until: number } | null = null
  return () => {
    const now = clock.monotonic()
    if (kept && now < kept.until) return kept.answer
    const asked = { answer: ask(), until: now + ms }
    kept = asked
    asked.answer.catch(() => {
      if (kept === asked) kept = null
    })
    return asked.answer
  }
}
