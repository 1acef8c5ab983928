import { urlWithHost } from '../../host/machine/reachable.ts'
import { defaultUrl } from '../defaults.ts'

interface Running {
  url: string
  /** The data folder. `isDefault` is true when the commands use it without `--data`. */
  data: string
  isDefault: boolean
  /** The file of the TLS certificate or of its authority, which clients have to trust; null without TLS. */
  certificate: string | null
  /** The program: the source in a checkout, or the installed bundle. */
  entry: URL
}

/**
 * Returns the address to open first, and three command lines that work one after the other. The last one opens a simulated
 * door.
 */
export function linesToTry(running: Running, guest: string): string[] {
  const { url, data, isDefault, entry, certificate } = running
  const trust = certificate === null ? '' : ` --cacert ${quoted(certificate)}`
  const folder = isDefault ? '' : ` --data ${quoted(data)}`
  return [
    `Open ${urlWithHost(url, 'localhost')}/desk in a browser: the front desk, and the lobby of its guests.`,
    'Or try these three commands, one after the other, in another terminal:',
    `  curl -s${trust} -H 'Authorization: Bearer demo' '${urlWithHost(url, 'localhost')}/api/v2/reservations?sort=arrival'`,
    `  ${trusting(running)}${program(entry)} check-in ${guest}${at(url)}`,
    `  ${program(entry)} door${folder}`,
  ]
}

/** Returns the command line that creates the administrator's token of an empty property. */
export function pairingLines(running: Running, code: string): string[] {
  const { url, entry } = running
  return [
    'Exchange it for the token of an administrator:',
    `  ${trusting(running)}${program(entry)} token pair ${code}${at(url)}`,
  ]
}

/** In a checkout npx finds the right Node version. -s suppresses npm's message about the other version. */
function program({ pathname }: URL): string {
  return pathname.endsWith('/src/nightporter.js') ? 'npx -s nightporter' : 'nightporter'
}

/** Names the certificate file, because the commands do not trust a self-signed certificate otherwise. */
function trusting({ certificate }: Running): string {
  return certificate === null ? '' : `NODE_EXTRA_CA_CERTS=${quoted(certificate)} `
}

function at(url: string): string {
  return url === defaultUrl ? '' : ` --url ${urlWithHost(url, 'localhost')}`
}

/** Quotes a text for a shell. */
function quoted(text: string): string {
  return /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
