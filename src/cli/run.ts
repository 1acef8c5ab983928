import { Command, CommanderError } from 'commander'
import { backupCommand, restoreCommand } from './backup/backup-command.ts'
import { clockCommand } from './clock-command.ts'
import { checkInCommand, doorCommand, importCommand, serveCommand, simulateCommand } from './commands.ts'
import { commissionCommand } from './commission/commission-command.ts'
import { devicesCommand } from './devices-command.ts'
import { CommandFailed, exitHelp, exits } from './exit-codes.ts'
import { replayCommand } from './replay-command.ts'
import { syncCommand } from './sync-command.ts'
import { tokenCommand } from './token-command.ts'

/** Runs one command line, without program and script. `entry` is the program itself. Sets the exit code. */
export async function run(argv: string[], entry: URL): Promise<void> {
  if (argv[0] === '--version') return console.log((await import('../version.ts')).version)
  try {
    await commandLine(entry).parseAsync(argv, { from: 'user' })
  } catch (error) {
    end(error)
  }
}

/** Ends the process, because a start that failed half-way leaves its threads behind. */
function end(error: unknown): never {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : exits.usage[0])
  if (error instanceof CommandFailed) {
    console.error(`nightporter: ${error.message}`)
    process.exit(exits[error.exit][0])
  }
  console.error(error)
  process.exit(exits.fault[0])
}

/** Every command with its options. What a command needs is loaded when it is called: a start should be quick. */
function commandLine(entry: URL): Command {
  const program = new Command('nightporter')
    .description('Reservations, keys and card dispensers of one house.')
    .option('--version', 'says which version this is')
    .exitOverride()
    .showHelpAfterError('(--help tells more)')
    .addHelpText('after', exitHelp({ done: true, usage: true, fault: true }))
    .addHelpText('after', '\nEach command tells its own with --help.')
  const commands = [
    serveCommand(entry),
    checkInCommand(),
    doorCommand(),
    importCommand(),
    tokenCommand(),
    clockCommand(),
    simulateCommand(),
    devicesCommand(),
    commissionCommand(),
    syncCommand(),
    replayCommand(),
    backupCommand(),
    restoreCommand(),
  ]
  for (const command of commands) program.addCommand(inheriting(program, command))
  return program
}

/** Commands made by themselves know nothing of how the program ends. */
function inheriting(program: Command, command: Command): Command {
  for (const each of command.commands) inheriting(program, each)
  return command.copyInheritedSettings(program)
}
