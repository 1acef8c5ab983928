import { sealed } from '../../resource/compound.ts'
import { flag, instant, integer, oneOf, text } from '../../resource/fields.ts'
import { invalidValue } from '../../resource/problem.ts'
import { type Row, resource, type Writing } from '../../resource/resource.ts'
import { targetKinds } from './target.ts'

const mostTargets = 8

const fields = {
  name: text({ required: true, unique: true, max: 60 }),
  kind: oneOf(targetKinds, { required: true }),
  url: text({
    required: true,
    max: 500,
    note: 'A folder as file:///media/stick, a bucket as https://HOST/BUCKET/FOLDER, a WebDAV folder as https://HOST/FOLDER, or sftp://HOST/FOLDER. The folder must exist.',
  }),
  user: text({ max: 200, note: 'The user; of S3, the id of the access key.' }),
  secret: sealed(
    { type: 'string', minLength: 1, maxLength: 20_000 },
    {
      note: 'The password, the secret access key of S3, or a private key in PEM for SFTP. Stored encrypted, never shown.',
    },
  ),
  hostKey: text({
    max: 100,
    note: 'The fingerprint of the key of an SFTP server, as `SHA256:...`. Without it nothing is sent, and `problem` names the fingerprint that was seen.',
  }),
  region: text({ max: 60, note: 'The region of S3; default us-east-1.' }),
  enabled: flag({ default: true }),
  daily: integer({ min: 1, max: 400, default: 7, note: 'Days whose newest backup is kept at the target.' }),
  weekly: integer({ min: 1, max: 400, default: 4 }),
  monthly: integer({ min: 1, max: 400, default: 12 }),
  megabytes: integer({
    min: 16,
    max: 10_000_000,
    default: 2_048,
    note: 'The largest size of all backups at the target. The newest verified one is never deleted.',
  }),
  verifiedBackup: text({
    readOnly: true,
    unremarked: true,
    note: 'The id of the newest backup that was read back from the target and found undamaged.',
  }),
  verifiedAt: instant({ readOnly: true, unremarked: true }),
  problem: text({ readOnly: true, unremarked: true, note: 'Why the newest attempt failed, and what to do.' }),
}

/** A place outside the box to which each backup is sent. */
export const backupTarget = resource('backup-target', {
  base: '/api/config/v1',
  path: 'backup-targets',
  scopes: { read: 'backups.read', write: 'config.write' },
  operations: ['list', 'read', 'remove'],
  fields,
  example: { name: 'Stick', kind: 'folder', url: 'file:///media/stick' },
  rules: { write: [notTooMany] },
})

export type BackupTarget = Row<typeof backupTarget.fields>

function notTooMany({ tx, before }: Writing<typeof fields>): void {
  if (before !== null || tx.count('SELECT count(*) FROM backup_target') < mostTargets) return
  throw invalidValue('/name', `There are ${mostTargets} targets at most.`, { limit: mostTargets })
}
