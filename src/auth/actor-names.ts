import { uuidPattern } from '../resource/fields.ts'
import type { Reader } from '../resource/keeper.ts'
import { account } from './accounts/account.ts'
import { formerActor } from './former-actor.ts'
import { station } from './sessions/station.ts'
import { token } from './token.ts'

/**
 * Returns the name that an actor of the journal has now, or had when it was deleted: that of an account, a token or a
 * kiosk's station. Returns null for a part of the appliance, whose id says what it is, and for a name that is no longer
 * kept.
 */
export function nameOfActor(reader: Pick<Reader, 'row' | 'rows'>, id: string): string | null {
  if (!uuidPattern.test(id)) return null
  const found = reader.row(account, id) ?? reader.row(token, id) ?? reader.row(station, id)
  if (found) return found.name
  const filters = [{ path: 'actorId', operator: 'eq' as const, value: id.toLowerCase() }]
  return reader.rows(formerActor, { filters, sort: [], page: { size: 1 } })[0]?.name ?? null
}
