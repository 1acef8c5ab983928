import type { Answer } from '../../jsonapi/route.ts'
import type { Account } from '../resources/account.ts'
import type { Station } from '../resources/station.ts'
import { type NewSession, startSession } from '../sessions/session-commands.ts'
import type { SessionDesk } from '../sessions/session-context.ts'
import { newCookie, secretIn, setCookie } from '../sessions/session-cookie.ts'
import type { Visit } from './session-route.ts'
import { stateAnswer } from './session-state.ts'

/** The station of a new session, and its new cookie when the browser has just become the station. */
interface At {
  station: Station | null
  secret?: string
  /** Further sessions of the browser, which end. */
  ends?: string[]
}

/** Begins a session of an account, or of a kiosk, with a new cookie, and answers with its document. */
export async function beginSession(
  desk: SessionDesk,
  { request, open }: Visit<unknown>,
  who: Account | null,
  { station, secret, ends = [] }: At,
): Promise<Answer> {
  const { message, caller, remoteAddress } = request
  const made = newCookie()
  const input: NewSession = {
    accountId: who?.id ?? null,
    stationId: station?.id ?? null,
    digest: made.digest,
    address: remoteAddress,
    replaces: [...(open ? [open.row.id] : []), ...ends],
  }
  const actor = { by: who?.id ?? station?.id ?? 'sign-in', requestId: caller.requestId }
  await desk.writer.execute(startSession, input, { actor })
  // The cookie of a station is sent again, because a browser drops a cookie after 400 days.
  const kept = secret ?? (station && secretIn(message, 'station'))
  const cookies = [
    setCookie(message, 'session', made.secret),
    ...(kept === null ? [] : [setCookie(message, 'station', kept)]),
  ]
  return stateAnswer(desk, request, { open: desk.sessions.with(made.digest), station, status: 201, cookies })
}
