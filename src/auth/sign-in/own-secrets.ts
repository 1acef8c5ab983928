import type { Answer, Route } from '../../jsonapi/route.ts'
import { Problem } from '../../resource/problem.ts'
import { setSecrets } from '../accounts/account-commands.ts'
import {
  accountNamed,
  attempt,
  attempted,
  type Entered,
  enteredProperties,
  expectSecret,
} from '../accounts/check-secret.ts'
import { type Account, needsPassword } from '../resources/account.ts'
import { markOfCode } from '../secrets/one-time-code.ts'
import {
  expectGoodPasscode,
  expectGoodPassword,
  passcodeSchema,
  passwordSchema,
} from '../secrets/secret-rules.ts'
import type { SessionDesk } from '../sessions/session-context.ts'
import { beginSession } from './begin-session.ts'
import { actorOf, placeOf } from './session-actions.ts'
import { says } from './session-descriptions.ts'
import { expectSession, sessionRoute, type Visit } from './session-route.ts'
import { stateAnswer } from './session-state.ts'

/** The new password and passcode. */
interface Chosen {
  newPassword?: string
  newPasscode?: string
}

/**
 * Returns the routes with which people set their own password and passcode: with a one-time code, or when signed in.
 */
export function ownSecretRoutes(desk: SessionDesk): Route[] {
  return [
    sessionRoute<Chosen & { account: string; code: string }>(desk, {
      method: 'POST',
      path: 'session/actions/redeem-code',
      signsIn: true,
      schema: redeemSchema,
      quota: 'auth',
      description: says.redeem,
      handle: redeem,
    }),
    sessionRoute<Chosen & Entered>(desk, {
      method: 'POST',
      path: 'session/actions/change-secrets',
      schema: changeSchema,
      description: says.changeSecrets,
      handle: change,
    }),
  ]
}

async function redeem(
  desk: SessionDesk,
  visit: Visit<Chosen & { account: string; code: string }>,
): Promise<Answer> {
  const { account: named, code: typed, ...chosen } = visit.body
  const who = accountNamed(desk.reader, named)
  const place = placeOf(desk, visit)
  const code = markOfCode(desk.mark, typed)
  const known = await attempt(desk, attempted(who, named), place, async () => {
    if (who && who.code === code && (who.codeEndsAt ?? 0) > desk.now()) return who
    throw new Problem('unauthenticated', 'The account or the code is wrong, or the code has ended.', {
      pointer: '/code',
    })
  })
  const isAtStation = place.station !== null && place.station.kind !== 'kiosk'
  if (chosen.newPassword === undefined && (!isAtStation || needsPassword(known)))
    throw new Problem('validation-failed', 'A password is needed here; a passcode may be set with it.', {
      pointer: '/newPassword',
    })
  const hashed = await hashedOf(desk, known, chosen)
  await desk.writer.execute(setSecrets, { id: known.id, code, ...hashed }, { actor: actorFor(known, visit) })
  return beginSession(desk, visit, known, { station: visit.station })
}

async function change(desk: SessionDesk, visit: Visit<Chosen & Entered>): Promise<Answer> {
  const { newPassword, newPasscode, ...entered } = visit.body
  const open = expectSession(visit)
  const { account: who, row } = open
  if (desk.sessions.isLocked(open))
    throw new Problem('session-locked', 'The session is locked. Enter the passcode or the password.')
  const known = await expectSecret(desk, {
    who,
    named: who?.id ?? 'kiosk',
    place: placeOf(desk, visit),
    entered,
  })
  const hashed = await hashedOf(desk, known, {
    ...(newPassword !== undefined && { newPassword }),
    ...(newPasscode !== undefined && { newPasscode }),
  })
  const input = { id: known.id, code: null, session: row.id, ...hashed }
  await desk.writer.execute(setSecrets, input, { actor: actorOf(visit) })
  return stateAnswer(desk, visit.request, {
    open: desk.sessions.of(visit.request.message),
    station: visit.station,
  })
}

/** Returns the hashes of new secrets. Throws validation-failed for one that is easily guessed. */
async function hashedOf(
  { hash }: SessionDesk,
  { name }: Pick<Account, 'name'>,
  { newPassword, newPasscode }: Chosen,
): Promise<{ password: string | null; passcode: string | null }> {
  if (newPassword !== undefined) expectGoodPassword(newPassword, '/newPassword', [name])
  if (newPasscode !== undefined) expectGoodPasscode(newPasscode, '/newPasscode')
  return {
    password: newPassword === undefined ? null : await hash.hash(newPassword),
    passcode: newPasscode === undefined ? null : await hash.hash(newPasscode),
  }
}

function actorFor({ id }: Account, { request }: Visit<unknown>) {
  return { by: id, requestId: request.caller.requestId }
}

const chosenProperties = { newPassword: passwordSchema, newPasscode: passcodeSchema }
const chosenOnes = [{ required: ['newPassword'] }, { required: ['newPasscode'] }]

const redeemSchema = {
  type: 'object',
  properties: {
    account: { type: 'string', minLength: 1, maxLength: 60, description: 'The name or the id.' },
    code: { type: 'string', minLength: 1, maxLength: 40, description: 'The one-time code.' },
    ...chosenProperties,
  },
  required: ['account', 'code'],
  anyOf: chosenOnes,
  additionalProperties: false,
}

const changeSchema = {
  type: 'object',
  properties: { ...enteredProperties, ...chosenProperties },
  allOf: [{ anyOf: [{ required: ['password'] }, { required: ['passcode'] }] }, { anyOf: chosenOnes }],
  additionalProperties: false,
}
