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
  // No folder is missing above one that was to be made: its file system makes none, as /proc.
  const isMade = syscall !== 'mkdir'
  const another = 'Give another folder with --data.'
  const known: Record<string, [Exit, string]> = {
    EADDRINUSE: [
      'unreachable',
      `${address} is in use; another nightporter may be running. Give another port with --listen.`,
    ],
    EADDRNOTAVAIL: ['config', `${config.host} is not an address of this machine.`],
    ENOTFOUND: ['config', `${config.host} is not an address of this machine.`],
    EACCES: ['permission', `This user has no permission for ${where}.`],
    EPERM: ['permission', `This user has no permission for ${where}.`],
    ENOENT: [
      'config',
      isMade ? `${where} does not exist.` : `The folder ${where} cannot be made. ${another}`,
    ],
    ENOTDIR: ['config', `${where} is not a folder. ${another}`],
    EEXIST: ['config', `${where} is not a folder. ${another}`],
  }
  const [exit, message] = known[code] ?? otherOf(code, syscall, path) ?? []
  return exit && message ? new CommandFailed(exit, message, { cause: error }) : error
}

/** The sentence for a path that the system refuses, such as one that is too long, or a loop of links. */
function otherOf(code: string, syscall: string | undefined, path: string | undefined): [Exit, string] | null {
  if (syscall === undefined || path === undefined) return null
  return ['config', `${path} cannot be used (${code}). Give another folder with --data.`]
}
