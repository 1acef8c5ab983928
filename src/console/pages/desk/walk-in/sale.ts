import { chargedNights, minorOf, nightsBetween, typedText } from '../../lib/language/format.ts'
import type { Resource } from '../../lib/server/api.ts'
import type { Reading } from '../../lib/server/read.ts'
import type { Unit } from '../../lib/server/resources.ts'
import { amountIn } from '../payments/typed-amount.ts'
import type { Draft } from './draft.ts'
import { type Offers, useOffers, useRooms } from './offers.ts'
import { personsIn } from './persons.ts'

/** The values that follow from the draft of a walk-in: type, room and price. */
export interface Sale {
  offers: Reading<Offers>
  typeId: string | null
  rooms: Reading<Resource<Unit>[]>
  /** Null when the chosen room is no longer free. It is not replaced automatically. */
  unit: Resource<Unit> | null
  currency: string
  priceText: string
  /** Null without a price, and for an invalid one. */
  price: ReturnType<typeof amountIn>
  isPriceWrong: boolean
  /** Whether the draft is complete. */
  isReady: boolean
}

/** What can be sold for a draft: types with their prices, and the free rooms of the chosen one. */
export function useSale(draft: Draft, start: string): Sale {
  const offers = useOffers(start, draft.end)
  const all = offers.data?.all ?? []
  const typeId = chosenType(draft, all)
  const rooms = useRooms(typeId, start, draft.end)
  const unit = (rooms.data ?? []).find(({ id }) => draft.unitId === '' || id === draft.unitId) ?? null
  const nights = nightsBetween(start, draft.end)
  const offer = all.find(({ type }) => type.id === typeId)
  const currency = offers.data?.currency ?? 'EUR'
  const suggested =
    offer?.nightly == null
      ? ''
      : typedText(minorOf(offer.nightly * chargedNights(nights), currency), currency)
  const priceText = draft.price === '' ? suggested : draft.price
  const price = amountIn(priceText, currency)
  const isPriceWrong = priceText !== '' && price === null
  const isNamed = draft.lastName.trim() !== ''
  const isPeriod = nights >= 1 || (nights === 0 && draft.endTime !== '')
  const isReady = isNamed && isPeriod && typeId !== null && unit !== null && !isPriceWrong
  return { offers, typeId, rooms, unit, currency, priceText, price, isPriceWrong, isReady }
}

/**
 * Returns the chosen type, even if it was sold meanwhile; otherwise the first type that has a room left and is large
 * enough.
 */
function chosenType(draft: Draft, all: Offers['all']): string | null {
  const { typeId } = draft
  if (typeId !== '' && all.some(({ type }) => type.id === typeId)) return typeId
  const persons = personsIn(draft)
  const fits = all.find(
    ({ left, type }) =>
      left > 0 && (type.attributes.maxOccupancy === null || type.attributes.maxOccupancy >= persons),
  )
  return fits?.type.id ?? null
}
