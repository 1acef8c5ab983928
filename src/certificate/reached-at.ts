import { isIP } from 'node:net'
import { isLoopback, type LeftOut, urlHost } from '../host/machine/reachable.ts'
import { certificateState, type ServedCertificates, subjectsOf } from './certificate-state.ts'

interface ReachedAt {
  /**
   * The URLs at which other devices reach the server without a warning about the name, the one for a QR code first: an
   * address, then the name in `.local`, which not every phone resolves, then the rest. A certificate of another authority
   * without addresses: its name first. Empty when the server has no address: a name alone leads nowhere then.
   */
  urls: string[]
  leftOut: LeftOut[]
}

/** Returns where other devices reach the server. `host`: the name or address, and port, that a client has used. */
export function reachedAt(served: ServedCertificates, host = ''): ReachedAt {
  const { reachable, leftOut, port } = served.reach()
  const { source, names, covers } = namedBy(served)
  // A certificate of another authority may name an address of the internet.
  const offered = [...reachable, ...leftOut.filter(({ reason }) => reason === 'public')].filter((each) =>
    covers(each.address),
  )
  const isOffered = (each: { address: string }) => offered.some(({ address }) => address === each.address)
  const unnamed = reachable
    .filter((each) => !isOffered(each))
    .map((each) => ({ ...each, reason: 'not-certified' as const }))
  const rest = [...unnamed, ...leftOut.filter((each) => !isOffered(each))]
  const used = usedHost(host, covers)
  const full = names.filter((each) => each.includes('.') && !each.startsWith('*'))
  // Most authorities sign names only. The network resolves such a name to an address that is not named itself.
  const hasAddress = rest.some(({ reason }) => reason === 'not-certified' || reason === 'public')
  const [first, ...others] = [
    ...(used && isForEveryDevice(used.name) ? [used.name] : []),
    ...offered.map(({ address }) => address),
    ...(source !== 'own' && hasAddress ? full.filter(isForEveryDevice) : []),
  ]
  if (first === undefined) return { urls: [], leftOut: rest }
  const all = new Set([first, ...full.filter(isLocalName), ...others, ...full])
  return { urls: [...all].map((each) => urlAt(each, used ? used.port : port)), leftOut: rest }
}

/** The names in the certificate of the server, and those that its next renewal, within a minute, brings. */
function namedBy(served: ServedCertificates) {
  const { certificate, source } = certificateState(served)
  const names = certificate ? subjectsOf(certificate).names : []
  const next = source === 'own' ? served.own?.wanted() : undefined
  const covers = (each: string): boolean =>
    next?.addresses.includes(each) ||
    next?.names.includes(each) ||
    Boolean(isIP(each) ? certificate?.checkIP(each) : certificate?.checkHost(each))
  return { source, names: [...new Set([...names, ...(next?.names ?? [])])], covers }
}

function isForEveryDevice(name: string): boolean {
  return name.includes('.') ? !isLocalName(name) : isIP(name) === 6
}

function isLocalName(name: string): boolean {
  return name.endsWith('.local')
}

/**
 * The name or address of the server that a client has used, and its port, which a router may map; null when the certificate
 * lacks the name, or when only this machine can use it.
 */
function usedHost(host: string, covers: (name: string) => boolean): { name: string; port: number } | null {
  if (host === '' || !URL.canParse(`https://${host}`)) return null
  const { hostname, port } = new URL(`https://${host}`)
  const name = hostname.replace(/^\[|\]$/g, '')
  if (isLoopback(name)) return null
  return covers(name) ? { name, port: port === '' ? 443 : Number(port) } : null
}

function urlAt(host: string, port: number | null): string {
  return `https://${urlHost(host)}${port === null || port === 443 ? '' : `:${port}`}`
}
