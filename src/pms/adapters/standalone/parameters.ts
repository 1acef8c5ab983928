import { didYouMean } from '../../../resource/nearest.ts'
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
    const parameter = name.slice(0, 100)
    if (!allowed.includes(name)) {
      throw new Problem('unknown-parameter', `This operation has no parameter ${parameter}.`, {
        parameter,
        meta: { allowed },
        didYouMean: didYouMean(parameter, allowed),
      })
    }
    if (name in found)
      throw new Problem('malformed-request', `${parameter} is given more than once.`, { parameter })
    found[name] = value
  }
  return found
}

/** Whether a write is a dry run. */
export function isTrial({ dryRun }: Record<string, string>): boolean {
  return dryRun === 'true'
}
