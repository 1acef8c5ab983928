import { el, type View } from './el.ts'

/** A list of buttons of which one is selected, each with the number of its items. */
export function tabs<V extends string>(
  name: string,
  chosen: V,
  all: readonly (readonly [value: V, text: string, count: string | null])[],
  choose: (value: V) => void,
): View {
  return el.div(
    { class: 'tabs', role: 'group', 'aria-label': name },
    all.map(([value, text, count]) =>
      el.button(
        { key: value, type: 'button', 'aria-pressed': value === chosen, onClick: () => choose(value) },
        text,
        // With the space, a screen reader says text and number as two words.
        count !== null && [' ', el.span({ class: 'count' }, count)],
      ),
    ),
  )
}
