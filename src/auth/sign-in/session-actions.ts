import type { Answer, Route } from '../../jsonapi/route.ts'
import {
  accountNamed,
  type Entered,
  enteredProperties,
  expectSecret,
  type Place,
} from '../accounts/check-secret.ts'
import { isFromThisMachine } from '../from-this-machine.ts'
import { needsPassword } from '../resources/account.ts'
import { endSession, lockSession, renewSession } from '../sessions/session-commands.ts'
import type { SessionDesk } from '../sessions/session-context.ts'
import { newCookie, setCookie } from '../sessions/session-cookie.ts'
import { beginSession } from './begin-session.ts'
import { says } from './session-descriptions.ts'
import { expectSession, expectStation, sessionRoute, type Visit } from './session-route.ts'
import { stateAnswer } from './session-state.ts'

type SignIn = Entered & { account: string }

/** Returns the routes of the session of a browser: sign in and out, lock, unlock, switch, and enter a secret again. */
export function sessionActions(desk: SessionDesk): Route[] {
  const action = { method: 'POST' } as const
  return [
    sessionRoute(desk, {
      method: 'GET',
      path: 'session',
      description: says.read,
      handle: (_, { request, open, station }) => stateAnswer(desk, request, { open, station }),
    }),
    sessionRoute<SignIn>(desk, {
      ...action,
      path: 'session',
      schema: signInSchema,
      quota: 'auth',
      signsIn: true,
      description: says.signIn,
      handle: signIn,
    }),
    sessionRoute<SignIn>(desk, {
      ...action,
      path: 'session/actions/switch',
      schema: signInSchema,
      signsIn: true,
      description: says.switch,
      handle(_, visit) {
        expectStation(visit)
        return signIn(desk, visit)
      },
    }),
    sessionRoute(desk, { ...action, path: 'session/actions/lock', description: says.lock, handle: lock }),
    sessionRoute<Entered>(desk, {
      ...action,
      path: 'session/actions/unlock',
      schema: enteredSchema,
      description: says.unlock,
      handle: (_, visit) => renewed(desk, visit, 'unlocked'),
    }),
    sessionRoute<Entered>(desk, {
      ...action,
      path: 'session/actions/reauthenticate',
      schema: enteredSchema,
      description: says.reauthenticate,
      handle: (_, visit) => renewed(desk, visit, 'reauthenticated'),
    }),
    sessionRoute(desk, { method: 'DELETE', path: 'session', description: says.signOut, handle: signOut }),
  ]
}

/** Returns where the request comes from, for the limit of wrong secrets. */
export function placeOf({ demo }: SessionDesk, { request, station }: Visit<unknown>): Place {
  return { station, address: request.remoteAddress, isDemo: demo && isFromThisMachine(request.message) }
}

async function signIn(desk: SessionDesk, visit: Visit<SignIn>): Promise<Answer> {
  const { account: named, ...entered } = visit.body
  const who = await expectSecret(desk, {
    who: accountNamed(desk.reader, named),
    named,
    place: placeOf(desk, visit),
    entered,
  })
  return beginSession(desk, visit, who, { station: visit.station })
}

async function lock(desk: SessionDesk, visit: Visit): Promise<Answer> {
  const { row, account, station } = expectSession(visit)
  if (account) await desk.writer.execute(lockSession, { id: row.id }, { actor: actorOf(visit) })
  return stateAnswer(desk, visit.request, { open: desk.sessions.of(visit.request.message), station })
}

/** Checks a secret of the session's own person, and gives the session a new cookie. */
async function renewed(
  desk: SessionDesk,
  visit: Visit<Entered>,
  as: 'unlocked' | 'reauthenticated',
): Promise<Answer> {
  const { request, body } = visit
  const open = expectSession(visit)
  const named = open.account?.id ?? 'kiosk'
  const who = await expectSecret(
    desk,
    { who: open.account, named, place: placeOf(desk, visit), entered: body },
    { unlocks: as === 'unlocked' },
  )
  const { secret, digest } = newCookie()
  const isFull = as === 'reauthenticated' || body.password !== undefined || !needsPassword(who)
  await desk.writer.execute(renewSession, { id: open.row.id, digest, as, isFull }, { actor: actorOf(visit) })
  const now = desk.sessions.with(digest)
  if (now) desk.sessions.used(now)
  const cookies = [setCookie(request.message, 'session', secret)]
  return stateAnswer(desk, request, { open: now, station: visit.station, cookies })
}

async function signOut(desk: SessionDesk, visit: Visit): Promise<Answer> {
  const { open, request } = visit
  if (open)
    await desk.writer.execute(
      endSession,
      { id: open.row.id, reason: 'signed-out' },
      { actor: actorOf(visit) },
    )
  return { status: 204, cookies: [setCookie(request.message, 'session', null)] }
}

/** Returns the actor of a visit's session, for the journal. */
export function actorOf({ open, station, request }: Visit<unknown>) {
  const by = open?.account?.id ?? station?.id ?? 'sign-in'
  return { by, requestId: request.caller.requestId }
}

const signInSchema = {
  type: 'object',
  properties: {
    account: { type: 'string', minLength: 1, maxLength: 60, description: 'The name or the id.' },
    ...enteredProperties,
  },
  required: ['account'],
  anyOf: [{ required: ['password'] }, { required: ['passcode'] }],
  additionalProperties: false,
}

const enteredSchema = {
  type: 'object',
  properties: enteredProperties,
  anyOf: [{ required: ['password'] }, { required: ['passcode'] }],
  additionalProperties: false,
}
