import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Dialog } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import type { Resource } from '../../lib/server/api.ts'
import type { Stay } from '../../lib/server/resources.ts'
import { CardsTogether } from './cards-together.ts'
import { CheckInTogether, guestText } from './check-in-together.ts'
import { t } from './texts.ts'

interface SelectionOptions {
  stays: readonly Resource<Stay>[]
  included: readonly Resource[]
  clear: () => void
}

/** What can be done with the stays that are selected in a list. */
export function Selection({ stays, included, clear }: SelectionOptions): View {
  const [opened, open] = useState<readonly Resource<Stay>[] | null>(null)
  return el.div(
    { class: 'row', role: 'status' },
    button(t.value.checkIn(stays.length), {
      onClick: () => open(stays),
      icon: 'in',
      isDisabled: stays.length === 0,
      isWriting: true,
    }),
    button(t.value.clear, { onClick: clear, icon: 'cross' }),
    opened &&
      h(CheckInTogether, {
        stays: opened,
        included,
        onClose: () => {
          open(null)
          clear()
        },
      }),
  )
}

interface OfBookingOptions {
  stays: readonly Resource<Stay>[]
  included: readonly Resource[]
  changed: () => void
}

/** A button on a sheet that checks in the expected stays of its booking, where there are several. */
export function OfBooking({ stays, included, changed }: OfBookingOptions): View | null {
  const [isOpen, open] = useState(false)
  // A guest who is in house is not expected any more, while the list is shown.
  if (stays.length < 2 && !isOpen) return null
  return el.div(
    null,
    button(t.value.ofBooking(stays.length), { onClick: () => open(true), icon: 'in', isWriting: true }),
    isOpen &&
      h(CheckInTogether, {
        stays,
        included,
        onClose: () => {
          open(false)
          changed()
        },
      }),
  )
}

/** A button on a sheet that makes the cards of the guests of its booking who are in house without one, where there are several. */
export function CardsOfBooking({ stays, included, changed }: OfBookingOptions): View | null {
  // The list stays as it was opened: a guest who gets a card leaves it.
  const [opened, open] = useState<readonly Resource<Stay>[] | null>(null)
  const [isBusy, setBusy] = useState(false)
  if (stays.length < 2 && opened === null) return null
  const close = () => {
    if (isBusy) return
    open(null)
    changed()
  }
  return el.div(
    null,
    button(t.value.cardsOfBooking(stays.length), {
      onClick: () => open(stays),
      icon: 'card',
      isWriting: true,
    }),
    opened &&
      h(
        Dialog,
        { title: t.value.cardsTitle, onClose: close },
        h(CardsTogether, {
          guests: opened.map((stay) => ({ stayId: stay.id, name: guestText(stay, included) })),
          onBusy: setBusy,
        }),
        !isBusy && button(t.value.close, { onClick: close }),
      ),
  )
}
