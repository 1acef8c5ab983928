import { type Command, Option } from 'commander'
import { atAppliance, clientOf, type Where } from '../at-appliance.ts'
import { exits } from '../exit-codes.ts'
import type { CommissionOptions } from './commission.ts'

/** `nightporter commission`. */
export function commissionCommand(): Command {
  return atAppliance('commission')
    .description('Tests an encoder and its dispenser end to end with test cards. Needs the role installer.')
    .option('--controller <name>', 'the encoder (default: the first with a dispenser)')
    .option('--dispenser <name>', 'the dispenser, which is tested with its encoder')
    .option('--unit <name>', 'the unit for which test cards are made; it must be vacant')
    .option(
      '--map-units [pattern]',
      'maps each unit without a lock to the lock of the same name, or of the name that the pattern gives: {name} stands for the name of the unit, {digits} for its digits',
    )
    .addOption(
      new Option(
        '--door-opened <answer>',
        'whether the door opened; asked on the terminal by default',
      ).choices(['yes', 'no']),
    )
    .option(
      '--data <dir>',
      'data folder of an appliance with simulated devices; a simulated door then answers whether it opened',
    )
    .option('--json <file>', 'file for the report')
    .addHelpText(
      'after',
      '\nA test key opens for at most 15 minutes. It is erased or blocked at the end, even if a step fails.',
    )
    .exits({
      done: 'nothing failed',
      refused: 'a step failed',
      permission: 'the report cannot be written',
    })
    .action(async (options: Where & CommissionOptions) => {
      const { commission } = await import('./commission.ts')
      process.exitCode = (await commission(await clientOf(options), options)) ? 0 : exits.refused[0]
    })
}
