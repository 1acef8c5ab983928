import { InvalidArgumentError } from 'commander'
import { atAppliance, clientOf, type Where } from '../at-appliance.ts'
import { Command } from '../command.ts'
import type { Choice, SyncOptions } from './sync.ts'

/** `nightporter sync`. */
export function syncCommand(): Command {
  const command = new Command('sync').description('Shows and triggers the synchronisation with the PMS.')
  for (const each of [status(), action('pull'), action('push'), conflicts()]) command.addCommand(each)
  return command
}

const codes = {
  missing: 'no such PMS, or none that is synchronised',
  unreachable: true,
  permission: 'the token does not allow it',
} as const

function ofOne(name: string): Command {
  return atAppliance(name)
    .option('--pms <name>', 'one PMS, by name or id (default: all that are synchronised)')
    .option('--json', 'as JSON')
}

function status(): Command {
  return ofOne('status')
    .description('Shows for each PMS whether it answers, what waits for it, and what a person should check.')
    .exits({
      done: 'all are synchronised',
      later: 'a PMS does not answer, or something is left to do',
      ...codes,
    })
    .action(async (options: Where & SyncOptions) => {
      await (await import('./sync.ts')).showStatus(await clientOf(options), options)
    })
}

function action(what: 'pull' | 'push'): Command {
  const says = {
    pull: 'Fetches changes from the PMS now.',
    push: 'Sends local changes to the PMS now, including those that it has refused.',
  }
  const command = ofOne(what).description(says[what])
  if (what === 'pull') command.option('--all', 'fetches all reservations again')
  return command
    .exits({
      done: true,
      refused: 'the configuration is switched off',
      device: 'the PMS reported an error',
      later: 'the PMS does not answer; try again',
      ...codes,
    })
    .action(async (options: Where & SyncOptions & { all?: boolean }) => {
      const { runSyncRequest } = await import('./sync.ts')
      await runSyncRequest(await clientOf(options), options.all ? 'full-load' : what, options)
    })
}

function conflicts(): Command {
  return ofOne('conflicts')
    .description('Lists conflicts between this property and the PMS in sentences, and resolves them.')
    .option('--choose <id=side>', 'the side whose value counts: ID=Pms or ID=Local; may be repeated', choices)
    .exits({ done: 'no conflict is left', refused: 'some are left', ...codes })
    .action(async (options: Where & SyncOptions & { choose?: Choice[] }) => {
      const { showConflicts } = await import('./sync.ts')
      await showConflicts(await clientOf(options), options)
    })
}

function choices(text: string, before: Choice[] = []): Choice[] {
  const [, id, side] = /^([0-9a-f-]{36})=(Pms|Local)$/i.exec(text) ?? []
  if (!id || !side) throw new InvalidArgumentError('Expected ID=Pms or ID=Local.')
  return [...before, { id, counts: /^pms$/i.test(side) ? 'Pms' : 'Local' }]
}
