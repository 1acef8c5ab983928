import type { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { type LeftOut, urlHost } from '../host/reachable.ts'
import { certificateState, type ServedCertificates, subjectsOf } from './certificate-state.ts'

interface ReachedAt {
  /**
   * The URLs at which other devices reach the server without a warning about the name, the one for a QR code first: an
   * address, then the name in `.local`, which not every phone resolves, then the rest. Empty when the server has no such
   * address: a name alone leads nowhere then.
   */
  urls: string[]
  leftOut: LeftOut[]
}

/** Returns where other devices reach the server. `host`: the name or address, and port, that a client has used. */
export function reachedAt(served: ServedCertificates, host = ''): ReachedAt {
  const { certificate } = certificateState(served)
  const { addresses, leftOut, port } = served.reach()
  if (!certificate) return { urls: [], leftOut: [...leftOut] }
  // A certificate of another authority may name an address of the internet.
  const named = leftOut.filter(({ address, reason }) => reason === 'public' && certificate.checkIP(address))
  const rest = leftOut.filter((each) => !named.includes(each))
  const used = usedHost(host, certificate)
  const own = [...addresses, ...named.map(({ address }) => address)].filter((each) =>
    certificate.checkIP(each),
  )
  const names = subjectsOf(certificate).names.filter((each) => each.includes('.') && !each.startsWith('*'))
  const [first, ...others] = [...(used && isForEveryDevice(used.name) ? [used.name] : []), ...own]
  if (first === undefined) return { urls: [], leftOut: rest }
  const all = new Set([first, ...names.filter(isLocalName), ...others, ...names])
  return { urls: [...all].map((each) => urlAt(each, used ? used.port : port)), leftOut: rest }
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
function usedHost(host: string, certificate: X509Certificate): { name: string; port: number } | null {
  if (host === '' || !URL.canParse(`https://${host}`)) return null
  const { hostname, port } = new URL(`https://${host}`)
  const name = hostname.replace(/^\[|\]$/g, '')
  if (/^(localhost$|127\.|::1$)/.test(name)) return null
  const isNamed = isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)
  return isNamed ? { name, port: port === '' ? 443 : Number(port) } : null
}

function urlAt(host: string, port: number | null): string {
  return `https://${urlHost(host)}${port === null || port === 443 ? '' : `:${port}`}`
}
