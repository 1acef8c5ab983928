import { InvalidArgumentError } from 'commander'
import { atAppliance, clientOf, type Where } from '../at-appliance.ts'
import { Command } from '../command.ts'

/** Creates the command that shows and begins updates of a box with an image. */
export function updateCommand(): Command {
  const command = new Command('update').description(
    'Shows and begins updates of a box that runs from an image.',
  )
  const codes = {
    done: true,
    refused: 'no update is possible; the message says why, and nothing was changed',
    unreachable: true,
    permission: 'the token does not allow it',
  } as const
  for (const each of [status(), check(), install(), hold(), confirm()]) command.addCommand(each.exits(codes))
  return command
}

function status(): Command {
  return atAppliance('status')
    .description(
      'Prints the version, the newer one that is offered, the progress, and how the newest update has ended.',
    )
    .option('--json', 'prints the document of the interface')
    .action(async (options: Where & { json?: true }) =>
      (await import('./update.ts')).showUpdate(await clientOf(options), options),
    )
}

function check(): Command {
  return atAppliance('check')
    .description('Reads the sources of updates now. The box does it by itself every six hours.')
    .action(async (options: Where) => (await import('./update.ts')).checkNow(await clientOf(options)))
}

function install(): Command {
  return atAppliance('install')
    .description(
      'Updates the box to the newest version that is offered, and waits until it restarts. Ending this command does not end the update.',
    )
    .option('--in-window', 'restarts in the quiet hours instead of as soon as nothing is under way')
    .option('--without-backup', 'goes on without a backup, for a box that has no recovery key')
    .option('--no-wait', 'begins the update and does not wait')
    .action(async (options: Where & { inWindow?: true; withoutBackup?: true; wait: boolean }) =>
      (await import('./update.ts')).installUpdate(await clientOf(options), options),
    )
}

function hold(): Command {
  return atAppliance('hold')
    .description('Puts off what the box would install by itself. A person may still begin an update.')
    .argument('[days]', 'for so many days, 0 to 30; 0 ends it', days, 7)
    .action(async (count: number, options: Where) =>
      (await import('./update.ts')).holdUpdates(await clientOf(options), count),
    )
}

function confirm(): Command {
  return atAppliance('confirm')
    .description('Keeps a new version that is on trial, although something is missing.')
    .action(async (options: Where) => (await import('./update.ts')).confirmUpdate(await clientOf(options)))
}

function days(text: string): number {
  if (/^([0-9]|[12][0-9]|30)$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a number from 0 to 30.')
}
