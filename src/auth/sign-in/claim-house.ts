import type { Answer, Route } from '../../jsonapi/route.ts'
import { typedCode } from '../../jsonapi/schemas/words.ts'
import { alreadyClaimed, claimHouse } from '../accounts/account-commands.ts'
import { expectPaired } from '../expect-paired.ts'
import { type Account, type AccountLanguage, account, accountLanguages } from '../resources/account.ts'
import { station } from '../resources/station.ts'
import {
  expectGoodPasscode,
  expectGoodPassword,
  passcodeSchema,
  passwordSchema,
} from '../secrets/secret-rules.ts'
import type { SessionDesk } from '../sessions/session-context.ts'
import { newCookie } from '../sessions/session-cookie.ts'
import { beginSession } from './begin-session.ts'
import { says } from './session-descriptions.ts'
import { sessionRoute, type Visit } from './session-route.ts'
import { isClaimed } from './session-state.ts'
import { enrolStation } from './station-commands.ts'

interface Claim {
  code: string
  name: string
  password: string
  passcode?: string
  language?: AccountLanguage
  station?: string
}

/** Returns the route with which the first administrator takes a new appliance over. */
export function claimRoute(desk: SessionDesk): Route {
  return sessionRoute<Claim>(desk, {
    method: 'POST',
    path: 'session/actions/claim',
    signsIn: true,
    schema: claimSchema,
    quota: 'auth',
    description: says.claim,
    handle: claim,
  })
}

async function claim(desk: SessionDesk, visit: Visit<Claim>): Promise<Answer> {
  const { body, request } = visit
  const { reader, pairing } = desk
  if (isClaimed(reader)) throw alreadyClaimed()
  expectGoodPassword(body.password, '/password', [body.name])
  if (body.passcode !== undefined) expectGoodPasscode(body.passcode, '/passcode')
  expectPaired(pairing?.redeem(body.code, request.remoteAddress) ?? { is: 'closed' })
  let isDone = false
  try {
    const who = await firstAccount(desk, visit)
    isDone = true
    return await beginSession(desk, visit, who, await firstStation(desk, visit, who))
  } finally {
    if (!isDone) pairing?.giveBack()
  }
}

/**
 * Checks that the appliance has no owner and that this is its pairing code, which stays valid. Throws already-claimed,
 * unauthenticated, and rate-limited for an address that must wait.
 */
export function expectUnowned(
  { reader, pairing }: Pick<SessionDesk, 'reader' | 'pairing'>,
  code: string,
  address: string,
): void {
  if (isClaimed(reader)) throw alreadyClaimed()
  expectPaired(pairing?.redeem(code, address) ?? { is: 'closed' })
  pairing?.giveBack()
}

async function firstAccount({ writer, reader, hash }: SessionDesk, { body, request }: Visit<Claim>) {
  const { name, language = 'en', passcode } = body
  const input = {
    name,
    language,
    password: await hash.hash(body.password),
    passcode: passcode === undefined ? null : await hash.hash(passcode),
  }
  const actor = { by: 'claim', requestId: request.caller.requestId }
  const { id } = await writer.execute(claimHouse, input, { actor })
  return reader.row(account, id)!
}

async function firstStation(
  { writer, reader }: SessionDesk,
  { body, request, station: kept }: Visit<Claim>,
  who: Account,
) {
  if (kept) return { station: kept }
  const { secret, digest } = newCookie()
  const as = { station: { name: body.station ?? 'Station 1' } }
  const actor = { by: who.id, requestId: request.caller.requestId }
  const { id } = await writer.execute(enrolStation, { as, digest, ends: [] }, { actor })
  return { station: reader.row(station, id), secret }
}

const claimSchema = {
  type: 'object',
  properties: {
    // Eight digits; spaces and hyphens are ignored.
    code: typedCode,
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 60,
      description: 'The name of the first administrator.',
    },
    password: passwordSchema,
    passcode: passcodeSchema,
    language: { enum: accountLanguages },
    station: {
      type: 'string',
      minLength: 1,
      maxLength: 60,
      description: 'The name of this browser as a station.',
    },
  },
  required: ['code', 'name', 'password'],
  additionalProperties: false,
}
