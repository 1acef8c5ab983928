import { h } from 'preact'
import { useState } from 'preact/hooks'
import { get, type Resource } from '../../lib/api.ts'
import { Choice } from '../../lib/controls.ts'
import type { View } from '../../lib/el.ts'
import { type Reading, useRead } from '../../lib/read.ts'
import type { Controller } from '../../lib/resources.ts'
import { g } from './texts.ts'

/** The encoders and dispensers that make keys, and whether each is ready. */
export function useControllers(): Reading<Resource<Controller>[]> {
  return useRead(
    'controllers',
    async (signal) =>
      (await get<Resource<Controller>[]>('/api/v2/access/controllers?page[size]=100', { signal })).data,
    ['controller.', 'dispenser.', 'access-controller.'],
  )
}

const kept = 'nightporter.encoder'

/**
 * The encoder that this browser uses: the one that was chosen last, else the first that is ready. `choose` keeps a choice.
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

/** A choice of the place where the card comes from. `none` is the text for no card at all. */
export function ControllerChoice(options: {
  all: readonly Resource<Controller>[]
  value: string
  none?: string
  choose: (id: string) => void
}): View {
  const { all, value, none, choose } = options
  const names = all.map(({ id, attributes: { name, isReady } }) => {
    const text = isReady ? name : `${name} (${g.value.notReady})`
    return [id, text] as const
  })
  return h(Choice, {
    label: g.value.cardAt,
    value,
    choices: none === undefined ? names : [...names, ['', none] as const],
    onChange: choose,
  })
}

/** What an order of a card says about the place where it is made. */
export function placeOf({ id, attributes }: Resource<Controller>) {
  const { name, dispenserId } = attributes
  return { controllerId: id, controllerName: name, hasDispenser: dispenserId !== null }
}
