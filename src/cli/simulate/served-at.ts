import { CommandFailed } from '../exit-codes.ts'

/** Serves a simulated PMS at the one `--on http:PORT` of a command line. Throws usage and unreachable. */
export async function servedAt<T>(
  on: readonly string[],
  name: string,
  serve: (place: { host: string; port: number }) => Promise<T>,
): Promise<T> {
  const [where = ''] = on
  const [, host = '127.0.0.1', port] = /^http:(?:([^:\s]+):)?(\d{1,5})$/.exec(where) ?? []
  if (on.length !== 1 || port === undefined || Number(port) > 65_535) {
    throw new CommandFailed('usage', `Expected one --on http:PORT or http:HOST:PORT for ${name}.`)
  }
  try {
    return await serve({ host, port: Number(port) })
  } catch (error) {
    throw new CommandFailed('unreachable', `${where}: ${(error as Error).message}`, { cause: error })
  }
}

/** Parses `OPERATION=DOES`, a fault that occurs once. DOES is a kind of fault or an HTTP status. */
export function requestFault(text: string, example: string) {
  const [, at = '', does = ''] = /^([A-Za-z0-9/-]+)=([a-z-]+|[45]\d\d)$/.exec(text) ?? []
  const known = deeds.find((deed) => deed === does) ?? (/^\d/.test(does) ? Number(does) : null)
  if (known !== null) return { at, does: known }
  throw new CommandFailed(
    'usage',
    `--misbehave: expected OPERATION=DOES, such as ${example}=cut-after, DOES being a status or one of ${deeds.join(', ')}; not ${text}.`,
  )
}

const deeds = ['silence', 'cut-before', 'cut-after'] as const
