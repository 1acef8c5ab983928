import { signal } from '@preact/signals'

/** The place of a page: the screen and its arguments, from an address such as `#/stay/0190.../keys?week=2`. */
export interface Place {
  screen: string
  parts: readonly string[]
  query: URLSearchParams
}

export const place = signal(here())
addEventListener('hashchange', () => {
  place.value = here()
})

function here(): Place {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  const [screen = '', ...parts] = path.split('/').map(decodeURIComponent)
  return { screen, parts, query: new URLSearchParams(query) }
}

/** The address of a screen, for a link. */
export function linkTo(screen: string, ...parts: string[]): string {
  return `#/${[screen, ...parts].map(encodeURIComponent).join('/')}`
}

/** Opens a screen. With `isReplacing`, the browser's Back button skips the present one. */
export function goTo(screen: string, parts: readonly string[] = [], isReplacing = false): void {
  const to = linkTo(screen, ...parts)
  if (isReplacing) {
    history.replaceState(null, '', to)
    place.value = here()
  } else location.hash = to
}

/** Opens the sheet of a stay; does nothing without one. */
export function openStay(id: string | null | undefined): void {
  if (id) goTo('stay', [id])
}
