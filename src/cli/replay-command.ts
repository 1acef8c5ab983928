import { Command } from 'commander'
import { exitHelp, exits } from './exit-codes.ts'
import type { ReplayOptions } from './replay.ts'

export function replayCommand(): Command {
  return new Command('replay')
    .description('Lets the drivers live through a recording of the flight recorder again, and compares.')
    .argument('<file>', 'a segment, the folder DATA/flight, or what the appliance gave for download')
    .option('--device <name>', 'one device alone: its name, driver, model or path')
    .addHelpText('after', '\nA line a call: time, request, call → recorded outcome | replayed outcome.')
    .addHelpText(
      'after',
      exitHelp({
        done: 'every driver decides as it did',
        refused: 'one decides otherwise',
        data: 'the file is no recording',
        missing: 'no such file or device',
        permission: 'the file may not be read',
      }),
    )
    .action(async (file: string, options: ReplayOptions) => {
      process.exitCode = (await (await import('./replay.ts')).replay(file, options)) ? 0 : exits.refused[0]
    })
}
