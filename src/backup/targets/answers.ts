import { BackupRefused } from '../backup-refused.ts'

/** Returns a successful answer of a target. Throws BackupRefused, with the remedy, for any other answer. */
export async function expectSuccess(name: string, what: string, answer: Response): Promise<Response> {
  if (answer.ok) return answer
  const text = (await answer.text().catch(() => '')).slice(0, 10_000)
  const code = /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1]
  const remedies: Record<number, string> = {
    401: 'Check user and secret.',
    403: 'Check user and secret, and what they allow. A wrong clock is refused as well.',
    404: 'Check the address.',
    409: 'Make the folder of the address first.',
    507: 'It is full: free some space there, or use another target.',
  }
  const remedy = remedies[answer.status] ?? 'It will be tried again. If this persists, ask its operator.'
  throw new BackupRefused(`${name} answered ${answer.status}${code ? ` ${code}` : ''} to ${what}. ${remedy}`)
}

/** Returns the body of an answer from a byte on, even if the server has ignored the range. */
export async function* bodyFrom(answer: Response, from: number): AsyncGenerator<Uint8Array> {
  let skip = answer.status === 206 ? 0 : from
  for await (const chunk of answer.body ?? []) {
    if (skip < chunk.length) yield skip > 0 ? chunk.subarray(skip) : chunk
    skip = Math.max(0, skip - chunk.length)
  }
}

/** Returns a text with the five entities of XML replaced. */
export function plainText(xml: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
  return xml.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name]!)
}
