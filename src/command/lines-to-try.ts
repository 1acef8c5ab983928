import { defaultUrl } from './defaults.ts'

export interface Try {
  url: string
  /** The confirmation number of a guest who can be checked in. */
  guest: string
  /** The data folder, and whether it is the one that is used without saying so. */
  data: string
  isDefault: boolean
  /** The program: source in a checkout, or the bundle that is installed. */
  entry: URL
}

/** Three command lines that work one after the other as they stand; the last one opens a door. */
export function linesToTry({ url, guest, data, isDefault, entry }: Try): string[] {
  // In a checkout npx finds the right Node by itself; -s keeps npm from talking about the other one.
  const program = entry.pathname.endsWith('.ts') ? 'npx -s nightporter' : 'nightporter'
  const there = url === defaultUrl ? '' : ` --url ${url}`
  const folder = isDefault ? '' : ` --data ${quoted(data)}`
  return [
    'Three lines to try, one after the other, in another terminal:',
    `  curl -s -H 'Authorization: Bearer demo' '${url}/api/v2/reservations?sort=arrival'`,
    `  ${program} check-in ${guest}${there}`,
    `  ${program} door${folder}`,
  ]
}

/** As a shell takes it. */
function quoted(text: string): string {
  return /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
