import { plural } from '../../lib/language/format.ts'
import { translated } from '../../lib/language/language.ts'

/** The English texts of this screen. */
const en = {
  notCounted: 'The free rooms cannot be counted now. The rooms and their guests are as shown.',
  title: 'Room rack',
  room: 'Room',
  today: 'Today',
  weekBefore: 'Week before',
  weekAfter: 'Week after',
  earlier: 'Earlier in this room',
  later: 'Later in this room',
  roomAbove: 'Room above',
  roomBelow: 'Room below',
  noRooms: 'No rooms yet.',
  toSetup: 'Make them in the set-up',
  noRoom: 'no room',
  withoutRoom: (count: number) => `Without a room: ${count}`,
  freeRooms: 'Free rooms',
  occupied: 'Occupied',
  free: (count: number) => `${count} free`,
  andMore: 'There are more stays than this page shows.',
  newBooking: 'New booking',
  bookHint: 'Click an empty night to book it, or drag over several nights.',
  arrival: 'Arrival',
  book: 'Book',
  nightMore: 'One night more',
  nightLess: 'One night less',
  close: 'Close',
  cell: (room: string, day: string, nights: number) =>
    plural(nights, {
      one: `New booking: ${room}, ${day}, 1 night`,
      other: `New booking: ${room}, ${day}, ${nights} nights`,
    }),
  moveChosen: 'Move to another room',
  move: (guest: string) => `Another room for ${guest}`,
  toRoom: 'New room',
  moveTo: (room: string) => `Move to ${room}`,
  nothingFree: 'No other room is free for the whole stay.',
  keyIsOut: 'A key is out: the guest needs a new card. Move the guest on their sheet.',
  openSheet: 'Open the guest',
  cancel: 'Cancel',
  isTried: 'Asking the box whether this can be done …',
  consequence: (from: string, to: string) =>
    `The stay moves from ${from} to ${to}. No key is out, so no card changes.`,
  otherType: (from: string, to: string) =>
    `The type changes from ${from} to ${to}. The price stays as it is.`,
  roomIs: (room: string, status: string) => `Room ${room} now: ${status}.`,
}

export type RackTexts = typeof en

/** The texts of this screen, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
