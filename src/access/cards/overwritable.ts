import type { Grant } from '../../devices/capability.ts'
import { type Stay, stay } from '../../reservation/resources/stay.ts'
import type { Reader } from '../../resource/keeper.ts'
import { Problem } from '../../resource/problem.ts'
import type { KeyOrder } from '../keys/key-order.ts'
import { nameIn, stayBy } from '../keys/stay/stay-of-key.ts'
import { keysOnCard } from './keys-on-card.ts'

/**
 * Returns a check for the card on the encoder. The check throws foreign-card when the card holds a live key of another
 * guest who is in house. A caller who confirms with the scope keys.override skips it.
 */
export function overwritable(reader: Reader, order: KeyOrder): (grant: Grant, uid: string) => void {
  const { confirmed, request } = order
  return ({ credential }, uid) => {
    if (confirmed?.mayOverride) return
    const live = keysOnCard({ reader }, uid, 'live')
    const found = live.find((row) => row.credential === credential && row.stayId)
    const owner = found?.stayId ? (reader.row(stay, found.stayId) as Stay | null) : null
    if (owner?.status !== 'InHouse') return
    const mine = stayBy(reader, nameIn(request))
    if (mine?.id === owner.id) return
    throw new Problem(
      'foreign-card',
      'The card is the key of another guest who is in house. It was not changed.',
      {
        meta: { keyId: found?.id, unitName: found?.unitName, scope: 'keys.override' },
      },
    )
  }
}
