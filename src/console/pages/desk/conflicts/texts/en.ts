/** The texts of this screen. */
export const en = {
  title: 'PMS conflicts',
  open: 'Open',
  done: 'Decided',
  none: 'House and PMS agree.',
  noneDone: 'Nothing has been decided yet.',
  house: 'House',
  pms: 'PMS',
  counts: 'counts',
  keep: (side: string) => `Keep ${side}`,
  take: (side: string) => `Take ${side}`,
  accept: 'Keep what counts',
  other: 'Take the other side',
  guest: 'Guest',
  next: 'Next conflict',
  previous: 'Previous conflict',
  groups: {
    dates: 'Dates',
    guests: 'Guests',
    rates: 'Price',
    services: 'Services',
    units: 'Room',
    comments: 'Comments',
    status: 'Status',
    payments: 'Payments',
  },
  states: {
    open: 'open',
    accepted: 'kept',
    reversed: 'other side taken',
    settled: 'settled by itself',
  },
}

export type ConflictTexts = typeof en
