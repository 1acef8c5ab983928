import { CommanderError, type Command as Plain } from 'commander'
import { moduleMissing } from '../devices/native-modules.ts'
import { accountCommand } from './account/account-command.ts'
import { backupCommand, restoreCommand } from './backup/backup-command.ts'
import { boxCommand } from './box/box-command.ts'
import { certificateCommand } from './certificate-command.ts'
import { checkPmsCommand } from './check-pms/check-pms-command.ts'
import { clockCommand } from './clock-command.ts'
import { Command } from './command.ts'
import { checkInCommand, doorCommand, importCommand, serveCommand, simulateCommand } from './commands.ts'
import { commissionCommand } from './commission/commission-command.ts'
import { devicesCommand } from './devices/devices-command.ts'
import { CommandFailed, exits } from './exit-codes.ts'
import { firewallCommand } from './firewall/firewall-command.ts'
import { fleetCommand } from './fleet/fleet-command.ts'
import { replayCommand } from './replay/replay-command.ts'
import { setupCommand } from './setup/setup-command.ts'
import { syncCommand } from './sync/sync-command.ts'
import { tokenCommand } from './token/token-command.ts'
import { updateCommand } from './update/update-command.ts'

/**
 * Runs one command line, without the program and script arguments, and sets the exit code. `entry` is the URL of the
 * program.
 */
export async function run(argv: string[], entry: URL): Promise<void> {
  if (argv[0] === '--version') return console.log((await import('../version.ts')).version)
  try {
    await commandLine(entry).parseAsync(argv, { from: 'user' })
  } catch (error) {
    end(error)
  }
}

/** Ends the process explicitly, because a start that failed half-way leaves running threads. */
function end(error: unknown): never {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : exits.usage[0])
  if (error instanceof CommandFailed) {
    console.error(`nightporter: ${error.message}`)
    process.exit(exits[error.exit][0])
  }
  const missing = moduleMissing(error)
  if (missing) {
    console.error(`nightporter: ${missing.message}`)
    process.exit(exits.missing[0])
  }
  console.error(error)
  process.exit(exits.fault[0])
}

/** Returns all commands with their options. Each command loads its code when it runs, which keeps the start fast. */
export function commandLine(entry: URL): Command {
  const program = new Command('nightporter')
    .description('Reservations, keys and card dispensers of one property.')
    .option('--version', 'prints the version')
    .exitOverride()
    .showHelpAfterError('(--help shows more)')
    .exits({ done: true, usage: true, missing: 'a module of the program is missing', fault: true })
    .addHelpText('after', '\nCOMMAND --help shows the options of a command.')
    .hook('preAction', (_, command) => expectValues(command))
  const commands = [
    serveCommand(entry),
    checkInCommand(),
    doorCommand(),
    setupCommand(),
    importCommand(),
    tokenCommand(),
    accountCommand(),
    clockCommand(),
    certificateCommand(),
    simulateCommand(),
    devicesCommand(),
    commissionCommand(),
    syncCommand(),
    checkPmsCommand(),
    fleetCommand(),
    replayCommand(),
    firewallCommand(entry),
    backupCommand(),
    restoreCommand(),
    updateCommand(),
    boxCommand(),
  ]
  for (const command of commands) program.addCommand(inheriting(program, command))
  return program
}

/** Throws CommandFailed for an empty value, which a variable of a script leaves that is not set: the default is not meant. */
function expectValues(command: Plain): void {
  for (const option of command.options) {
    const name = option.attributeName()
    const value: unknown = command.getOptionValue(name)
    const isEmpty = option.required && typeof value === 'string' && value.trim() === ''
    if (isEmpty && command.getOptionValueSource(name) === 'cli')
      throw new CommandFailed(
        'usage',
        `${option.flags} is empty. Give a value, or leave the option out for its default.`,
      )
  }
}

/** A subcommand does not inherit `exitOverride` and the help settings by itself. */
function inheriting(program: Plain, command: Plain): Plain {
  for (const each of command.commands) inheriting(program, each)
  return command.copyInheritedSettings(program)
}
