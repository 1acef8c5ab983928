/** How a screen ends on which nothing happens. */
export interface Limit {
  /** The time without progress: a touch where the guest acts, another screen where the box works. */
  seconds: number
  /**
   * `ask`: the guest is asked for more time, and the visit ends without an answer. `leave`: the next guest begins. `recover`: the
   * box is asked what became of the payment or the card that is under way, and the visit goes on with it.
   */
  ends: 'ask' | 'leave' | 'recover'
}

/** The time to answer the question. The guest may extend the visit as often as needed. */
export const questionSeconds = 30

const guestActs: Limit = { seconds: 45, ends: 'ask' }
const boxWorks: Limit = { seconds: 120, ends: 'recover' }

/** Every screen ends, within two minutes without progress. */
export const limits = {
  // The next guest begins in the first language, without the help of the last one.
  welcome: { seconds: 45, ends: 'leave' },
  number: guestActs,
  name: guestActs,
  onFile: guestActs,
  searching: guestActs,
  choose: guestActs,
  greeting: guestActs,
  detail: guestActs,
  registration: guestActs,
  pay: guestActs,
  paying: boxWorks,
  'another-card': guestActs,
  'check-out': guestActs,
  // The box takes a card for a minute.
  'card-back': { seconds: 90, ends: 'ask' },
  'how-many': guestActs,
  working: boxWorks,
  'take-card': boxWorks,
  'not-taken': guestActs,
  room: { seconds: 30, ends: 'leave' },
  'checked-out': { seconds: 30, ends: 'leave' },
  // A person may be on the way.
  sentence: { seconds: 90, ends: 'ask' },
} satisfies Record<string, Limit>

/** The page is loaded anew when it has not looked at the box for this time. */
export const silentSeconds = 120
