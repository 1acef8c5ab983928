/** What a guest does on each page of the kiosk, and at the steps between them. */
const doing = {
  welcome: 'start',
  number: 'search',
  name: 'search',
  'on-file': 'search',
  searching: 'search',
  choose: 'booking',
  greeting: 'booking',
  registration: 'registration',
  detail: 'booking',
  details: 'booking',
  room: 'booking',
  pay: 'payment',
  paying: 'payment',
  'another-card': 'card',
  'how-many': 'card',
  'check-out': 'check-out',
  'card-back': 'check-out',
  'not-taken': 'card',
} as const

/** What a guest does at the kiosk. */
export type Doing = (typeof doing)[keyof typeof doing]

/** Returns what a guest does at a step of the kiosk; null for a step that only another kiosk has. */
export function doingAt(step: string | null | undefined): Doing | null {
  return Object.hasOwn(doing, step ?? '') ? doing[step as keyof typeof doing] : null
}
