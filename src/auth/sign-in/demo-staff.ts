import type { Answer, Route } from '../../jsonapi/route.ts'
import { Problem } from '../../resource/problem.ts'
import { accountNamed } from '../accounts/check-secret.ts'
import { isFromThisMachine } from '../from-this-machine.ts'
import { type Station, station } from '../resources/station.ts'
import type { SessionDesk } from '../sessions/session-context.ts'
import { newCookie } from '../sessions/session-cookie.ts'
import { beginSession } from './begin-session.ts'
import { actorOf } from './session-actions.ts'
import { says } from './session-descriptions.ts'
import { expectNoKiosk, sessionRoute, type Visit } from './session-route.ts'
import { enrolStation } from './station-commands.ts'

interface DemoBody {
  account?: string
  kiosk?: boolean
}

/** Returns the route that signs in as the staff of the sample property, on its own machine. */
export function demoRoute(desk: SessionDesk): Route {
  return sessionRoute<DemoBody>(desk, {
    method: 'POST',
    path: 'session/actions/start-demo',
    schema: {
      type: 'object',
      properties: {
        account: { type: 'string', minLength: 1, maxLength: 60, default: 'Ana' },
        kiosk: { type: 'boolean', default: false },
      },
      additionalProperties: false,
    },
    description: says.startDemo,
    handle: startDemo,
  })
}

/** Whether the browser may use the sample property as its demo staff. */
export function isDemoVisit({ demo }: Pick<SessionDesk, 'demo'>, { request }: Visit<unknown>): boolean {
  return demo && isFromThisMachine(request.message)
}

async function startDemo(desk: SessionDesk, visit: Visit<DemoBody>): Promise<Answer> {
  if (!isDemoVisit(desk, visit))
    throw new Problem(
      'unauthenticated',
      'The demo staff is there only in the sample property, on its own machine and not through a proxy.',
    )
  const { account: named = 'Ana', kiosk = false } = visit.body
  if (!kiosk) expectNoKiosk(visit.request)
  const who = kiosk ? null : accountNamed(desk.reader, named)
  if (!kiosk && !who) throw new Problem('not-found', `The sample property has no account ${named}.`)
  return beginSession(desk, visit, who, await demoStationOf(desk, visit, kiosk ? 'kiosk' : 'desk'))
}

/**
 * Returns the station of the browser. A browser without one becomes a demo station, so that locking and switching can
 * be tried.
 */
async function demoStationOf(desk: SessionDesk, visit: Visit<unknown>, demo: 'desk' | 'kiosk') {
  const kept = visit.station
  if (kept && (kept.kind === 'kiosk') === (demo === 'kiosk')) return { station: kept }
  const { secret, digest } = newCookie()
  const { id } = await desk.writer.execute(
    enrolStation,
    { as: { demo }, digest, ends: [] },
    { actor: actorOf(visit) },
  )
  return { station: desk.reader.row(station, id) as Station, secret }
}
