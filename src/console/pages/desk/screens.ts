import type { ComponentType } from 'preact'
import type { IconName } from '../lib/controls/icons.ts'
import { later } from '../lib/controls/later.ts'
import { isDemo, may } from '../lib/server/session.ts'
import type { DeskTexts } from './texts.ts'
import { Today } from './today/today.ts'

export interface Screen {
  /** The word in the address, `#/today`. */
  path: string
  name: keyof DeskTexts['screens']
  icon: IconName
  /** The letter that opens the screen after `g`. */
  letter: string
  /** Whether the letter opens the screen without `g` too. */
  isDirect?: boolean
  /** The scope that the screen requires. */
  scope: string
  /** Only the demo hotel has this screen. */
  isDemo?: true
  component: ComponentType
}

const all: readonly Screen[] = [
  {
    path: 'today',
    name: 'today',
    icon: 'today',
    letter: 't',
    scope: 'reservations.read',
    component: Today,
  },
  {
    path: 'rack',
    name: 'rack',
    icon: 'rack',
    letter: 'r',
    scope: 'availability.read',
    component: later(async () => (await import('./rack/rack.ts')).RackScreen),
  },
  {
    path: 'walk-in',
    name: 'walkIn',
    icon: 'walkin',
    letter: 'w',
    isDirect: true,
    scope: 'reservations.write',
    component: later(async () => (await import('./walk-in/walk-in.ts')).WalkIn),
  },
  {
    path: 'rooms',
    name: 'rooms',
    icon: 'rooms',
    letter: 'h',
    scope: 'units.read',
    component: later(async () => (await import('./rooms/rooms.ts')).RoomsScreen),
  },
  {
    path: 'keys',
    name: 'keys',
    icon: 'key',
    letter: 'k',
    scope: 'keys.read',
    component: later(async () => (await import('./older-keys/older-keys.ts')).OlderKeysScreen),
  },
  {
    path: 'devices',
    name: 'devices',
    icon: 'devices',
    letter: 'd',
    scope: 'devices.read',
    component: later(async () => (await import('./devices/devices.ts')).DevicesScreen),
  },
  {
    path: 'conflicts',
    name: 'conflicts',
    icon: 'conflict',
    letter: 'p',
    scope: 'sync-conflicts.read',
    component: later(async () => (await import('./conflicts/conflicts.ts')).ConflictsScreen),
  },
  {
    path: 'activity',
    name: 'activity',
    icon: 'clock',
    letter: 'a',
    scope: 'events.read',
    component: later(async () => (await import('./activity/activity.ts')).ActivityScreen),
  },
  {
    path: 'lobby',
    name: 'lobby',
    icon: 'card',
    letter: 'y',
    scope: 'simulate.run',
    isDemo: true,
    component: later(async () => (await import('./lobby/lobby.ts')).LobbyScreen),
  },
]

/** The screens that the session may see, in the order of the navigation. */
export const screens = () => all.filter((each) => may(each.scope) && (!each.isDemo || isDemo.value))
