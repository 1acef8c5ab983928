import type { Command } from 'commander'
import { atAppliance, clientOf, type Where } from './at-appliance.ts'
import type { DevicesOptions } from './devices.ts'
import { exitHelp } from './exit-codes.ts'

export function devicesCommand(): Command {
  return atAppliance('devices')
    .description('Lists what is plugged in, what it may be, and what is set up for it.')
    .option('--probe', 'asks what is not set up whether it is what it may be, where that moves nothing')
    .option('--yes-move', 'and where asking turns a motor')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nA running appliance is asked, because it knows what is set up; without one this machine is looked at.' +
        '\nDevices that are set up are in use and are not probed.',
    )
    .addHelpText('after', exitHelp({ done: true, usage: true }))
    .action(async (options: Where & DevicesOptions) => {
      await (await import('./devices.ts')).listDevices(await clientOf(options), options)
    })
}
