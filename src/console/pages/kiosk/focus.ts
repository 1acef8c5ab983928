// Makes the pages work with a keypad (Tab, arrows, Enter): an arrow moves the focus to the nearest control in its
// direction.

const controls = 'button:not(:disabled), input:not(:disabled), a[href]'

const directions: Record<string, readonly [right: number, down: number]> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
}

/** The arrow keys of a keypad move the focus from one button to the next. */
export function moveFocusByArrows(): void {
  addEventListener('keydown', (event) => {
    const direction = directions[event.key]
    if (!direction || event.defaultPrevented) return
    // In a text field, left and right move the text cursor.
    if (event.target instanceof HTMLInputElement && direction[1] === 0) return
    event.preventDefault()
    nearest(direction)?.focus()
  })
}

function nearest([right, down]: readonly [number, number]): HTMLElement | null {
  const scope = document.querySelector<HTMLElement>('dialog[open]') ?? document.body
  const all = [...scope.querySelectorAll<HTMLElement>(controls)].filter((each) => each.checkVisibility())
  const from = document.activeElement
  if (!(from instanceof HTMLElement) || !all.includes(from)) return all[0] ?? null
  const start = middleOf(from)
  let best: HTMLElement | null = null
  let shortest = Number.POSITIVE_INFINITY
  for (const each of all) {
    const to = middleOf(each)
    const [along, across] =
      right === 0 ? [(to.y - start.y) * down, to.x - start.x] : [(to.x - start.x) * right, to.y - start.y]
    // A control outside the row or column counts as farther away, so that the focus stays in its row or column.
    const distance = along + 3 * Math.abs(across)
    if (along <= 1 || distance >= shortest) continue
    best = each
    shortest = distance
  }
  return best
}

function middleOf(element: HTMLElement) {
  const { x, y, width, height } = element.getBoundingClientRect()
  return { x: x + width / 2, y: y + height / 2 }
}
