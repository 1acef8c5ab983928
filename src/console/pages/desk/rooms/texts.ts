import { plural } from '../../lib/language/format.ts'
import { translated } from '../../lib/language/language.ts'

/** The English texts of this screen. */
const en = {
  title: 'Rooms',
  none: 'No rooms yet. Make them in the set-up.',
  howTo:
    'Choose rooms, then their new status. Out of service: not given to guests. Out of order: not sold either.',
  noneOfThese: 'No room is like that.',
  all: 'All',
  allFloors: 'All floors',
  floor: (name: string) => `Floor ${name}`,
  byStatus: 'By status',
  byFloor: 'By floor',
  arrivesToday: 'Arrival today',
  leavesToday: 'Leaves today',
  occupied: 'Guest in house',
  setStatus: 'New status',
  chosen: (count: number) => plural(count, { one: '1 room chosen', other: `${count} rooms chosen` }),
  chooseNone: 'Choose none',
  next: 'Next room',
  previous: 'Previous room',
  open: 'Choose the room',
  changed: (names: string) => `Changed: ${names}.`,
  undo: 'Take back',
  block: 'Block for dates',
  blockTitle: (rooms: string) => `Block for dates: ${rooms}`,
  blockWhy: 'On these days the room is neither sold nor given to a guest. The last day is included.',
  firstDay: 'First day',
  lastDay: 'Last day',
  badDays: 'The last day is before the first.',
  reason: 'Reason',
  expectedUntil: 'Expected until',
  untilWhy: 'The last day. Empty: not known. The room stays out of order until its status is changed.',
  pastDay: 'The day is over already.',
  blockedFrom: (from: string, until: string) => `blocked ${from} – ${until}`,
  unblock: 'Unblock',
  makeStaffCard: 'Card for the staff',
  staffCard: (room: string) => `Card for the staff: room ${room}`,
  staffCardWhy:
    'This card opens the room once, for a repair or an inspection. It belongs to no guest and ends no other card.',
  staffCardOccupied:
    'A guest is in this room. While a card of the guest opens it, the box makes no card for the staff: go there with the guest.',
  howLong: 'The card can be used for',
  minutes: (minutes: number) => {
    const count = minutes < 60 ? minutes : minutes / 60
    return minutes < 60 ? `${count} minutes` : plural(count, { one: '1 hour', other: `${count} hours` })
  },
  staff: 'Staff',
  noEncoder: 'There is no encoder or dispenser for cards.',
}

export type RoomTexts = typeof en

/** The texts of this screen, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
