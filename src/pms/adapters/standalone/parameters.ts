import { unknownParameter } from '../../../jsonapi/query/query.ts'
import { Problem } from '../../../resource/problem.ts'
import type { ExtensionRequest } from '../../contract.ts'

/** The schema of an object without members. */
export const nothing = { type: 'object', properties: {}, additionalProperties: false }

/** The parameters of the query. Throws unknown-parameter for a name that is not allowed, and malformed-request for a repeated one. */
export function parametersOf(
  { query }: Pick<ExtensionRequest, 'query'>,
  allowed: readonly string[],
): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(query)) {
    if (!allowed.includes(name)) throw unknownParameter(name, allowed)
    if (name in found)
      throw new Problem('malformed-request', `${name} is given more than once.`, { parameter: name })
    found[name] = value
  }
  return found
}

/** Whether a write is a dry run. */
export function isTrial({ dryRun }: Record<string, string>): boolean {
  return dryRun === 'true'
}
