import { metaAnswer } from '../../jsonapi/document-answers.ts'
import type { Guests } from '../../jsonapi/guests.ts'
import type { Answer, Request } from '../../jsonapi/route.ts'
import { withoutDryRun } from '../../jsonapi/write-options.ts'
import { Problem } from '../../resource/problem.ts'
import type { Access } from '../access.ts'
import type { Key } from '../resources/key.ts'
import { cardOnEncoder } from './card-content.ts'

/**
 * Reads the card that a guest shows on the encoder of a kiosk, and adds it to the proof of that guest. Throws kiosk-scope for
 * every other card, without saying whose it is, and what `cardOnEncoder` throws.
 */
export async function shownCard(access: Access, request: Request): Promise<Answer> {
  withoutDryRun(request)
  const { stored } = await cardOnEncoder(access, request)
  if (!stored || !(await isOwnCard(request.caller.guests, stored)))
    throw new Problem('kiosk-scope', 'This is no card of the guest who has found the stay here.', {
      meta: { scope: 'keys.read', guest: 'desk' },
    })
  const { stayId, id: keyId, unitName } = stored
  return metaAnswer({ stayId, keyId, unitName })
}

/**
 * Whether a card is that of a guest who has given a proof, which it then adds to. A card that was lost, or that a newer
 * original has ended, proves nothing. One whose time is over does, because its guest may leave late.
 */
export async function isOwnCard(guests: Guests, { stayId, status, usage }: Key): Promise<boolean> {
  const counts = status === 'live' || status === 'expired'
  if (!stayId || usage !== 'Guest' || !counts || !guests.has(stayId)) return false
  await guests.showed(stayId)
  return true
}
