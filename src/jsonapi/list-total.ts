import type { JsonSchema } from '../resource/field.ts'
import { exactly, type Parameter } from './description.ts'

/**
 * The parameter that asks for the number of resources on all pages. It is not `page[total]`, which the contract calls
 * unsupported.
 */
export const totalParameter = 'withTotal'

/** The greatest exact total of a list. */
export const mostCounted = 1_000

/** The parameter, for the OpenAPI document. */
export const totalDescription: Parameter = {
  schema: { type: 'boolean', default: false },
  notes: `Tell in \`meta.total\` how many resources match the filters, exactly up to ${mostCounted}.`,
}

/** The schema of `meta` of a list. */
export const listMeta: JsonSchema = {
  description: 'Present if the request has `withTotal=true`.',
  ...exactly(
    {
      total: {
        type: 'integer',
        minimum: 0,
        maximum: mostCounted,
        description: 'The number of resources on all pages.',
      },
      totalIsAtLeast: { const: true, description: 'There are more resources than `total`.' },
    },
    ['totalIsAtLeast'],
  ),
}
