import { h } from 'preact'
import { useState } from 'preact/hooks'
import { Choice } from '../../lib/controls/controls.ts'
import { may } from '../../lib/server/session.ts'
import { ControllerChoice, useControllers, useOwnController } from '../cards/controllers.ts'
import { orderFirstCards } from './order-cards.ts'
import type { ShownStay } from './stay.ts'
import { g } from './texts.ts'

/**
 * The cards of an arriving guest: where they are made and how many, the fields for it, and their order. `isWithout`: none is
 * made unless the clerk says so.
 */
export function useFirstCards(isWithout = false) {
  const controllers = useControllers().data ?? []
  const { chosen, choose } = useOwnController(controllers)
  const [isWithoutCard, setWithoutCard] = useState(isWithout)
  const [count, setCount] = useState('1')
  const place = isWithoutCard ? null : chosen
  const fields = () => [
    h(ControllerChoice, {
      all: controllers,
      value: place?.id ?? '',
      none: g.value.noCardNow,
      choose: (id) => {
        setWithoutCard(id === '')
        if (id !== '') choose(id)
      },
    }),
    place !== null &&
      h(Choice, {
        label: g.value.cards,
        value: count,
        choices: ['1', '2', '3', '4'].map((each) => [each, each] as const),
        onChange: setCount,
      }),
  ]
  return {
    /** The encoder or dispenser; null where no card is made. */
    place,
    count,
    /** Null in a house without encoder and dispenser. */
    fields: controllers.length === 0 ? null : fields(),
    /** Orders them of a stay in house, if they are wanted and the clerk may. */
    async order(read: () => Promise<ShownStay>): Promise<void> {
      if (place === null || !may('keys.issue')) return
      void orderFirstCards(await read(), place, Number(count))
      setCount('1')
    },
  }
}
