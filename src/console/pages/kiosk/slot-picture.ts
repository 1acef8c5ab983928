import { el, type View } from '../lib/el.ts'

/** The payment terminal beside the screen, and the way to it. */
export function terminalPicture(): View {
  return el.svg(
    { class: 'slot', viewBox: '0 0 200 120', 'aria-hidden': true },
    el.path({ d: 'M10 60h70m-18-16l18 16l-18 16', class: 'arrow' }),
    el.rect({ x: 110, y: 8, width: 66, height: 104, rx: 8, class: 'machine' }),
    el.rect({ x: 120, y: 18, width: 46, height: 30, rx: 4, class: 'card' }),
  )
}

/** A card that comes out of the slot. */
export function slotPicture(): View {
  return el.svg(
    { class: 'slot', viewBox: '0 0 200 120', 'aria-hidden': true },
    el.rect({ x: 10, y: 12, width: 180, height: 22, rx: 6, class: 'machine' }),
    el.rect({ x: 45, y: 24, width: 110, height: 70, rx: 8, class: 'card' }),
    el.path({ d: 'M100 100v14m-8-8l8 8l8-8', class: 'arrow' }),
  )
}
