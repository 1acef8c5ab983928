import { h } from 'preact'
import type { Resource } from '../../lib/api.ts'
import { Choice } from '../../lib/controls.ts'
import type { Controller } from '../../lib/resources.ts'
import { ControllerChoice } from '../cards/controllers.ts'
import { g } from './texts.ts'

interface CardFields {
  controllers: readonly Resource<Controller>[]
  /** The id of the chosen encoder or dispenser; empty for no card. */
  value: string
  choose: (id: string) => void
  /** How many cards are made. */
  count: string
  setCount: (count: string) => void
}

/** Where the cards of an arriving guest are made, and how many; the number only where one is made. */
export function cardFields({ controllers, value, choose, count, setCount }: CardFields) {
  return [
    h(ControllerChoice, { all: controllers, value, none: g.value.noCardNow, choose }),
    value !== '' &&
      h(Choice, {
        label: g.value.cards,
        value: count,
        choices: ['1', '2', '3', '4'].map((each) => [each, each] as const),
        onChange: setCount,
      }),
  ]
}
