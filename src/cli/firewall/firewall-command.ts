import { Command } from '../command.ts'

/** Returns the command that prints rules for nftables. `entry` is the program, beside which a release has its own settings. */
export function firewallCommand(entry: URL): Command {
  return new Command('firewall')
    .description('Prints rules for nftables that let through what this property needs, and nothing else.')
    .option('--data <dir>', 'the data folder of the appliance', './data')
    .option('--all-outgoing', 'does not limit where the box connects to')
    .exits({ done: true, config: true, data: true })
    .action(async (options: { data: string; allOutgoing?: boolean }) =>
      (await import('./firewall.ts')).printFirewall(options, entry),
    )
}
