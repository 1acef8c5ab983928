import { appliedOrNot, atAppliance, clientOf, type Where } from '../at-appliance.ts'
import { Command } from '../command.ts'
import { another } from '../repeated.ts'

/** `nightporter token`. */
export function tokenCommand(): Command {
  const command = new Command('token').description('Manages the tokens of clients.')
  const codes = { ...appliedOrNot, permission: 'the token or the pairing code does not allow it' }
  for (const each of [create(), list(), rotate(), revoke(), pair(), reopen()])
    command.addCommand(each.exits(codes))
  return command
}

function create(): Command {
  return atAppliance('create')
    .description('Makes a token and prints it once.')
    .argument('<name>', 'the name of the token, such as its client')
    .requiredOption(
      '--role <role>',
      'kiosk, frontdesk, housekeeping, integrator, installer, auditor, monitor or admin',
    )
    .option('--scope <scope>', 'a scope beyond those of the role; may be repeated', another)
    .option('--expires <instant>', 'when it expires, such as 2027-01-01T00:00:00Z')
    .action(async (name: string, options: Where & { role: string; scope?: string[]; expires?: string }) => {
      const { createToken } = await import('./token.ts')
      await createToken(await clientOf(options), name, options)
    })
}

function list(): Command {
  return atAppliance('list')
    .description('Lists the tokens: id, role, expiry, last use, name.')
    .action(async (options: Where) => (await import('./token.ts')).listTokens(await clientOf(options)))
}

function rotate(): Command {
  return atAppliance('rotate')
    .description('Replaces a token and prints the new one once. The old token stays valid for 24 hours.')
    .argument('<id>', 'the id, from the list')
    .action(async (id: string, options: Where) => {
      await (await import('./token.ts')).rotateToken(await clientOf(options), id)
    })
}

function revoke(): Command {
  return atAppliance('revoke')
    .description('Revokes a token.')
    .argument('<id>', 'the id, from the list')
    .action(async (id: string, options: Where) => {
      await (await import('./token.ts')).revokeToken(await clientOf(options), id)
    })
}

function pair(): Command {
  return atAppliance('pair')
    .description('Exchanges the pairing code of a first start for the token of an administrator.')
    .argument('<code>', 'eight digits; spaces and hyphens are ignored')
    .option('--name <name>', 'the name of the token, such as its client', 'Paired')
    .action(async (code: string, options: Where & { name: string }) => {
      await (await import('./token.ts')).pairToken(await clientOf(options), code, options)
    })
}

function reopen(): Command {
  return new Command('reopen')
    .description(
      'Lets the next start show a pairing code, when no token of an administrator is left. Runs on the box.',
    )
    .option('--data <dir>', 'the data folder of the appliance', './data')
    .action(async ({ data }: { data: string }) => (await import('./reopen.ts')).reopenPairing(data))
}
