import { Command } from '../command.ts'
import { exits } from '../exit-codes.ts'
import type { ReplayOptions } from './replay.ts'

/** `nightporter replay`. */
export function replayCommand(): Command {
  return new Command('replay')
    .description('Replays a recording of device traffic through the drivers, and compares the outcomes.')
    .argument('<file>', 'a segment, the folder DATA/flight, or a download from the appliance')
    .option('--device <name>', 'only this device: its name, driver, model or path')
    .addHelpText(
      'after',
      '\nOne line for each call: time, request, call → recorded outcome | replayed outcome.',
    )
    .exits({
      done: 'all outcomes are equal',
      refused: 'an outcome differs',
      data: 'the file is not a recording',
      missing: 'no such file or device',
      permission: 'no permission to read the file',
    })
    .action(async (file: string, options: ReplayOptions) => {
      process.exitCode = (await (await import('./replay.ts')).replay(file, options)) ? 0 : exits.refused[0]
    })
}
