import { Command } from '../command.ts'
import { moveCommand } from './move-command.ts'
import { targetCommands } from './target-commands.ts'

const dataHelp = 'the data folder of the appliance'

/** `nightporter backup`. */
export function backupCommand(): Command {
  const command = new Command('backup')
    .description('Makes backups of a data folder, encrypted to its recovery key. The appliance may run.')
    .addHelpText(
      'after',
      `\nBackups are written to the folder "backups" in the data folder unless nightporter.json names another. A backup on the same
card or disk is lost when that fails: add a target with add-target, name a second folder as backup.copyTo, or download backups.`,
    )
    .addCommand(now(), { isDefault: true })
    .addCommand(list())
    .addCommand(key())
  for (const each of [...targetCommands(), moveCommand()]) command.addCommand(each)
  return command
}

function now(): Command {
  return new Command('now')
    .description('Makes a backup now. "nightporter backup" without a command does the same.')
    .option('--data <dir>', dataHelp, './data')
    .exits({
      done: 'the backup was written and verified',
      refused: 'no backup was made; the message says why',
      data: 'the database is damaged',
      missing: 'there is no such data folder',
      later: 'the backup was made, but could not be copied to the second folder',
      permission: 'no permission for a file or folder',
      config: true,
    })
    .action(async (options: { data: string }) => (await import('./backup.ts')).makeBackup(options))
}

function list(): Command {
  return new Command('list')
    .description('Lists the backups, the newest first: time, reason, bytes, file.')
    .option('--data <dir>', dataHelp, './data')
    .exits({
      done: true,
      missing: 'there is no such data folder',
      permission: 'no permission for a file or folder',
      config: true,
    })
    .action(async (options: { data: string }) => (await import('./backup.ts')).listBackups(options))
}

function key(): Command {
  return new Command('key')
    .description(
      'Makes the recovery key that opens the backups, and prints it once, encrypted with a passphrase. The box keeps only the public part.',
    )
    .option('--data <dir>', dataHelp, './data')
    .option('--recipient <age1...>', 'makes no key, but also encrypts backups to this public age recipient')
    .option(
      '--passphrase-file <file>',
      'file whose first line is the passphrase (default: asked for, or read from standard input)',
    )
    .exits({
      done: true,
      refused: 'the passphrase or the recipient is not valid',
      missing: 'there is no such data folder',
      permission: 'no permission for a file',
    })
    .action(async (options: { data: string; recipient?: string; passphraseFile?: string }) =>
      (await import('./backup.ts')).makeKey(options),
    )
}

/** `nightporter restore`. */
export function restoreCommand(): Command {
  return new Command('restore')
    .description('Replaces the property in a data folder by a backup. Stop the appliance first.')
    .argument('<file>', 'the backup')
    .option('--data <dir>', dataHelp, './data')
    .option('--identity <file>', 'file with the recovery key; - reads it from standard input', '-')
    .option('--passphrase-file <file>', 'file whose first line is the passphrase (default: asked for)')
    .option('--segments <folder>', 'another folder with segments of keys, besides that of the backup')
    .option('--check', 'only verifies the backup and changes nothing; the appliance may run')
    .addHelpText(
      'after',
      '\nWhere there is no terminal, the passphrase may follow the recovery key on standard input.\nThe replaced property is kept in the folder "replaced" until the next restore.',
    )
    .exits({
      done: true,
      refused: 'the recovery key or the passphrase does not open the backup',
      data: 'the backup is damaged, or newer than this program',
      missing: 'no such file or folder',
      unreachable: 'the appliance is running on this data folder',
      permission: 'no permission for a file',
    })
    .action(
      async (
        file: string,
        options: { data: string; identity: string; passphraseFile?: string; check?: true; segments?: string },
      ) => (await import('./restore.ts')).restore(file, options),
    )
}
