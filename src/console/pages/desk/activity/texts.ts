import { translated } from '../../lib/language/language.ts'

/** The English texts of the activity of the house. */
const en = {
  title: 'Activity',
  time: 'Time',
  who: 'Who',
  what: 'What happened',
  about: 'Guest, room',
  person: 'Person',
  everybody: 'Everybody',
  allRooms: 'All rooms',
  day: 'Day',
  newer: 'Newer',
  older: 'Older',
  none: 'Nothing here.',
  roomStatus: 'Room status',
  blocked: (dates: string) => `Blocked: ${dates}`,
  unblocked: (dates: string) => `Block ended: ${dates}`,
  box: 'The box',
  bounded: 'Of a room, the newest stays with their keys and payments are searched.',
}

export type ActivityTexts = typeof en

/** The texts of the activity of the house, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
