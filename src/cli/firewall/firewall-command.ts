import { Command } from '../command.ts'
import type { FirewallOptions } from './firewall.ts'

/** Returns the command that prints rules for nftables. `entry` is the program, beside which a release has its own settings. */
export function firewallCommand(entry: URL): Command {
  return new Command('firewall')
    .description('Prints rules for nftables that let through what this property needs, and nothing else.')
    .option('--data <dir>', 'the data folder of the appliance', './data')
    .option('--all-outgoing', 'does not limit where the box connects to')
    .option('--also <dir>', 'a folder of files with further endpoints, as the daemon of a box leaves them')
    .exits({ done: true, config: true, data: true })
    .action(async (options: FirewallOptions) => (await import('./firewall.ts')).printFirewall(options, entry))
}
