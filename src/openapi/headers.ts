import type { AnswerDescription } from '../jsonapi/description.ts'
import type { Route } from '../jsonapi/route.ts'
import type { JsonSchema } from '../resource/field.ts'
import type { Components, Reference } from './components.ts'

interface Header {
  /** Whether every answer of this kind has the header. */
  required?: true
  description: string
  schema?: JsonSchema
}

const answered = {
  'X-Request-Id': {
    required: true,
    description: 'The id that the client sent, or one made for the request.',
  },
  'X-API-Version': { required: true, description: 'The version of the interface.' },
  'X-Stability': {
    required: true,
    description: '`beta`: the operation may still change.',
    schema: { const: 'beta' },
  },
  ETag: {
    description: 'The revision, for If-Match and If-None-Match.',
    schema: { type: 'string', pattern: '^"' },
  },
  Location: { required: true, description: 'The address of the new resource.' },
  Deprecation: {
    required: true,
    description: 'The time since which the operation is deprecated (RFC 9745).',
  },
  Sunset: { required: true, description: 'The time from which the operation may be removed (RFC 8594).' },
  Link: { required: true, description: 'The replacement, as rel="successor-version".' },
  'Idempotency-Replayed': {
    description: 'The answer is a repetition of the first one with this Idempotency-Key.',
    schema: { const: 'true' },
  },
  'Preference-Applied': {
    description: '`return=representation` if the request preferred it.',
    schema: { const: 'return=representation' },
  },
  'RateLimit-Policy': {
    required: true,
    description: 'The quota that the request counts against, such as "read";q=1200;w=60.',
  },
  RateLimit: {
    required: true,
    description: 'What is left of the quota, such as "read";r=1199;t=60: r requests within t seconds.',
  },
  'Retry-After': {
    description: 'Retry after this many seconds.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'Content-Language': {
    required: true,
    description:
      'The languages of the texts: that of Accept-Language, and English where a detail has no translation.',
  },
  'WWW-Authenticate': { required: true, description: 'How to authenticate.', schema: { const: 'Bearer' } },
} satisfies Record<string, Header>

type HeaderName = keyof typeof answered

/** Returns references to headers, as a response lists them. */
export function headers(components: Components, names: readonly HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(
    names.map((name) => [name, components.share('headers', name, () => headerOf(name))]),
  )
}

function headerOf(name: HeaderName): JsonSchema {
  const { schema = { type: 'string' }, ...header }: Header = answered[name]
  return { ...header, schema }
}

/** The headers of every answer. */
export const always = ['X-Request-Id', 'X-API-Version', 'RateLimit-Policy', 'RateLimit'] as const

/** Returns the headers that all answers of an operation have. */
export function headersOfRoute({ beta, deprecated }: Route): HeaderName[] {
  return [
    ...always,
    ...(beta ? (['X-Stability'] as const) : []),
    ...(deprecated ? (['Deprecation', 'Sunset', 'Link'] as const) : []),
  ]
}

/** Returns the additional headers of a success. */
export function headersOfSuccess(
  { method, description: { answers } }: Route,
  status: number,
  answer: AnswerDescription,
): HeaderName[] {
  const showsOne = 'one' in answer
  const isPreferred = (method === 'PUT' || method === 'PATCH') && status === 200 && 204 in answers
  return [
    ...(status === 201 && showsOne ? (['Location'] as const) : []),
    ...(showsOne || ((method === 'PUT' || method === 'PATCH') && status === 204) ? (['ETag'] as const) : []),
    ...(isPreferred ? (['Preference-Applied'] as const) : []),
    ...(method === 'POST' ? (['Idempotency-Replayed'] as const) : []),
  ]
}

/** Returns the additional headers of a refusal with this status. */
export function headersOfRefusal(status: number): HeaderName[] {
  if (status === 401) return ['WWW-Authenticate']
  return status === 409 || status === 429 || status >= 502 ? ['Retry-After'] : []
}
