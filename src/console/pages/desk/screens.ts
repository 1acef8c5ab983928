import type { ComponentType } from 'preact'
import type { IconName } from '../lib/icons.ts'
import { may } from '../lib/session.ts'
import type { DeskTexts } from './texts/en.ts'
import { Today } from './today.ts'

export interface Screen {
  /** The word in the address, `#/today`. */
  path: string
  name: keyof DeskTexts['screens']
  icon: IconName
  /** After `g`, this letter goes to the screen. */
  letter: string
  /** The scope without which the screen shows nothing. */
  scope: string
  component: ComponentType
}

const all: readonly Screen[] = [
  { path: 'today', name: 'today', icon: 'today', letter: 't', scope: 'reservations.read', component: Today },
]

/** The screens that the session may see, in the order of the navigation. */
export const screens = () => all.filter(({ scope }) => may(scope))
