import { h } from 'preact'
import { useState } from 'preact/hooks'
import type { Resource } from '../../lib/api.ts'
import { button } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import type { Stay } from '../../lib/resources.ts'
import { CheckInTogether } from './check-in-together.ts'
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

/** A button on a sheet that checks in the expected stays of its booking. */
export function OfBooking({ stays, included, changed }: OfBookingOptions): View {
  const [isOpen, open] = useState(false)
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
