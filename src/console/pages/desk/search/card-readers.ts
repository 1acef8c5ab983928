import { button, notice } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import type { Task } from '../../lib/controls/task.ts'
import type { Resource } from '../../lib/server/api.ts'
import type { Controller } from '../../lib/server/resources.ts'
import { t } from './texts.ts'

/** A button for each encoder, and what to do while one of them reads a card: the task that has the id of the encoder. */
export function cardReaders(
  encoders: readonly Resource<Controller>[],
  task: Task,
  read: (encoder: Resource<Controller>) => void,
): View {
  const reading = encoders.find(({ id }) => id === task.busy)?.attributes
  return el.div(
    { class: 'stack' },
    el.div(
      { class: 'row' },
      encoders.map((each) =>
        button(t.value.readCard(each.attributes.name), {
          onClick: () => read(each),
          icon: 'card',
          ...task.of(each.id),
        }),
      ),
    ),
    reading && el.p(null, reading.dispenserId === null ? t.value.lay(reading.name) : t.value.reading),
    task.refusal && notice('error', task.refusal),
  )
}
