import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataFiles } from './files/data-files.ts'
import { syncPath } from './files/durable.ts'

/**
 * Lets the next start of the appliance show a pairing code, for an administrator whose token is lost. Whoever may write to the data
 * folder may do this. Tokens stay valid. Throws the error of the file system.
 */
export function requestPairing(data: string): void {
  const file = join(data, dataFiles.pairAgain)
  writeFileSync(file, '', { mode: 0o600 })
  syncPath(dirname(file))
}

/** Returns whether pairing was requested, and withdraws the request: it counts for one start. */
export function takePairingRequest(data: string): boolean {
  const file = join(data, dataFiles.pairAgain)
  if (!existsSync(file)) return false
  rmSync(file)
  return true
}
