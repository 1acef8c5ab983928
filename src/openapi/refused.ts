import { exactly } from '../jsonapi/description.ts'
import { guestTexts } from '../jsonapi/locales/guest-text.ts'
import { languages } from '../jsonapi/locales/language.ts'
import { listRefusals } from '../jsonapi/query/query.ts'
import { mediaType } from '../jsonapi/route.ts'
import type { JsonSchema } from '../resource/field.ts'
import { type ProblemCode, problems } from '../resource/problem.ts'
import type { Components } from './components.ts'
import { always, headers, headersOfRefusal } from './headers.ts'
import { pascal } from './names.ts'
import type { Drawing } from './shown-schema.ts'

/** The failures of devices and lock systems, by code, with their titles. */
export type DeviceFailures = Readonly<Record<string, { title: string }>>

/** Returns the response for a refusal with one of some codes; with `isPage` a browser gets it as an HTML page. */
export function refusal(
  { components }: Drawing,
  status: number,
  codes: ProblemCode[],
  isPage = false,
): JsonSchema {
  const make = (): JsonSchema => ({
    description: codes.map((code) => `\`${code}\`: ${problems[code][1]}.`).join('\n\n'),
    'x-codes': codes,
    headers: headers(components, [...always, 'Content-Language', ...headersOfRefusal(status)]),
    content: { ...errorContent(components), ...(isPage && { 'text/html': { schema: { type: 'string' } } }) },
  })
  const name = isPage ? undefined : refusalName(codes)
  return name ? components.share('responses', name, make) : make()
}

/**
 * The component name of a refusal that operations share: made from its codes when there are at most three.
 */
function refusalName(codes: ProblemCode[]): string | undefined {
  if (codes.length <= 3) return codes.map(pascal).join('Or')
  return codes.join() === listRefusals.join() ? 'ListMalformed' : undefined
}

/** Returns the response for a failure of a device or a lock system. */
export function deviceFailure({ components }: Drawing, failures: DeviceFailures): JsonSchema {
  return components.share('responses', 'DeviceFailure', () => ({
    description: [
      'A device or lock system failed although the request was well-formed. If `meta.outcomeUnknown` is true, the write may have happened: check before you repeat the request.',
      ...Object.entries(failures).map(([code, { title }]) => `\`${code}\`: ${title}.`),
    ].join('\n\n'),
    'x-codes': Object.keys(failures),
    headers: headers(components, [...always, 'Content-Language', 'Retry-After']),
    content: errorContent(components),
  }))
}

function errorContent(components: Components): Record<string, JsonSchema> {
  return { [mediaType]: { schema: components.share('schemas', 'Errors', errorsSchema) } }
}

/** What `meta` says to a guest after the failure of a device. */
const guestMembers = {
  guest: {
    enum: Object.keys(guestTexts()),
    description:
      'After the failure of a device: what the guest is to do. `GET /problems/{code}` explains each word.',
  },
  guestText: {
    type: 'string',
    description:
      'The same as a sentence for the guest: in the language of Accept-Language, else in that of the profile of the guest whose key it is, else in English.',
  },
  guestLanguage: { enum: languages, description: 'The language of `guestText`.' },
}

function errorsSchema(): JsonSchema {
  const text = { type: 'string' }
  const optional = ['source', 'meta']
  const error = exactly(
    {
      id: { type: 'string', format: 'uuid', description: 'The id of this occurrence.' },
      status: { type: 'string', pattern: '^[45]\\d\\d$', $comment: 'a status of HTTP' },
      code: {
        type: 'string',
        pattern: '^[a-z0-9-]+$',
        $comment: 'a code',
        description: 'The stable code. /problems lists all.',
      },
      title: { ...text, description: 'The title of the code.' },
      detail: {
        ...text,
        description:
          'What was wrong with this request, and what was expected; in the language of Accept-Language where Content-Language says so.',
      },
      source: {
        ...exactly({ pointer: text, parameter: text, header: text }, ['pointer', 'parameter', 'header']),
        maxProperties: 1,
      },
      links: exactly({ type: { type: 'string', format: 'uri-reference' } }),
      meta: {
        type: 'object',
        description: 'Data for programs, such as `allowed`, `expected`, `retryAfterSeconds`.',
        properties: guestMembers,
      },
    },
    optional,
  )
  return exactly(
    {
      errors: { type: 'array', minItems: 1, maxItems: 50, items: error },
      meta: {
        description:
          'Present if a device or another system failed, with its code; and if there are more errors than are listed, with their number.',
        ...exactly(
          {
            errorCode: text,
            outcomeUnknown: { type: 'boolean' },
            moreErrors: { type: 'integer', minimum: 1 },
          },
          ['errorCode', 'outcomeUnknown', 'moreErrors'],
        ),
      },
    },
    ['meta'],
  )
}
