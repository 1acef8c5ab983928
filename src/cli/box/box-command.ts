import { Command } from '../command.ts'

/** Creates the commands that units of the image run. They are of no use elsewhere. */
export function boxCommand(): Command {
  const box = new Command('box').description('Programs of the image of a box, which its units start.')
  box.addCommand(
    new Command('prepare')
      .description('Applies nightporter.txt to name, network and settings, before anything else starts.')
      .requiredOption('--file <file>', 'the file, which need not exist')
      .option('--data <dir>', 'the data folder of the appliance', '/var/lib/nightporter')
      .option('--kept <dir>', 'the folder of what the box remembers', '/var/lib/nightporter-box')
      .exits({ done: true, permission: 'only root may do this' })
      .action(async (options: { file: string; data: string; kept: string }) => {
        const { prepareBox } = await import('./box.ts')
        prepareBox(options)
      }),
  )
  box.addCommand(
    new Command('network')
      .description(
        'Tries the change of the network that the daemon asks for, and undoes it unless it is confirmed.',
      )
      .option('--data <dir>', 'the data folder of the appliance', '/var/lib/nightporter')
      .option('--kept <dir>', 'the folder of what the box remembers', '/var/lib/nightporter-box')
      .exits({ done: true, permission: 'only root may do this' })
      .action(async (options: { data: string; kept: string }) => {
        const { changeNetwork } = await import('./box.ts')
        await changeNetwork(options)
      }),
  )
  box.addCommand(
    new Command('page')
      .description(
        'Serves the page with the state of the box, on the socket that systemd passes, until it is idle.',
      )
      .option('--state <dir>', 'the folder with the state of the daemon', '/run/nightporter')
      .exits({ done: true, unreachable: 'there is no socket of systemd' })
      .action(async (options: { state: string }) => (await import('./box.ts')).servePage(options.state)),
  )
  box.addCommand(
    new Command('screen')
      .description('Shows name, addresses, pairing code and state on terminals, until it is stopped.')
      .argument('[terminal...]', 'the terminals (default: standard output, once)')
      .option('--state <dir>', 'the folder with the state of the daemon', '/run/nightporter')
      .option('--data <dir>', 'the data folder of the appliance', '/var/lib/nightporter')
      .exits({ done: true, permission: 'no permission for a terminal' })
      .action(async (terminals: string[], options: { state: string; data: string }) => {
        const { showScreen } = await import('./box.ts')
        await showScreen(terminals, options)
      }),
  )
  return box
}
