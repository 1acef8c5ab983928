import { Problem } from '../../../resource/problem.ts'
import type { ExtensionRequest } from '../../contract.ts'

/** The schema of an object without members. */
export const nothing = { type: 'object', properties: {}, additionalProperties: false }

/** The query's parameters, each at most once. Throws unknown-parameter for a name that is not allowed. */
export function parametersOf(
  { query }: Pick<ExtensionRequest, 'query'>,
  allowed: readonly string[],
): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(query)) {
    const parameter = name.slice(0, 100)
    if (!allowed.includes(name)) {
      throw new Problem('unknown-parameter', `${parameter} is not a parameter here.`, {
        parameter,
        meta: { allowed },
      })
    }
    if (name in found)
      throw new Problem('malformed-request', `${parameter} stands here twice.`, { parameter })
    found[name] = value
  }
  return found
}

/** Whether a change is only to be tried: the word of every write of the house. */
export function isTrial({ dryRun }: Record<string, string>): boolean {
  return dryRun === 'true'
}
