import { plural } from '../../../lib/format.ts'

/** The texts of this screen. */
export const en = {
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
  changed: (names: string) => `Changed: ${names}.`,
  undo: 'Take back',
  status: {
    Dirty: 'Dirty',
    Cleaning: 'Being cleaned',
    Clean: 'Clean',
    Inspected: 'Inspected',
    OutOfService: 'Out of service',
    OutOfOrder: 'Out of order',
  },
}

export type RoomTexts = typeof en
