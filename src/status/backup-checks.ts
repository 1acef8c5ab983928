import type { Message } from '../jsonapi/locales/message.ts'
import type { Found } from './check.ts'
import type { Facts } from './status-facts.ts'

/** Two nights, plus some hours for a box that was switched off. */
const oldMs = 60 * 3_600_000

/** The sample property has no data to lose, so it needs no recovery key. */
export function backup({ backups, simulated, now }: Facts): Found {
  const { lastBackupAt, ahead, hasKey, problem } = backups
  const observedValue = lastBackupAt === null ? null : new Date(lastBackupAt).toISOString()
  const isOld = lastBackupAt === null || now - lastBackupAt > oldMs
  const messages: Message[] = hasKey
    ? problem !== null
      ? [{ code: 'backup-problem', values: { detail: problem } }]
      : isOld
        ? [{ code: lastBackupAt === null ? 'backup-none' : 'backup-old' }]
        : []
    : simulated
      ? []
      : [{ code: 'no-recovery-key' }]
  if (ahead)
    messages.push({
      code: 'backups-ahead',
      values: { count: ahead.count, latest: new Date(ahead.latest).toISOString().slice(0, 10) },
    })
  return {
    componentType: 'datastore',
    observedValue,
    status: messages.length > 0 ? 'warn' : 'pass',
    messages,
  }
}

/**
 * Warns until a backup was read back from a place outside the box. Only such a backup is left after a fire or a theft, so a hotel that
 * never sets up a place sees it here.
 */
export function elsewhere({ backups: { lastBackupAt, elsewhere: found } }: Facts): Found {
  const { places, verifiedAt } = found
  const messages: Message[] =
    places === 0
      ? [{ code: 'backup-nowhere-else' }]
      : verifiedAt === null && lastBackupAt !== null
        ? [{ code: 'backup-not-elsewhere' }]
        : []
  return {
    componentType: 'datastore',
    observedValue: verifiedAt === null ? null : new Date(verifiedAt).toISOString(),
    status: messages.length > 0 ? 'warn' : 'pass',
    messages,
  }
}

/** Without a second medium nothing is wrong, and a loss of the disk costs the keys since the newest backup. */
export function keysElsewhere({ backups: { keys } }: Facts): Found {
  const { media, verifiedAt, problem } = keys
  const found = {
    componentType: 'datastore',
    observedValue: verifiedAt === null ? null : new Date(verifiedAt).toISOString(),
  } as const
  if (problem !== null)
    return { ...found, status: 'warn', messages: [{ code: 'keys-lag', values: { detail: problem } }] }
  return { ...found, status: 'pass', messages: media === 0 ? [{ code: 'keys-on-disk-only' }] : [] }
}
