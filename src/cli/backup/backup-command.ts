import { Command } from 'commander'
import { exitHelp } from '../exit-codes.ts'

const dataHelp = 'the data folder of the appliance'

export function backupCommand(): Command {
  return new Command('backup')
    .description(
      'Makes backups of a data folder, encrypted to its recovery key, whether the appliance runs or not.',
    )
    .addHelpText(
      'after',
      `\nThey go to the folder "backups" in the data folder unless nightporter.json names another. A backup on the same
card or disk does not survive it: name a second folder as backup.copyTo, or download backups.`,
    )
    .addCommand(now(), { isDefault: true })
    .addCommand(list())
    .addCommand(key())
}

function now(): Command {
  return new Command('now')
    .description('Makes one now; what "nightporter backup" alone does.')
    .option('--data <dir>', dataHelp, './data')
    .addHelpText('after', codes)
    .action(async (options: { data: string }) => (await import('./backup.ts')).makeBackup(options))
}

const codes = exitHelp({
  done: 'the backup was written, and opened again',
  refused: 'none was made; the message says why',
  data: 'the database is damaged',
  missing: 'there is no such data folder',
  later: 'it was made, and could not be copied to the second folder',
  permission: 'a file or folder may not be used',
  config: true,
})

function list(): Command {
  return new Command('list')
    .description('Lists the backups, the newest first: when, why, bytes, file.')
    .option('--data <dir>', dataHelp, './data')
    .addHelpText(
      'after',
      exitHelp({
        done: true,
        missing: 'there is no such data folder',
        permission: 'a file or folder may not be used',
        config: true,
      }),
    )
    .action(async (options: { data: string }) => (await import('./backup.ts')).listBackups(options))
}

function key(): Command {
  return new Command('key')
    .description(
      'Makes the recovery key that opens the backups, and prints it this once, wrapped by a passphrase. The box keeps its public half alone.',
    )
    .option('--data <dir>', dataHelp, './data')
    .option('--recipient <age1...>', 'instead of making one, also encrypts to this public age recipient')
    .option(
      '--passphrase-file <file>',
      'the passphrase is its first line (default: it is asked for, or read from standard input)',
    )
    .addHelpText(
      'after',
      exitHelp({
        done: true,
        refused: 'the passphrase or the recipient cannot be used',
        missing: 'there is no such data folder',
        permission: 'a file may not be used',
      }),
    )
    .action(async (options: { data: string; recipient?: string; passphraseFile?: string }) =>
      (await import('./backup.ts')).makeKey(options),
    )
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description(
      'Puts a backup in the place of the property in a data folder. The appliance must be stopped.',
    )
    .argument('<file>', 'the backup')
    .option('--data <dir>', dataHelp, './data')
    .option('--identity <file>', 'the recovery key; - reads it from standard input', '-')
    .option('--passphrase-file <file>', 'the passphrase is its first line (default: it is asked for)')
    .option('--check', 'opens and checks the backup, and changes nothing; the appliance may run')
    .addHelpText(
      'after',
      '\nWhere there is no terminal, the passphrase may follow the recovery key on standard input.\nWhat was there before is kept in the folder "replaced" until the next restore.',
    )
    .addHelpText(
      'after',
      exitHelp({
        done: true,
        refused: 'the recovery key or the passphrase does not open it',
        data: 'the backup is damaged, or newer than this program',
        missing: 'no such file or folder',
        unreachable: 'the appliance runs on the folder',
        permission: 'a file may not be used',
      }),
    )
    .action(
      async (
        file: string,
        options: { data: string; identity: string; passphraseFile?: string; check?: true },
      ) => (await import('./restore.ts')).restore(file, options),
    )
}
