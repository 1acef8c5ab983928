import { Command } from '../command.ts'
import type { CheckPmsOptions } from './check-pms.ts'

/** Returns the command with which a PMS vendor checks his own server. */
export function checkPmsCommand(): Command {
  return new Command('check-pms')
    .description(
      'For PMS vendors: checks whether a PMS keeps to the open contract. It makes one reservation a year from now, changes it, checks it in and out. Use a test property.',
    )
    .argument('<address>', 'the base URL of the PMS over HTTP, or its broker: mqtts://HOST')
    .option('--credentials <file>', 'the `credentials` of a configuration, JSON; - reads standard input')
    .option('--connection <file>', 'further members of `connection`, JSON, such as serverCa or topicPrefix')
    .option('--property <id>', 'the id of the property in the topics of a broker (default: a new one)')
    .option('--unit-type <code>', 'a unit type that the PMS sells (default: the first in its changes)')
    .option(
      '--unit <name>',
      'a unit of this type that is free in a year, to check that it is not given twice',
    )
    .option('--read-only', 'makes only the checks that change nothing')
    .option('--json', 'prints the report as JSON')
    .exits({
      done: 'every check was passed or skipped',
      refused: 'a check has failed',
      usage: true,
      missing: 'no such file',
      unreachable: 'the PMS cannot be reached',
    })
    .action(async (address: string, options: CheckPmsOptions) =>
      (await import('./check-pms.ts')).checkPmsAt(address, options),
    )
}
