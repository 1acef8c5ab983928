import { readFileSync } from 'node:fs'
import { firewallPlaces } from './places.ts'

/** How the firewall of a box is. */
export type FirewallState =
  | { isOn: false }
  | {
      isOn: true
      /** Why the newest rules are not loaded, in the words of nft or the program; null when they are. */
      problem: string | null
      /** Whom the box wanted to connect to within the last hour, since the rules were loaded, and what the rules refused: `10.0.0.9:8080`. */
      refused: string[]
    }

/** The largest number of refused endpoints that a state names. */
const mostRefused = 8

/** Returns how the firewall is; null on a machine without the image of a box. */
export function firewallState(runtime = process.env.RUNTIME_DIRECTORY): FirewallState | null {
  const places = firewallPlaces(runtime)
  if (places === null) return null
  if (places === 'off') return { isOn: false }
  const problem = textOf(places.problem)
  return {
    isOn: true,
    problem: problem === null ? null : problem.trim() || 'no reason was given',
    refused: refusedIn(textOf(places.refused) ?? '').slice(0, mostRefused),
  }
}

interface Listed {
  nftables?: { set?: { elem?: unknown[] } }[]
}

/** The endpoints in the lists of nft, one list in each line. */
function refusedIn(text: string): string[] {
  const elements = text.split('\n').flatMap((line) => {
    try {
      return (JSON.parse(line) as Listed).nftables?.flatMap(({ set }) => set?.elem ?? []) ?? []
    } catch {
      // Empty, or written at this moment.
      return []
    }
  })
  return elements.flatMap((each) => {
    const { elem = each } = each as { elem?: unknown }
    const { val = elem } = elem as { val?: unknown }
    const { concat } = val as { concat?: [string, number] }
    if (!concat) return []
    const [host, port] = concat
    return [host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`]
  })
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
