import { plural } from '../../lib/format.ts'
import { translated } from '../../lib/language.ts'

/** The English texts of the screen Today. */
const en = {
  title: 'Today',
  day: 'Day',
  dayBefore: 'Day before',
  dayAfter: 'Day after',
  nobodyThen: 'Nobody on this day.',
  freeRooms: 'Free rooms',
  arrivals: 'Arrivals',
  inHouse: 'In house',
  departures: 'Departures',
  toGiveBack: 'To give back',
  nobodyArrives: 'Nobody else arrives today.',
  tomorrow: (count: number) => plural(count, { one: '1 more tomorrow.', other: `${count} more tomorrow.` }),
  nobodyInHouse: 'Nobody is in house.',
  nobodyLeaves: 'Nobody else leaves today.',
  nothingToGiveBack: 'Nothing is to be given back.',
  noneOfThese: 'Nobody here is like this.',
  showAll: 'Show all',
  guest: 'Guest',
  number: 'Number',
  room: 'Room',
  type: 'Type',
  arrives: 'Arrives',
  leaves: 'Leaves',
  notes: 'Notes',
  show: 'Open',
  stay: 'Stay',
  toPay: 'To pay',
  state: 'State',
  action: 'Next step',
  noRoom: 'no room',
  paid: 'paid',
  late: (date: string) => `was due ${date}`,
  next: 'Next guest',
  previous: 'Previous guest',
  open: 'Open the guest',
  andMore: (shown: number) => `The first ${shown} are shown. Use the search for the others.`,
  filter: 'Only',
  filters: { noRoom: 'No room', toPay: 'To pay', conflict: 'PMS conflict', notReady: 'Room not ready' },
  ready: 'ready',
  noKey: 'no key',
  conflict: 'PMS conflict',
  changedByPms: (time: string) => `changed by the PMS ${time}`,
  checkIn: 'Check in',
  checkOut: 'Check out',
  assign: 'Assign',
  decide: 'Decide',
  selectSeveral: 'Select several',
  selectGuest: 'Select the guest',
  selection: 'Select',
  assignAll: 'Assign all rooms',
  assigned: (count: number) =>
    plural(count, { one: '1 stay has a room now.', other: `${count} stays have a room now.` }),
  unassigned: (count: number) =>
    plural(count, { one: '1 stay is without a room:', other: `${count} stays are without a room:` }),
  print: 'Print the arrivals',
  printCut: (shown: string, all: string) => `Only ${shown} of ${all} are on this list.`,
  noShow: 'No-show',
  close: 'Close',
}

export type TodayTexts = typeof en

/** The texts of the screen Today, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
