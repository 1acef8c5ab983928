/** The texts of this screen. */
export const en = {
  title: 'Keys that may open',
  meaning: 'These cards and PINs should open nothing any more, but nobody has proven it yet.',
  none: 'Every card that should be dead is proven dead.',
  until: (time: string) => `may open until ${time}`,
  whatToDo: 'What to do:',
  noNewer: 'No card of this room opens now. Make one for its next guest first, or erase the old card.',
  itOpened: 'The new card opened this door',
  card: (start: string) => `card ${start}…`,
  pin: 'PIN',
  validUntil: (time: string) => `made to open until ${time}`,
  status: (status: string) =>
    ({
      blocked: 'lost',
      superseded: 'replaced',
      expired: 'over',
      revocationPending: 'revoked, not confirmed',
      invalidated: 'revoked',
      unknown: 'not known',
    })[status] ?? status,
  guest: 'Guest',
  next: 'Next room',
  previous: 'Previous room',
  open: 'Open',
}

export type OlderKeyTexts = typeof en
