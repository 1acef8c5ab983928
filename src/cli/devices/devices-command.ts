import { atAppliance, clientOf, type Where } from '../at-appliance.ts'
import type { Command } from '../command.ts'
import type { DevicesOptions } from './devices.ts'

/** `nightporter devices`. */
export function devicesCommand(): Command {
  return atAppliance('devices')
    .description('Lists connected devices, the drivers that may fit, and what is configured for them.')
    .option(
      '--probe',
      'asks devices that are not configured for their model; uses only requests that move nothing',
    )
    .option('--yes-move', 'also uses requests that move a motor')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nThe list comes from the running appliance, which knows the configuration. If no appliance answers, it shows the devices of this machine.' +
        '\nConfigured devices are in use and are not probed.',
    )
    .exits({ done: true, usage: true })
    .action(async (options: Where & DevicesOptions) => {
      await (await import('./devices.ts')).listDevices(await clientOf(options), options)
    })
}
