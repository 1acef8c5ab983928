import type { ComponentChildren } from 'preact'
import { screensIn } from '../server/message.ts'
import { el } from './el.ts'

/** A text of the box, in which each address of a screen is a link. */
export const linked = (text: string | null): ComponentChildren =>
  text && screensIn(text).map((part, at) => (at % 2 === 1 ? el.a({ key: at, href: part }, part) : part))
