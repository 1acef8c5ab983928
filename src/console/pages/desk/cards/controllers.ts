import { h } from 'preact'
import { useState } from 'preact/hooks'
import { Choice } from '../../lib/controls/controls.ts'
import type { View } from '../../lib/controls/el.ts'
import { getList, type Resource } from '../../lib/server/api.ts'
import { type Reading, useRead } from '../../lib/server/read.ts'
import type { Controller } from '../../lib/server/resources.ts'
import { cardTexts } from './texts.ts'

/** The encoders and dispensers that make keys, and whether each is ready. */
export function useControllers(): Reading<Resource<Controller>[]> {
  return useRead(
    'controllers',
    async (signal) =>
      (await getList<Controller>('/api/v2/access/controllers?page[size]=100', { signal })).data,
    ['controller.', 'dispenser.', 'access-controller.'],
  )
}

const kept = 'nightporter.encoder'

/**
 * The encoder of this browser: the one that was chosen last, otherwise the first ready one. `choose` stores a choice.
 */
export function useOwnController(all: readonly Resource<Controller>[]) {
  const [id, setId] = useState(localStorage.getItem(kept))
  const own = all.find((each) => each.id === id)
  const chosen = own ?? all.find(({ attributes }) => attributes.isReady) ?? all[0] ?? null
  return {
    chosen,
    choose(wanted: string) {
      localStorage.setItem(kept, wanted)
      setId(wanted)
    },
  }
}

/** The choice of the encoder or dispenser. `none` is the text for "no card". */
export function ControllerChoice(options: {
  all: readonly Resource<Controller>[]
  value: string
  none?: string
  choose: (id: string) => void
}): View {
  const { all, value, none, choose } = options
  const names = all.map(({ id, attributes: { name, isReady } }) => {
    const text = isReady ? name : `${name} (${cardTexts.value.notReady})`
    return [id, text] as const
  })
  return h(Choice, {
    label: cardTexts.value.cardAt,
    value,
    choices: none === undefined ? names : [...names, ['', none] as const],
    onChange: choose,
  })
}

/** Returns the part of a card order that names the encoder or dispenser. */
export function placeOf(controller: Resource<Controller>) {
  const { name, dispenserId } = controller.attributes
  return {
    controllerId: controller.id,
    controllerName: name,
    hasDispenser: dispenserId !== null,
    takesNextCard: takesNextCard(controller),
  }
}

/**
 * Whether a card is followed by the next one without a word of the clerk. A dispenser feeds it, and an encoder of the box waits for
 * another card. An encoder of a lock system writes over the card that lies there still.
 */
export const takesNextCard = ({ attributes }: Resource<Controller>): boolean =>
  attributes.dispenserId !== null || attributes.cardFormats !== null || attributes.keyType !== 'keyCard'
