import { useId } from 'preact/hooks'
import { chip } from '../../lib/controls/controls.ts'
import { classes, el, type View } from '../../lib/controls/el.ts'
import { priceText } from '../../lib/language/format.ts'
import type { Offer } from './offers.ts'
import { t } from './texts.ts'

interface TypeChoiceOptions {
  offers: readonly Offer[]
  currency: string
  persons: number
  value: string | null
  choose: (id: string) => void
}

/** The room types, each with the number of rooms left and its last price. */
export function TypeChoice({ offers, currency, persons, value, choose }: TypeChoiceOptions): View {
  const name = useId()
  return el.fieldset(
    { class: 'offers' },
    el.legend(null, t.value.type),
    offers.length > 0 && offers.every(({ left }) => left === 0) && el.p(null, t.value.allSoldOut),
    offers.map(({ type: { id, attributes }, left, nightly }) => {
      const most = attributes.maxOccupancy
      return el.label(
        { key: id, class: classes('offer', id === value && 'chosen') },
        el.input({
          type: 'radio',
          name,
          value: id,
          checked: id === value,
          disabled: left === 0 && id !== value,
          onChange: () => choose(id),
        }),
        el.span(null, el.strong(null, attributes.code), ` ${attributes.name}`),
        left === 0 ? chip('error', t.value.soldOut, 'cross') : el.span(null, t.value.left(left)),
        nightly !== null && el.span({ class: 'quiet' }, t.value.aNight(priceText(nightly, currency))),
        most !== null && most < persons && chip('warning', t.value.tooMany(most)),
      )
    }),
  )
}
