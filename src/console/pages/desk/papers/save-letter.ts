import { render } from 'preact'
import type { View } from '../../lib/controls/el.ts'
import { type Letter, letterText } from './letter.ts'

/** The mail programs do not have the styles of the desk. */
const style =
  'body{font-family:sans-serif}table{border-collapse:collapse;margin:1em 0}th,td{padding:.3em 1em;border-bottom:1px solid;text-align:start;overflow-wrap:anywhere}'

/** Gives a letter with a page to the browser as a file, which the mail program of the computer opens. */
export function saveLetter(letter: Letter, page: View, download: string): void {
  const body = document.createElement('div')
  render(page, body)
  // A letter is not printed here, and its reader does not know the staff.
  body.querySelector('.printed')?.remove()
  const html = `<!doctype html><html><head><meta charset="utf-8"><style>${style}</style></head><body>${body.innerHTML}</body></html>`
  render(null, body)
  const href = URL.createObjectURL(new Blob([letterText(letter, html)], { type: 'message/rfc822' }))
  Object.assign(document.createElement('a'), { href, download }).click()
  // The browser has its own copy once the download has begun.
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
