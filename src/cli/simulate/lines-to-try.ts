import { defaultUrl } from '../defaults.ts'

interface Running {
  url: string
  /** The data folder, and whether it is the one that is used without saying so. */
  data: string
  isDefault: boolean
  /** The certificate it shows, which nobody else may vouch for; null without TLS. */
  certificate: string | null
  /** The program: source in a checkout, or the bundle that is installed. */
  entry: URL
}

/** Three command lines that work one after the other as they stand; the last one opens a door. */
export function linesToTry(running: Running, guest: string): string[] {
  const { url, data, isDefault, entry, certificate } = running
  const trust = certificate === null ? '' : ` --cacert ${quoted(certificate)}`
  const folder = isDefault ? '' : ` --data ${quoted(data)}`
  return [
    'Three lines to try, one after the other, in another terminal:',
    `  curl -s${trust} -H 'Authorization: Bearer demo' '${url}/api/v2/reservations?sort=arrival'`,
    `  ${trusting(running)}${program(entry)} check-in ${guest}${at(url)}`,
    `  ${program(entry)} door${folder}`,
  ]
}

/** How to become the administrator of an empty house. */
export function pairingLines(running: Running, code: string): string[] {
  const { url, entry } = running
  return [
    'It gives the token of an administrator:',
    `  ${trusting(running)}${program(entry)} token pair ${code}${at(url)}`,
  ]
}

/** In a checkout npx finds the right Node by itself; -s keeps npm from talking about the other one. */
function program({ pathname }: URL): string {
  return pathname.endsWith('.ts') ? 'npx -s nightporter' : 'nightporter'
}

/** A certificate that the house made for itself is known to our own commands by this alone. */
function trusting({ certificate }: Running): string {
  return certificate === null ? '' : `NODE_EXTRA_CA_CERTS=${quoted(certificate)} `
}

function at(url: string): string {
  return url === defaultUrl ? '' : ` --url ${url}`
}

/** As a shell takes it. */
function quoted(text: string): string {
  return /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
