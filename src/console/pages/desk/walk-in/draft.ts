import { useState } from 'preact/hooks'
import { ownName } from '../../lib/own-storage.ts'

/** What is in the form of a walk-in. All of it is text, as the fields are. */
export interface Draft {
  end: string
  adults: string
  children: string
  typeId: string
  unitId: string
  lastName: string
  firstName: string
  /** Empty while the suggested price is taken. */
  price: string
  /** The brand of the payment; empty to pay later. */
  brand: string
  /** The number of the booking, which a repetition keeps. */
  number: string
}

const kept = 'nightporter.walk-in'

/** The draft of a walk-in. It survives a reload in this tab, and somebody else at the station, until the guest is in house or the form is emptied. */
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

/** A number for a booking that no other system has numbered: the day, and five letters that are not mistaken for others. */
export function newNumber(date: string): string {
  const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
  const picked = crypto.getRandomValues(new Uint8Array(5))
  return `W${date.slice(5).replace('-', '')}-${[...picked].map((each) => letters[each % letters.length]).join('')}`
}
