import type { Answer, Route } from '../../jsonapi/route.ts'
import { typedCode } from '../../jsonapi/schemas/words.ts'
import { Problem } from '../../resource/problem.ts'
import { attempt, isPasscodeEnough } from '../accounts/check-secret.ts'
import { account } from '../resources/account.ts'
import { station } from '../resources/station.ts'
import { grants } from '../scopes.ts'
import type { SessionDesk } from '../sessions/session-context.ts'
import { newCookie, setCookie } from '../sessions/session-cookie.ts'
import { expectRecentSecret, holderOfSession } from '../sessions/session-rights.ts'
import { beginSession } from './begin-session.ts'
import { isDemoVisit } from './demo-staff.ts'
import { markOfEnrolment } from './enrolment-code.ts'
import { actorOf, placeOf } from './session-actions.ts'
import { says } from './session-descriptions.ts'
import { expectStation, sessionRoute, type Visit } from './session-route.ts'
import { stateAnswer } from './session-state.ts'
import { type Enrolment, enrolStation, type NewStation } from './station-commands.ts'
import { expectMayGive } from './station-routes.ts'

type EnrolBody = { code: string } | NewStation

/** Returns the routes of a browser that is a station or becomes one. */
export function stationActions(desk: SessionDesk): Route[] {
  return [
    sessionRoute<EnrolBody>(desk, {
      method: 'POST',
      path: 'session/actions/enrol-station',
      schema: enrolSchema,
      quota: 'auth',
      description: says.enrol,
      handle: enrol,
    }),
    sessionRoute(desk, {
      method: 'POST',
      path: 'session/actions/start-kiosk',
      description: says.startKiosk,
      handle: startKiosk,
    }),
    sessionRoute(desk, {
      method: 'GET',
      path: 'session/people',
      description: says.people,
      handle: people,
    }),
  ]
}

async function enrol(desk: SessionDesk, visit: Visit<EnrolBody>): Promise<Answer> {
  const { body } = visit
  if (!('code' in body)) {
    expectMaySetUp(desk, visit, body)
    return enrolled(desk, visit, { station: body })
  }
  const code = markOfEnrolment(desk.mark, body.code)
  return attempt(desk, { named: 'enrol-station' }, { ...placeOf(desk, visit), station: null }, () =>
    enrolled(desk, visit, { code }),
  )
}

/** Makes the browser a station. The sessions of people in it end. */
async function enrolled(desk: SessionDesk, visit: Visit<unknown>, as: Enrolment): Promise<Answer> {
  const { message } = visit.request
  const { secret, digest } = newCookie()
  const ends = desk.sessions.peopleIn(message)
  const { id } = await desk.writer.execute(enrolStation, { as, digest, ends }, { actor: actorOf(visit) })
  return stateAnswer(desk, visit.request, {
    open: desk.sessions.of(message),
    station: desk.reader.row(station, id),
    cookies: [setCookie(message, 'station', secret)],
  })
}

/** Throws unauthenticated without a code and a session, session-locked, scope-required and reauthentication-required. */
function expectMaySetUp(
  { sessions, now }: SessionDesk,
  { open }: Visit<unknown>,
  { kind }: NewStation,
): void {
  if (!open)
    throw new Problem('unauthenticated', 'Send the enrolment code, or sign in.', { pointer: '/code' })
  if (sessions.isLocked(open))
    throw new Problem('session-locked', 'The session is locked. Enter the passcode or the password.')
  const scope = 'config.write'
  const may = (word: string) => grants(holderOfSession(open).scopes, word)
  if (!may(scope))
    throw new Problem('scope-required', `The token lacks the scope ${scope}.`, { meta: { scope } })
  expectMayGive({ may }, kind)
  expectRecentSecret(open, scope, now())
}

function startKiosk(desk: SessionDesk, visit: Visit): Promise<Answer> {
  const here = expectStation(visit)
  if (here.kind !== 'kiosk')
    throw new Problem('station-required', 'This station is no kiosk. Its kind is set with the station.')
  // A technician who has signed in with this browser leaves it to the guests.
  const ends = desk.sessions.peopleIn(visit.request.message)
  return beginSession(desk, visit, null, { station: here, ends })
}

/** Returns the people who may sign in at a station. A kiosk lists no people. */
function people(desk: SessionDesk, visit: Visit): Answer {
  const here = expectStation(visit)
  if (here.kind === 'kiosk')
    throw new Problem('station-required', 'At a kiosk nobody signs in with a passcode.')
  const { reader } = desk
  const sort = [{ path: 'name', descending: false }]
  const filters = [{ path: 'disabled', operator: 'eq' as const, value: 0 }]
  const all = reader.rows(account, { filters, sort, page: { size: 200 } })
  const data = all
    .filter(({ passwordSetAt, passcodeSetAt }) => passwordSetAt || passcodeSetAt || isDemoVisit(desk, visit))
    .map((each) => ({
      type: 'person',
      id: each.id,
      attributes: { name: each.name, passcodeSignsIn: isPasscodeEnough(each, placeOf(desk, visit)) },
    }))
  return { status: 200, text: JSON.stringify({ data, links: { self: '/api/v2/session/people' } }) }
}

const stationProperties = {
  name: { type: 'string', minLength: 1, maxLength: 60 },
  kind: { enum: ['desk', 'kiosk', 'housekeeping'] },
  idleMinutes: { type: 'integer', minimum: 1, maximum: 15 },
}

const enrolSchema = {
  anyOf: [
    {
      type: 'object',
      // Eight digits; spaces and hyphens are ignored.
      properties: { code: typedCode },
      required: ['code'],
      additionalProperties: false,
    },
    { type: 'object', properties: stationProperties, required: ['name'], additionalProperties: false },
  ],
}
