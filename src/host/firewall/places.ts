import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The files by which daemon and root agree about the firewall of a box. */
export interface FirewallPlaces {
  /** An empty file of the daemon: the rules are to be made again. A unit of the image watches it. */
  wanted: string
  /** A folder of the daemon with endpoints that its configuration does not name, one in each file. */
  also: string
  /** The rules that root has loaded. */
  rules: string
  /** Why root could not load the newest rules; missing after a success. */
  problem: string
  /** What the rules have refused, as `nft --json` lists it. */
  refused: string
}

/**
 * Returns the places of a box whose firewall is on; `off` where it is off; null on a machine without the image of a box.
 * `runtime` is the folder that systemd made for the daemon.
 */
export function firewallPlaces(runtime: string | undefined): FirewallPlaces | 'off' | null {
  if (runtime === undefined) return null
  const root = join(dirname(runtime), 'nightporter-box')
  if (!existsSync(root)) return null
  if (!existsSync(join(root, 'firewall'))) return 'off'
  return {
    wanted: join(runtime, 'firewall-wanted'),
    also: join(runtime, 'firewall-also'),
    rules: join(root, 'firewall.nft'),
    problem: join(root, 'firewall-problem'),
    refused: join(root, 'firewall-refused.json'),
  }
}
