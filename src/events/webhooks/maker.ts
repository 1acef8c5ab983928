import { account } from '../../auth/resources/account.ts'
import { token } from '../../auth/resources/token.ts'
import { scopesHeld } from '../../auth/roles.ts'
import { grants, wordsIn } from '../../auth/scopes.ts'
import type { Reader } from '../../resource/keeper.ts'
import type { Webhook } from '../resources/webhook.ts'

/**
 * The scopes by which a webhook receives events now: those of when it was made, as far as its maker still has them. Null when the
 * maker is gone. A webhook of an earlier release, whose maker is not known, keeps its scopes.
 */
export function hearsNow(
  reader: Pick<Reader, 'row'>,
  { makerId, hears }: Webhook,
  now: number,
): string[] | null {
  const kept = hears ?? []
  if (!makerId) return kept
  const has = scopesOfMaker(reader, makerId, now)
  return has && kept.flatMap(wordsIn).filter((scope) => grants(has, scope))
}

function scopesOfMaker(reader: Pick<Reader, 'row'>, id: string, now: number): readonly string[] | null {
  const made = reader.row(token, id)
  if (made) {
    const isOver = made.expiresAt !== null && made.expiresAt !== undefined && made.expiresAt <= now
    return isOver || made.refusedAt ? null : scopesHeld(made)
  }
  const person = reader.row(account, id)
  return person && !person.disabled ? scopesHeld(person) : null
}
