import { type Config, ConfigRefused } from '../config.ts'
import { VaultRefused } from '../host/vault.ts'
import { StoreRefused } from '../store/connection.ts'
import { fileTroubleIn, remedyOf, troubleIn } from '../store/disk/disk-trouble.ts'
import { StoreTaken } from '../store/lock.ts'
import { CommandFailed, type Exit } from './exit-codes.ts'

/**
 * Converts an error that prevents the start to a CommandFailed with one sentence. Returns any other error unchanged.
 */
export function asFailure(error: unknown, config?: Config): unknown {
  if (error instanceof ConfigRefused) return new CommandFailed('config', error.message)
  if (error instanceof StoreRefused || error instanceof VaultRefused)
    return new CommandFailed('data', error.message)
  if (error instanceof StoreTaken) return new CommandFailed('unreachable', error.message)
  const { code, path, syscall } = error as NodeJS.ErrnoException
  if (!config || code === undefined) return error
  const trouble = troubleIn(error) ?? fileTroubleIn(error)
  if (trouble)
    return new CommandFailed('device', `${config.data} cannot be used (${code}). ${remedyOf(trouble)}`)
  const address = `${config.host}:${config.port}`
  const where = syscall === 'listen' ? address : (path ?? config.data)
  const known: Record<string, [Exit, string]> = {
    EADDRINUSE: [
      'unreachable',
      `${address} is in use; another nightporter may be running. Give another port with --listen.`,
    ],
    EADDRNOTAVAIL: ['config', `${config.host} is not an address of this machine.`],
    ENOTFOUND: ['config', `${config.host} is not an address of this machine.`],
    EACCES: ['permission', `This user has no permission for ${where}.`],
    EPERM: ['permission', `This user has no permission for ${where}.`],
    ENOENT: ['config', `${where} does not exist.`],
    ENOTDIR: ['config', `${where} is not a folder.`],
    EEXIST: ['config', `${where} is not a folder.`],
  }
  const [exit, message] = known[code] ?? []
  return exit && message ? new CommandFailed(exit, message, { cause: error }) : error
}
