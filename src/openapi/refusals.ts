import type { Description } from '../jsonapi/description.ts'
import { listRefusals } from '../jsonapi/query/query.ts'
import type { Route } from '../jsonapi/route.ts'
import { type ProblemCode, problems } from '../resource/problem.ts'
import type { Resource } from '../resource/resource.ts'

/** The problem codes of every route for which `holds` returns true. */
interface Rule {
  codes: readonly ProblemCode[]
  holds(route: Route, description: Description): boolean
}

const writes = ({ method }: Route) => method !== 'GET'
const isList = (_: Route, { answers }: Description) => Object.values(answers).some((each) => 'list' in each)
const takesInclude = ({ method }: Route, { answers }: Description) =>
  method === 'GET' && Object.values(answers).some((each) => 'one' in each || 'found' in each)
/**
 * The fingerprint of an Idempotency-Key contains the body, so every POST reads its body, even if it needs
 * none.
 */
const takesBody = ({ method }: Route, { body }: Description) => body !== undefined || method === 'POST'
const hasBody = (_: Route, { body }: Description) => body !== undefined

const rules: readonly Rule[] = [
  { codes: ['unauthenticated'], holds: ({ scope }) => scope !== null },
  { codes: ['scope-required', 'tenant-mismatch', 'session-locked'], holds: ({ scope }) => scope !== null },
  { codes: ['cross-origin'], holds: (route) => route.scope !== null && writes(route) },
  {
    codes: ['reauthentication-required'],
    // A write may ask for a further scope that is asked again, such as keys.override.
    holds: (route) => route.scope !== null && (route.asksAgain === true || writes(route)),
  },
  { codes: ['not-acceptable'], holds: () => true },
  { codes: ['rate-limited'], holds: () => true },
  { codes: ['internal'], holds: () => true },
  // Rights are read from the database, whatever the route then does.
  {
    codes: ['storage-failing', 'storage-damaged'],
    holds: ({ base, scope }) => base !== '' || scope !== null,
  },
  { codes: ['starting-up', 'busy', 'storage-full', 'storage-read-only'], holds: writes },
  { codes: ['not-found'], holds: ({ path }) => path.includes(':') },
  { codes: ['malformed-request', 'unknown-parameter'], holds: writes },
  { codes: listRefusals, holds: isList },
  { codes: ['starting-up', 'busy'], holds: isList },
  {
    codes: ['malformed-request', 'unknown-parameter', 'invalid-include', 'invalid-fields'],
    holds: takesInclude,
  },
  { codes: ['malformed-json'], holds: takesBody },
  { codes: ['body-too-large'], holds: takesBody },
  { codes: ['batch-too-large'], holds: (_, { body }) => isOfResource(body) && body.many !== undefined },
  { codes: ['unsupported-media-type'], holds: takesBody },
  { codes: ['validation-failed'], holds: hasBody },
  { codes: ['reference-unknown'], holds: (_, { body }) => resourcesIn(body).some(pointsAnywhere) },
  {
    codes: ['time-with-offset', 'seconds-not-zero'],
    holds: (_, { body }) => resourcesIn(body).some(hasTimes),
  },
  { codes: ['idempotency-in-progress', 'idempotency-key-reused'], holds: ({ method }) => method === 'POST' },
  { codes: ['revision-mismatch'], holds: (route) => writes(route) && route.method !== 'POST' },
  { codes: ['resource-referenced'], holds: ({ method }) => method === 'DELETE' },
]

/** Returns the problem codes of an operation, by status. */
export function refusalsOf(route: Route, description: Description): Map<number, ProblemCode[]> {
  const byRule = rules.filter(({ holds }) => holds(route, description)).flatMap(({ codes }) => codes)
  const byResource = resourcesIn(description.body).flatMap(({ problems }) => problems)
  const all = new Set([...byRule, ...byResource, ...(description.problems ?? [])])
  return Map.groupBy([...all], (code) => problems[code][0])
}

function isOfResource(body: Description['body']): body is Extract<Description['body'], { of: Resource }> {
  return body !== undefined && 'of' in body
}

/** Returns the resources that a body contains. */
function resourcesIn(body: Description['body']): Resource[] {
  return isOfResource(body) ? [body.of, ...Object.values(body.inside ?? {})] : []
}

function pointsAnywhere({ fields }: Resource): boolean {
  return Object.values(fields).some(
    ({ to, members = {} }) => to !== undefined || Object.values(members).some((member) => member.to),
  )
}

function hasTimes({ fields }: Resource): boolean {
  return Object.values(fields).some(({ form }) => form.startsWith('time '))
}
