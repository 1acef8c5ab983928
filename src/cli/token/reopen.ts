import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { dataFiles } from '../../host/files/data-files.ts'
import { requestPairing } from '../../host/pairing-request.ts'
import { actAsOwner } from '../act-as-owner.ts'
import { CommandFailed } from '../exit-codes.ts'

/** Requests a pairing code of the next start, and says how to go on. Throws CommandFailed where there is no property, or no permission. */
export function reopenPairing(data: string): void {
  if (!existsSync(join(data, dataFiles.database)))
    throw new CommandFailed(
      'missing',
      `${data} has no property. Name the data folder of the appliance with --data.`,
    )
  actAsOwner(data)
  try {
    requestPairing(data)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EROFS') throw error
    throw new CommandFailed('permission', `The data folder ${data} cannot be written: ${message}`, {
      cause: error,
    })
  }
  console.error(
    'Restart the appliance: it then shows a pairing code, for one client. Exchange it with "nightporter token pair CODE". All tokens stay valid; revoke those that are lost.',
  )
}
