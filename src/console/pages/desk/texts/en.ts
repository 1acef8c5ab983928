import { plural } from '../../lib/format.ts'

/** The texts of the front desk. */
export const en = {
  screens: {
    today: 'Today',
    rack: 'Room rack',
    rooms: 'Rooms',
    keys: 'Keys that may open',
    devices: 'Devices',
    conflicts: 'PMS conflicts',
    walkIn: 'Walk-in',
  },
  frame: {
    screens: 'Screens',
    search: 'Search',
    live: 'Line to the box: live',
    noLine: 'No line to the box',
    lock: 'Lock',
    keysHelp: 'Keys of the keyboard',
    letters: 'Single letters are shortcuts',
    notAllowed: 'Your role does not show this page.',
    soon: 'There is no such screen.',
    skip: 'To the content',
  },
  today: {
    arrivals: 'Arrivals',
    inHouse: 'In house',
    departures: 'Departures',
    nobodyArrives: 'Nobody else arrives today.',
    nobodyInHouse: 'Nobody is in house.',
    nobodyLeaves: 'Nobody else leaves today.',
    guest: 'Guest',
    number: 'Number',
    room: 'Room',
    stay: 'Stay',
    toPay: 'To pay',
    state: 'State',
    noRoom: 'no room',
    nights: (count: number) => plural(count, { one: '1 night', other: `${count} nights` }),
    persons: (count: number) => plural(count, { one: '1 person', other: `${count} persons` }),
    paid: 'paid',
    late: (date: string) => `was due ${date}`,
    next: 'Next guest',
    previous: 'Previous guest',
    open: 'Open the guest',
    andMore: 'There are more. Use the search.',
  },
}

export type DeskTexts = typeof en
