import type { Signal } from '@preact/signals'
import type { View } from '../lib/controls/el.ts'
import type { Found } from './box.ts'
import type { Row } from './failures.ts'
import type { Said as Values } from './texts.ts'

/** The pages of a visit. */
export type Screen =
  | { name: 'welcome' }
  | { name: 'number' }
  | { name: 'name' }
  | { name: 'onFile' }
  /** The search takes long, or is repeated. `choice`: the guest may wait on, or go to the desk. */
  | { name: 'searching'; choice: null | { waitOn(): void } }
  | { name: 'choose'; found: readonly Found[] }
  | { name: 'greeting'; found: Found }
  | { name: 'detail'; detail: 'email' | 'phone'; found: Found; isRefused: boolean }
  /** What the house asks of each guest. `draw` comes from a script that is loaded late. */
  | { name: 'registration'; found: Found; draw(): View }
  /** The guests who share a room say how many cards they want. `most`: one for each adult. */
  | { name: 'how-many'; found: Found; most: number }
  /** `isCanceled`: the guest has canceled a payment at the terminal. */
  | { name: 'pay'; amount: string; found: Found; isCanceled: boolean }
  /** The guest is at the payment terminal. */
  /** `until`: when the terminal ends the payment, Unix milliseconds by the clock of the box. */
  | { name: 'paying'; amount: string; until: number; cancellation: Cancellation }
  | { name: 'another-card'; found: Found }
  /** A guest in house is asked whether to check out. */
  | { name: 'check-out'; found: Found }
  /** The guest shows or hands back the card. `draw` comes from a script that is loaded late. */
  | { name: 'card-back'; draw(): View }
  /** The guest is checked out. `draw` is given the seconds until the page closes, of how many, and the button for a receipt. */
  | { name: 'checked-out'; draw(left: number, of: number, receipt: View): View }
  /** The box is working. `row` names an unusual cause of the wait. */
  | { name: 'working'; does: 'room' | 'card' | 'card-back' | 'check-out'; row: Row | null }
  /** `deadline`: when the machine takes the card back, Unix milliseconds by the clock of the box. */
  | { name: 'take-card'; deadline: number | null; card: number; of: number }
  /** The machine took the card back. `again` makes another one. */
  | { name: 'not-taken'; again(): void }
  | { name: 'room'; found: Found; rooms: readonly RoomFacts[]; missing: Missing | null }
  /** `code`: for the front desk; null while there is none, and empty when the box gives none. */
  | { name: 'sentence'; row: Row; said: Values; code: string | null }

/** How a guest cancels a payment while the terminal waits for the card. */
export interface Cancellation {
  /** `refused`: the terminal did not end the payment, and the guest may try again. */
  state: Signal<'none' | 'asked' | 'refused'>
  ask(): void
}

/** Why a guest has not every copy: it could not be made, or was left in the slot. */
export type Missing = 'notEveryCard' | 'copyTakenBack'

export interface RoomFacts {
  name: string
  floor: string | null
  validFrom: string
  validUntil: string
}

/** The pages after which a guest needs nothing more. They close by the clock. */
export const lastPages: readonly string[] = ['room', 'checked-out'] satisfies Screen['name'][]

/** The steps that a guest sees. */
export type Step = 'find' | 'confirm' | 'pay' | 'key'

/** The step of each screen; null where the screen belongs to the step before it. */
const stepOfScreen: Record<Screen['name'], Step | null> = {
  welcome: null,
  number: 'find',
  name: 'find',
  onFile: 'find',
  searching: 'find',
  choose: 'find',
  greeting: 'confirm',
  detail: 'confirm',
  registration: 'confirm',
  'another-card': 'confirm',
  'check-out': 'confirm',
  'card-back': 'key',
  'checked-out': 'key',
  pay: 'pay',
  paying: 'pay',
  'how-many': 'confirm',
  working: null,
  'take-card': 'key',
  'not-taken': 'key',
  room: 'key',
  sentence: null,
}

/** Returns the step of a screen; null where it belongs to the step before it: a room is assigned before the payment. */
export function stepOf(screen: Screen): Step | null {
  return screen.name === 'working' && screen.does === 'card' ? 'key' : stepOfScreen[screen.name]
}
