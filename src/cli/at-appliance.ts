import { Option } from 'commander'
import type { Client } from './client.ts'
import { Command } from './command.ts'
import { defaultToken, defaultUrl, tokenVariable, urlVariable } from './defaults.ts'

/** The options of a command that sends requests to an appliance. */
export interface Where {
  url: string
  token: string
}

/** Creates a command that sends requests to a running appliance, with the options `--url` and `--token`. */
export function atAppliance(name: string): Command {
  return new Command(name)
    .addOption(new Option('--url <url>', 'the appliance').env(urlVariable).default(defaultUrl))
    .addOption(
      new Option('--token <token>', 'the token of the client')
        .env(tokenVariable)
        .default(defaultToken)
        .argParser(String),
    )
}

/** The exit codes of a command that changes what an appliance has, apart from that of a missing permission. */
export const appliedOrNot = { done: true, refused: true, missing: true, unreachable: true } as const

/** Creates the client for these options. */
export async function clientOf({ url, token }: Where): Promise<Client> {
  return (await import('./client.ts')).client({ url, token })
}
