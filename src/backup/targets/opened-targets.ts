import type { Reader } from '../../resource/keeper.ts'
import { type BackupTarget, backupTarget } from './backup-target.ts'
import type { TargetSettings } from './target.ts'

export const secretContext = 'backup-target'

type Unseal = (sealed: string, context: string) => string

/** Returns the targets of a property, by name. */
export function targetsOf(reader: Pick<Reader, 'rows'>): BackupTarget[] {
  return reader.rows(backupTarget, {
    filters: [],
    sort: [{ path: 'name', descending: false }],
    page: { size: 100 },
  })
}

/** Returns the settings of a target with its plain secret. Throws VaultRefused. */
export function settingsOf(row: BackupTarget, unseal: Unseal): TargetSettings {
  const { name, kind, url, user = null, hostKey = null, region = null } = row
  return {
    name,
    kind,
    url,
    user,
    hostKey,
    region,
    secret: row.secret ? unseal(row.secret, secretContext) : null,
  }
}
