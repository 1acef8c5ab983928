import { atAppliance, clientOf, type Where } from '../at-appliance.ts'
import type { Command } from '../command.ts'
import type { SetupOptions } from './setup.ts'

/** Creates the command that sets up a property from one file, and writes the file of the present one. */
export function setupCommand(): Command {
  return atAppliance('setup')
    .description(
      'Sets up a property from one file: settings, rooms, devices, lock system and PMS. A repeat changes nothing.',
    )
    .argument('[file]', 'the file, YAML or JSON')
    .option('--dry-run', 'writes nothing: checks the file and shows what would change')
    .option('--export', 'writes the file of the present property to standard output, without secrets')
    .exits({
      done: 'the property is as the file says',
      refused: 'something in the file is wrong; nothing was written, unless the message says so',
      usage: 'neither a file nor --export, or both',
      data: 'the file cannot be read as YAML or JSON',
      missing: 'no such file, or no such secret',
      unreachable: true,
      device: 'a lock system failed',
      later: true,
      permission: 'the token does not allow it',
    })
    .action(async (file: string | undefined, options: Where & SetupOptions) => {
      const { setUp } = await import('./setup.ts')
      await setUp(await clientOf(options), file, options)
    })
}
