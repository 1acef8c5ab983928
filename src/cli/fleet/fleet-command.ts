import { Command } from '../command.ts'
import type { FleetOptions } from './fleet.ts'

/** Returns the command with which an operator of many boxes looks at them. */
export function fleetCommand(): Command {
  return new Command('fleet')
    .description(
      'For operators of many boxes: lists all boxes that a broker connects with a PMS, from the state that each publishes there.',
    )
    .argument('<broker>', 'the broker: mqtts://HOST')
    .option('--credentials <file>', '`username` and `password` at the broker, JSON; - reads standard input')
    .option('--connection <file>', 'members of `connection`, JSON, such as serverCa or topicPrefix')
    .option('--names <file>', 'the names of the properties by their ids, JSON')
    .option('--html', 'prints a page without scripts instead of a table')
    .option('--json', 'prints the states as JSON')
    .exits({
      done: 'every box is online, and no check fails',
      refused: 'a box is offline, or one of its checks fails',
      usage: true,
      missing: 'no such file',
      unreachable: 'the broker cannot be used',
    })
    .action(async (broker: string, options: FleetOptions) =>
      (await import('./fleet.ts')).printFleet(broker, options),
    )
}
