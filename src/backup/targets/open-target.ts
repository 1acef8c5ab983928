import { fileURLToPath } from 'node:url'
import { expectOutgoing } from '../../host/firewall/outgoing.ts'
import { folderTarget } from './folder-target.ts'
import { expectStick } from './stick.ts'
import { refusedBy, refusing, type Target, type TargetSettings } from './target.ts'
import { webdavTarget } from './webdav-target.ts'

/** Opens a target. The libraries for S3 and SFTP are loaded at their first use. Rejects with BackupRefused. */
export async function openTarget(settings: TargetSettings): Promise<Target> {
  try {
    return refusing(settings, await opened(settings))
  } catch (error) {
    throw refusedBy(settings, error)
  }
}

async function opened(settings: TargetSettings): Promise<Target> {
  if (settings.kind === 'folder') {
    await expectStick(fileURLToPath(settings.url))
    return folderTarget(settings)
  }
  await expectOutgoing(settings.url)
  if (settings.kind === 'webdav') return webdavTarget(settings)
  if (settings.kind === 's3') return new (await import('./s3-target.ts')).S3Target(settings)
  return (await import('./sftp-target.ts')).sftpTarget(settings)
}
