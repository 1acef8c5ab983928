import type { Route } from '../jsonapi/route.ts'
import type { Scope } from './scopes.ts'

/**
 * What a session may do only for a few minutes after its person has entered the password or the passcode: all routes with
 * one of these scopes, and these routes of other scopes. For all else the session is enough. Tokens are not affected: a
 * program has no person to ask.
 */
const askedAgain: { scopes: readonly Scope[]; routes: readonly string[] } = {
  scopes: [
    'keys.override',
    'payments.void',
    'payments.settle',
    'tokens.write',
    'accounts.write',
    'backups.restore',
    'updates.install',
    'support.open',
  ],
  routes: [
    // All data of the house leave it, or what a stranger learns much from.
    'GET /api/config/v1/backups/:id/content',
    'GET /api/config/v1/flight-recorder',
    'GET /api/config/v1/support-file',
    // Nothing brings them back.
    'POST /api/v2/profiles/:profileId/actions/erase',
    // Where the data of the house are sent to from now on.
    ...writes('/api/config/v1/backup-targets'),
    ...writes('/api/config/v1/pms-configurations'),
    ...writes('/api/config/v1/access-providers'),
    ...writes('/api/config/v1/payment-terminals'),
    'POST /api/config/v1/webhooks',
    'PATCH /api/config/v1/webhooks/:id',
    'POST /api/config/v1/webhooks/:id/actions/rotate-secret',
    // Who else may act: order keys, or stand in the lobby as a kiosk.
    ...writes('/api/config/v1/key-services'),
    'POST /api/config/v1/epoch/actions/see',
    'POST /api/config/v1/stations',
    'PATCH /api/config/v1/stations/:id',
    'POST /api/config/v1/stations/:id/actions/enrolment-code',
    // Whom a browser takes the box for.
    'PUT /api/config/v1/certificate',
    'PATCH /api/config/v1/certificate',
    'DELETE /api/config/v1/certificate',
    'POST /api/config/v1/certificate/actions/renew',
  ],
}

function writes(path: string): string[] {
  return [`POST ${path}`, `PUT ${path}/:id`, `PATCH ${path}/:id`]
}

/** Returns whether a session needs a recently entered secret for this scope. */
export function isAskedAgain(scope: string): boolean {
  return askedAgain.scopes.some((each) => each === scope)
}

/** Returns the routes with `asksAgain` set where a session needs a recently entered secret. */
export function withSteppingUp(routes: readonly Route[]): Route[] {
  return routes.map((route) => {
    const name = `${route.method} ${route.base}/${route.path}`
    const asksAgain = askedAgain.routes.includes(name) || (route.scope !== null && isAskedAgain(route.scope))
    return asksAgain ? { ...route, asksAgain } : route
  })
}
