import type { Histogram } from '../../host/histogram.ts'
import type { DiskWear } from '../../host/machine/disk-wear.ts'
import { steps } from '../../update/update-state.ts'
import { obstacleOf } from '../status-checks.ts'
import type { Facts } from '../status-facts.ts'
import { distinct, known } from './device-metrics.ts'
import type { Family, Sample } from './open-metrics.ts'

type Unit = NonNullable<Family['unit']>

const updateStates = ['idle', ...steps] as const

/** Returns the metrics of the box: store, disk, clock, backups, certificate and the PMS. */
export function boxMetrics(
  facts: Facts,
  { version, commits, wear }: { version: string; commits: Histogram; wear: DiskWear },
): Family[] {
  const { storage, clock, backups, pms, certificate, updates } = facts
  return [
    {
      name: 'nightporter_build',
      type: 'info',
      help: 'The version of the program',
      samples: [{ labels: { version, slot: updates.slot ?? '' }, value: 1 }],
    },
    {
      name: 'nightporter_update_state',
      type: 'gauge',
      help: '1 for the step of an update that the box is at, or for idle',
      samples: updateStates.map((state) => ({
        labels: { state },
        value: Number(state === (updates.job?.step ?? 'idle')),
      })),
    },
    gauge('ready', '1 while the box can do its work', Number(obstacleOf(facts) === null)),
    gauge('writer_queue_changes', 'Changes that wait for the writer', facts.writing),
    {
      name: 'nightporter_commit_duration_seconds',
      type: 'histogram',
      unit: 'seconds',
      help: 'Time until a group of changes was on the disk',
      samples: [{ value: commits }],
    },
    gauge('database_bytes', 'Size of the database', storage.databaseBytes, 'bytes'),
    gauge('wal_bytes', 'Size of the write-ahead log', storage.walBytes, 'bytes'),
    gauge('disk_free_bytes', 'Free space of the disk', storage.freeBytes, 'bytes'),
    {
      name: 'nightporter_disk_written_bytes',
      type: 'counter',
      unit: 'bytes',
      help: 'Bytes that all programs have written to the disk since the machine was switched on',
      samples: known({}, wear.writtenBytes),
    },
    gauge('storage_life_used_ratio', 'Part of its life that the disk says is used', wear.lifeUsed, 'ratio'),
    gauge('clock_synchronized', '1 while a time server sets the clock', flagOf(clock.synced)),
    gauge(
      'clock_plausible',
      '1 while date and time are certain enough for keys',
      Number(clock.judgement === 'plausible'),
    ),
    gauge(
      'clock_offset_seconds',
      'Absolute offset of the clock from its time server',
      scaled(clock.skewMs),
      'seconds',
    ),
    gauge(
      'backup_last_verified_timestamp_seconds',
      'When the newest backup was made and read back',
      scaled(backups.lastBackupAt),
      'seconds',
    ),
    gauge(
      'keys_last_verified_timestamp_seconds',
      'Until when each key was read back from every second medium',
      scaled(backups.keys.verifiedAt),
      'seconds',
    ),
    gauge(
      'certificate_expiry_timestamp_seconds',
      'When the certificate of the server ends',
      scaled(certificate.certificate?.validToDate.getTime()),
      'seconds',
    ),
    ...pmsMetrics(pms),
  ]
}

function pmsMetrics(all: Facts['pms']): Family[] {
  const nameOf = distinct()
  const named = all.map((each) => ({ ...each, labels: { pms: nameOf(each) } }))
  const each = (find: (pms: (typeof named)[number]) => number | null): Sample[] =>
    named.flatMap((pms) => known(pms.labels, find(pms)))
  const enabled = named.filter(({ state }) => state !== 'disabled')
  return [
    {
      name: 'nightporter_pms_connected',
      type: 'gauge',
      help: '1 while the PMS answers',
      samples: enabled.map(({ labels, state }) => ({ labels, value: Number(state !== 'disconnected') })),
    },
    {
      name: 'nightporter_pms_outbox_messages',
      type: 'gauge',
      help: 'Reservations that the PMS has not been told of as they are now',
      samples: each(({ outbox }) => outbox),
    },
    {
      name: 'nightporter_pms_last_contact_timestamp_seconds',
      type: 'gauge',
      unit: 'seconds',
      help: 'When the PMS answered last',
      samples: each(({ lastContactAt }) => scaled(lastContactAt)),
    },
    {
      name: 'nightporter_sync_conflicts',
      type: 'gauge',
      help: 'Differences with the PMS that nobody has decided',
      samples: each(({ conflicts }) => conflicts),
    },
  ]
}

function gauge(name: string, help: string, value: number | null, unit?: Unit): Family {
  return {
    name: `nightporter_${name}`,
    type: 'gauge',
    ...(unit && { unit }),
    help,
    samples: known({}, value),
  }
}

function flagOf(value: boolean | null): number | null {
  return value === null ? null : Number(value)
}

/** Milliseconds as seconds. */
function scaled(ms: number | null | undefined): number | null {
  return ms === null || ms === undefined ? null : ms / 1_000
}
