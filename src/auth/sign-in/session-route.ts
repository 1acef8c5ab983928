import type { Description } from '../../jsonapi/description.ts'
import { expectNoParameters } from '../../jsonapi/query/query.ts'
import type { Answer, Request, Route } from '../../jsonapi/route.ts'
import { validate } from '../../jsonapi/schemas/validate.ts'
import type { JsonSchema } from '../../resource/field.ts'
import { Problem } from '../../resource/problem.ts'
import type { Station } from '../resources/station.ts'
import { noSession } from '../sessions/no-session.ts'
import type { OpenSession } from '../sessions/open-sessions.ts'
import { expectSameOrigin, isSafe } from '../sessions/same-origin.ts'
import type { SessionDesk } from '../sessions/session-context.ts'
import { isOfKiosk, takesCookies } from '../sessions/session-cookie.ts'

/** A request of a page of this appliance, with its session and its station. */
export interface Visit<Body = Record<string, unknown>> {
  request: Request
  body: Body
  /** The session of the browser; null without one. It may be locked. */
  open: OpenSession | null
  /** The station of the browser; null when the browser is not a station. */
  station: Station | null
}

interface SessionRoute<Body> {
  method: Route['method']
  /** Below /api/v2. */
  path: string
  schema?: JsonSchema
  quota?: 'auth'
  /** A person signs in by it, which is not possible with the page of a kiosk. */
  signsIn?: true
  description: Description
  handle(desk: SessionDesk, visit: Visit<Body>): Promise<Answer> | Answer
}

/**
 * Returns a route that needs no token. The cookies of the browser identify the caller. A change is accepted only from
 * pages of this appliance.
 */
export function sessionRoute<Body>(
  desk: SessionDesk,
  { method, path, schema, quota, signsIn, description, handle }: SessionRoute<Body>,
): Route {
  return {
    method,
    base: '/api/v2',
    path,
    scope: null,
    largestBody: 4_096,
    ...(quota && { quota }),
    description: { ...description, trial: false, ...(schema && { body: bodyOf(schema, description) }) },
    handle: async (request) => {
      const { message } = request
      expectNoParameters(request.query)
      const body = (schema && (await request.body())) ?? {}
      if (!isSafe(method)) expectCookies(request)
      if (signsIn) expectNoKiosk(request)
      if (schema) await validate(schema, body)
      const { sessions } = desk
      return handle(desk, {
        request,
        body: body as Body,
        open: sessions.of(message),
        station: sessions.stationOf(message),
      })
    },
  }
}

function bodyOf(schema: JsonSchema, { body }: Description) {
  const example = body?.example
  return { schema, ...(example !== undefined && { example }) }
}

/** Throws cross-origin for a page of another origin, and for a connection on which no cookie may be set. */
function expectCookies({ message }: Request): void {
  expectSameOrigin(message, message.headers.cookie !== undefined)
  if (takesCookies(message)) return
  throw new Problem(
    'cross-origin',
    'People sign in over TLS, or at this machine itself by its own name or address, and not through a proxy.',
  )
}

/** Throws station-required for the page of a kiosk: a person cannot sign in with it. */
export function expectNoKiosk({ message }: Request): void {
  if (!isOfKiosk(message)) return
  throw new Problem(
    'station-required',
    'A person cannot sign in with the page of a kiosk. Open /desk or /setup.',
  )
}

/** Returns the session. Throws unauthenticated without one. */
export function expectSession({ open }: Pick<Visit<unknown>, 'open'>): OpenSession {
  if (open) return open
  throw noSession()
}

/** Returns the station. Throws station-required without one. */
export function expectStation({ station }: Pick<Visit<unknown>, 'station'>): Station {
  if (station) return station
  throw new Problem(
    'station-required',
    'This browser is no station. An administrator enrols it, or somebody with an enrolment code.',
  )
}
