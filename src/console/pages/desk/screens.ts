import type { ComponentType } from 'preact'
import type { IconName } from '../lib/icons.ts'
import { isDemo, may } from '../lib/session.ts'
import { ConflictsScreen } from './conflicts/conflicts.ts'
import { DevicesScreen } from './devices/devices.ts'
import { LobbyScreen } from './lobby/lobby.ts'
import { OlderKeysScreen } from './older-keys/older-keys.ts'
import { RackScreen } from './rack/rack.ts'
import { RoomsScreen } from './rooms/rooms.ts'
import type { DeskTexts } from './texts/en.ts'
import { Today } from './today/today.ts'
import { WalkIn } from './walk-in/walk-in.ts'

export interface Screen {
  /** The word in the address, `#/today`. */
  path: string
  name: keyof DeskTexts['screens']
  icon: IconName
  /** After `g`, this letter goes to the screen. */
  letter: string
  /** The letter goes there without `g` as well. */
  isDirect?: boolean
  /** The scope without which the screen shows nothing. */
  scope: string
  /** Only the demo hotel has it. */
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
    component: RackScreen,
  },
  {
    path: 'walk-in',
    name: 'walkIn',
    icon: 'walkin',
    letter: 'w',
    isDirect: true,
    scope: 'reservations.write',
    component: WalkIn,
  },
  { path: 'rooms', name: 'rooms', icon: 'rooms', letter: 'h', scope: 'units.read', component: RoomsScreen },
  { path: 'keys', name: 'keys', icon: 'key', letter: 'k', scope: 'keys.read', component: OlderKeysScreen },
  {
    path: 'devices',
    name: 'devices',
    icon: 'devices',
    letter: 'd',
    scope: 'devices.read',
    component: DevicesScreen,
  },
  {
    path: 'conflicts',
    name: 'conflicts',
    icon: 'conflict',
    letter: 'p',
    scope: 'sync-conflicts.read',
    component: ConflictsScreen,
  },
  {
    path: 'lobby',
    name: 'lobby',
    icon: 'card',
    letter: 'y',
    scope: 'simulate.run',
    isDemo: true,
    component: LobbyScreen,
  },
]

/** The screens that the session may see, in the order of the navigation. */
export const screens = () => all.filter((each) => may(each.scope) && (!each.isDemo || isDemo.value))
