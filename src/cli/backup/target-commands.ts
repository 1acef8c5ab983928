import { atAppliance, clientOf, type Where } from '../at-appliance.ts'
import type { Command } from '../command.ts'
import type { NewTarget } from './targets.ts'

const codes = {
  done: true,
  refused: 'the target does not take the backup; the message says why',
  missing: 'there is no such target',
  unreachable: true,
  permission: 'the token does not allow it',
} as const

/** The commands about the places outside the box to which each backup is sent. */
export function targetCommands(): Command[] {
  return [list(), add(), send(), remove()].map((each) => each.exits(codes))
}

function list(): Command {
  return atAppliance('targets')
    .description(
      'Lists the targets to which each backup is sent: name, kind, address, newest verified backup, problem.',
    )
    .action(async (options: Where) => (await import('./targets.ts')).listTargets(await clientOf(options)))
}

function add(): Command {
  return atAppliance('add-target')
    .description('Adds a target to which each backup is sent.')
    .argument('<name>', 'a name for it')
    .requiredOption('--kind <kind>', 'folder, s3, webdav or sftp')
    .requiredOption(
      '--to <address>',
      'file:///media/stick, https://HOST/BUCKET/FOLDER, https://HOST/FOLDER or sftp://HOST/FOLDER',
    )
    .option('--user <user>', 'the user; of S3, the id of the access key')
    .option(
      '--secret-file <file>',
      'file with the password, the secret access key, or a private key in PEM (default: asked for)',
    )
    .option('--host-key <fingerprint>', 'the fingerprint of an SFTP server, as SHA256:...')
    .option('--region <region>', 'the region of S3 (default: us-east-1)')
    .action(async (name: string, options: Where & NewTarget) => {
      await (await import('./targets.ts')).addTarget(await clientOf(options), name, options)
    })
}

function send(): Command {
  return atAppliance('send')
    .description('Sends the newest backup to a target, or to all, and waits until it was verified there.')
    .argument('[target]', 'the id or the name, from the list')
    .action(async (named: string | undefined, options: Where) => {
      await (await import('./targets.ts')).sendBackup(await clientOf(options), named)
    })
}

function remove(): Command {
  return atAppliance('remove-target')
    .description('Removes a target. The backups there stay.')
    .argument('<target>', 'the id or the name, from the list')
    .action(async (named: string, options: Where) => {
      await (await import('./targets.ts')).removeTarget(await clientOf(options), named)
    })
}
