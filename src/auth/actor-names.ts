import { uuidPattern } from '../resource/fields.ts'
import type { Reader } from '../resource/keeper.ts'
import { account } from './resources/account.ts'
import { formerActor } from './resources/former-actor.ts'
import { station } from './resources/station.ts'
import { token } from './resources/token.ts'

/**
 * Returns the name of an actor of the journal: the present name of an account, a token or a kiosk's station, or its
 * last name if it was deleted. Returns null for a part of the appliance, whose id is its name, and for a deleted name
 * that retention has removed.
 */
export function nameOfActor(reader: Pick<Reader, 'row' | 'rows'>, id: string): string | null {
  if (!uuidPattern.test(id)) return null
  const found = reader.row(account, id) ?? reader.row(token, id) ?? reader.row(station, id)
  if (found) return found.name
  const filters = [{ path: 'actorId', operator: 'eq' as const, value: id.toLowerCase() }]
  return reader.rows(formerActor, { filters, sort: [], page: { size: 1 } })[0]?.name ?? null
}
