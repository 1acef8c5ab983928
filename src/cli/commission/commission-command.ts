import { type Command, Option } from 'commander'
import { atAppliance, clientOf, type Where } from '../at-appliance.ts'
import { exitHelp, exits } from '../exit-codes.ts'
import type { CommissionOptions } from './commission.ts'

export function commissionCommand(): Command {
  return atAppliance('commission')
    .description(
      'Tries an encoder and its dispenser from end to end, with test cards. For the role installer.',
    )
    .option('--controller <name>', 'the encoder (default: the first with a dispenser)')
    .option('--dispenser <name>', 'the dispenser, whose encoder is tried with it')
    .option('--unit <name>', 'for which test cards are made: one in which nobody is in house')
    .addOption(
      new Option('--door-opened <answer>', 'whether the door opened, where nobody can be asked').choices([
        'yes',
        'no',
      ]),
    )
    .option('--data <dir>', "the appliance's folder, with simulated devices: a simulated door decides")
    .option('--json <file>', 'writes the report there as well')
    .addHelpText(
      'after',
      '\nA test key opens for 15 minutes at most, and is erased or blocked at the end, whatever failed.',
    )
    .addHelpText(
      'after',
      exitHelp({
        done: 'nothing failed',
        refused: 'a step failed',
        permission: 'the report cannot be written',
      }),
    )
    .action(async (options: Where & CommissionOptions) => {
      const { commission } = await import('./commission.ts')
      process.exitCode = (await commission(await clientOf(options), options)) ? 0 : exits.refused[0]
    })
}
