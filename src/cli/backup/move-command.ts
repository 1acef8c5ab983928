import { atAppliance, clientOf, type Where } from '../at-appliance.ts'
import type { Command } from '../command.ts'
import type { MoveOptions } from './move.ts'

/** The command that moves a property to another box. */
export function moveCommand(): Command {
  return atAppliance('move')
    .description(
      'Moves the property to a new box: the old one stops making keys, and its backup is restored on the new one, which takes over.',
    )
    .argument('<new box>', 'the address of a box without an owner, such as https://192.168.1.20')
    .requiredOption('--code <digits>', 'the pairing code of the new box, from its screen')
    .option(
      '--identity <file>',
      'file with the recovery key or the words of the sheet; - reads standard input',
      '-',
    )
    .option('--passphrase-file <file>', 'file whose first line is the passphrase (default: asked for)')
    .exits({
      done: 'the new box has the property',
      refused:
        'one of the boxes refuses; the old one has the property as before unless the message says otherwise',
      missing: 'a file does not exist',
      unreachable: true,
      permission: 'the token or the pairing code is wrong',
    })
    .action(async (to: string, options: Where & MoveOptions) =>
      (await import('./move.ts')).move(await clientOf(options), to.replace(/\/+$/, ''), options),
    )
}
