import { signal } from '@preact/signals'
import { getMaybe, type Resource } from '../../lib/server/api.ts'
import type { Controller, Key } from '../../lib/server/resources.ts'
import { useControllers } from './controllers.ts'

/**
 * The encoders at which a person reads a card. A dispenser's encoder is used only if there is no other, because people
 * cannot easily put a card into a dispenser.
 */
export function useCardEncoders(): readonly Resource<Controller>[] {
  const cards = (useControllers().data ?? []).filter(({ attributes }) => attributes.keyType === 'keyCard')
  const byHand = cards.filter(({ attributes }) => attributes.dispenserId === null)
  return byHand.length > 0 ? byHand : cards
}

/** A card that was read. */
export interface ReadCard {
  /** The stored key of the card; null for a card without one. */
  key: Resource<Key> | null
  isBlank: boolean
  /** The room of the card; null if it is not known. */
  room: string | null
}

/** The key of the card with which the sheet of its stay was opened; null for none. */
export const keyInHand = signal<Resource<Key> | null>(null)

/** Reads the card on an encoder. Waits for it up to a minute. Rejects with an ApiError. */
export async function readCard(encoder: Resource<Controller>): Promise<ReadCard> {
  const { data, meta } = await getMaybe<Key>(`/api/v2/access/controllers/${encoder.id}/key`, {
    timeoutMs: 60_000,
  })
  const card = meta?.card as { blank?: boolean; decodedUnitName?: string | null } | undefined
  return {
    key: data,
    isBlank: card?.blank === true,
    room: data?.attributes.unitName ?? card?.decodedUnitName ?? null,
  }
}
