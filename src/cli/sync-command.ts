import { Command, InvalidArgumentError } from 'commander'
import { atAppliance, clientOf, type Where } from './at-appliance.ts'
import { exitHelp } from './exit-codes.ts'
import type { Choice, SyncOptions } from './sync.ts'

export function syncCommand(): Command {
  const command = new Command('sync').description(
    'Shows and hurries what keeps the house in step with its PMS.',
  )
  for (const each of [status(), errand('pull'), errand('push'), conflicts()]) command.addCommand(each)
  return command
}

const codes = {
  missing: 'no such PMS, or none that is kept in step',
  unreachable: true,
  permission: 'the token does not allow it',
} as const

function ofOne(name: string): Command {
  return atAppliance(name)
    .option('--pms <name>', 'one PMS, by its name or its id (default: all that are kept in step)')
    .option('--json', 'as JSON')
}

function status(): Command {
  return ofOne('status')
    .description('Says of each PMS whether it answers, what waits for it, and what somebody should look at.')
    .addHelpText(
      'after',
      exitHelp({ done: 'in step with each', later: 'a PMS is away, or something is left', ...codes }),
    )
    .action(async (options: Where & SyncOptions) => {
      await (await import('./sync.ts')).showStatus(await clientOf(options), options)
    })
}

function errand(what: 'pull' | 'push'): Command {
  const says = {
    pull: 'Fetches what has changed at the PMS, now.',
    push: 'Offers the PMS what it was not told of yet, and once more what it has refused, now.',
  }
  const command = ofOne(what).description(says[what])
  if (what === 'pull') command.option('--all', 'fetches everything anew')
  return command
    .addHelpText(
      'after',
      exitHelp({
        done: true,
        refused: 'it is switched off',
        device: 'the PMS failed',
        later: 'the PMS does not answer; try again',
        ...codes,
      }),
    )
    .action(async (options: Where & SyncOptions & { all?: boolean }) => {
      const { runErrand } = await import('./sync.ts')
      await runErrand(await clientOf(options), options.all ? 'full-load' : what, options)
    })
}

function conflicts(): Command {
  return ofOne('conflicts')
    .description('Lists what house and PMS said differently, in sentences, and has one of them chosen.')
    .option('--choose <id=side>', 'whose word is to count: ID=Pms or ID=Local; may be repeated', choices)
    .addHelpText('after', exitHelp({ done: 'none is left', refused: 'some are left to look at', ...codes }))
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
