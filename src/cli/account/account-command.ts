import { appliedOrNot, atAppliance, clientOf, type Where } from '../at-appliance.ts'
import { Command } from '../command.ts'
import { another } from '../repeated.ts'

/** `nightporter account`. */
export function accountCommand(): Command {
  const command = new Command('account').description('Manages the accounts of people.')
  const codes = { ...appliedOrNot, permission: 'the token does not allow it' }
  for (const each of [add(), list(), reset(), disable()]) command.addCommand(each.exits(codes))
  return command
}

interface NewPerson extends Where {
  role: string
  scope?: string[]
  language?: string
}

function add(): Command {
  return atAppliance('add')
    .description(
      'Adds a person and prints the one-time code with which the person sets password and passcode.',
    )
    .argument('<name>', 'the name that the person signs in with')
    .requiredOption('--role <role>', 'frontdesk, housekeeping, installer, auditor or admin')
    .option('--scope <scope>', 'a scope beyond those of the role; may be repeated', another)
    .option('--language <language>', 'en, de, es, fr or pt')
    .action(async (name: string, options: NewPerson) => {
      await (await import('./account.ts')).addAccount(await clientOf(options), name, options)
    })
}

function list(): Command {
  return atAppliance('list')
    .description('Lists the accounts: id, role, state, language, name.')
    .action(async (options: Where) => (await import('./account.ts')).listAccounts(await clientOf(options)))
}

function reset(): Command {
  return atAppliance('reset')
    .description('Takes password and passcode away, ends all sessions, and prints a new one-time code.')
    .argument('<account>', 'the id or the name, from the list')
    .action(async (named: string, options: Where) => {
      await (await import('./account.ts')).resetAccount(await clientOf(options), named)
    })
}

function disable(): Command {
  return atAppliance('disable')
    .description('Disables an account and ends its sessions, or enables it again.')
    .argument('<account>', 'the id or the name, from the list')
    .option('--undo', 'enables the account again')
    .action(async (named: string, options: Where & { undo?: boolean }) => {
      const { disableAccount } = await import('./account.ts')
      await disableAccount(await clientOf(options), named, options.undo !== true)
    })
}
