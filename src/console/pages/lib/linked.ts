import type { ComponentChildren } from 'preact'
import { el } from './el.ts'
import { screensIn } from './message.ts'

/** A text of the box, in which each address of a screen is a link. */
export const linked = (text: string | null): ComponentChildren =>
  text && screensIn(text).map((part, at) => (at % 2 === 1 ? el.a({ key: at, href: part }, part) : part))
