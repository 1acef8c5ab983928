import { useState } from 'preact/hooks'
import { ownName } from '../../lib/server/own-storage.ts'
import type { Persons } from './persons.ts'

/** The content of the walk-in form. All values are texts, as in the fields. */
export interface Draft extends Persons {
  end: string
  /** Of a day use, HH:MM: when it was chosen, and when the guest leaves. */
  startTime: string
  endTime: string
  typeId: string
  unitId: string
  lastName: string
  firstName: string
  /** Empty for the suggested price. */
  price: string
  /** The brand of the payment; empty to pay later. */
  brand: string
  /** The number of the booking. A repeat keeps it. */
  number: string
}

const kept = 'nightporter.walk-in'

/**
 * The draft of a walk-in. It survives a reload of this tab and a change of the person at the station. It is deleted
 * when the guest is in house or the form is cleared.
 */
export function useDraft(empty: Draft) {
  const [own] = useState(() => ownName(kept))
  const [draft, setDraft] = useState<Draft>(() => {
    const text = sessionStorage.getItem(own)
    return text === null ? empty : { ...empty, ...(JSON.parse(text) as Draft) }
  })
  return {
    draft,
    change(change: Partial<Draft>) {
      const next = { ...draft, ...change }
      sessionStorage.setItem(own, JSON.stringify(next))
      setDraft(next)
    },
    forget() {
      sessionStorage.removeItem(own)
      setDraft(empty)
    },
  }
}

/**
 * Returns a number for a booking without a number of another system: the day, and five letters that people do not
 * confuse.
 */
export function newNumber(date: string): string {
  const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
  const picked = crypto.getRandomValues(new Uint8Array(5))
  return `W${date.slice(5).replace('-', '')}-${[...picked].map((each) => letters[each % letters.length]).join('')}`
}
