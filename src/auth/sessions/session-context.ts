import type { Clock } from '../../host/clock.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import type { Pairing } from '../pairing-code.ts'
import { type AttemptLimit, attemptLimit } from '../secrets/attempt-limit.ts'
import { type SecretHash, secretHash } from '../secrets/secret-hash.ts'
import { type OpenSessions, openSessions } from './open-sessions.ts'

/** The dependencies of accounts, stations and sessions. */
export interface SessionContext {
  sessions: OpenSessions
  hash: SecretHash
  limit: AttemptLimit
  /**
   * Returns the mark of a code: a keyed hash that finds the code in the store, and from which the code cannot be
   * computed.
   */
  mark(text: string, context: string): string
  now(): number
  /** The IANA time zone of the property. */
  timeZone(): string
  /** The pairing code of a property without an owner; null when none was opened. */
  pairing: Pairing | null
  /** Whether this is the sample property, which this machine may use as its demo staff. */
  demo: boolean
}

/** With the store of the property. */
export type SessionDesk = SessionContext & Pick<Store, 'reader' | 'writer'>

interface Options extends Pick<SessionContext, 'mark' | 'timeZone' | 'pairing' | 'demo'> {
  store: Pick<Store, 'reader' | 'writer'>
  clock: Clock
  /** Called with each error of a write in the background. */
  failed(error: unknown): void
}

/** Creates the dependencies of accounts, stations and sessions. */
export function sessionContext({ store, clock, failed, ...given }: Options): SessionContext {
  const { now, monotonic } = clock
  const pepper = Buffer.from(given.mark('account', 'secret-hash'), 'hex')
  return {
    ...given,
    now,
    sessions: openSessions({ ...store, now, failed }),
    hash: secretHash(pepper),
    limit: attemptLimit(monotonic),
  }
}
