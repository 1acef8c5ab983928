import type { HttpOutcome } from './exchange.ts'
import { masked } from './mask.ts'
import { type CloudCall, type FormFields, secretFields } from './protocol.ts'

/** What a recording keeps of a request: method, path, and the fields with stars in place of secrets. */
export function outText({ method, path }: CloudCall, fields: FormFields): string {
  const shown = Object.entries(fields).map(
    ([name, value]) => `${name}=${secretFields.includes(name) ? '***' : value}`,
  )
  return `${method} ${path} ${shown.join(' ')}`
}

/** The members of an answer that are kept. They contain neither a token nor a PIN. */
const keptMembers = ['errcode', 'keyboardPwdId', 'expires_in', 'pageNo', 'pages', 'total']

/** What a recording keeps of an answer: its status, its error, and the length of a list. */
export function inText(outcome: HttpOutcome, fields: FormFields): string {
  if (outcome.kind === 'none') return outcome.why
  const content = parsed(outcome.body)
  if (!content)
    return `HTTP ${outcome.status}, ${outcome.body.length} characters that are not JSON of the cloud`
  const kept = keptMembers
    .filter((name) => typeof content[name] === 'number')
    .map((name) => `${name}=${content[name]}`)
  if (Array.isArray(content.list)) kept.push(`list of ${content.list.length}`)
  if (typeof content.errmsg === 'string') kept.push(masked(content.errmsg, fields))
  return `HTTP ${outcome.status} ${kept.join(' ')}`
}

function parsed(body: string): Record<string, unknown> | null {
  try {
    const content: unknown = JSON.parse(body)
    return typeof content === 'object' && content !== null ? { ...content } : null
  } catch {
    return null
  }
}
