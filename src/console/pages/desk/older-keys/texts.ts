import { plural } from '../../lib/language/format.ts'
import { translated } from '../../lib/language/language.ts'

/** The English texts of this screen. */
const en = {
  title: 'Cards that may still open',
  meaning: 'These cards and PINs should open nothing any more, but it is not proven yet.',
  none: 'No card that was replaced, was lost or has expired opens a door that it should not open. This is proven for each of them.',
  gone: (room: string, why: string) => `${room}: ${why}`,
  proofs: {
    'card-erased': 'the card was erased.',
    'lock-acknowledged': 'the lock system has confirmed that it no longer opens this door.',
    'newer-original-used': 'a newer card has opened the door, so the lock refuses the old one.',
    'validity-over': 'its time is over, also by the clock of the lock.',
    'never-made': 'no lock has ever received it.',
  } as Record<string, string>,
  until: (time: string) => `may open until ${time}`,
  whatToDo: 'What to do:',
  renew:
    'Keep the card if the guest has given it back. Otherwise make a new first card for the guest of this room, let it open the door once, and press the button that then appears here. If the room is empty, the first card of its next guest ends the old ones.',
  noNewer: 'No card of this room opens now. Make one for its next guest first, or erase the old card.',
  itOpened: 'The new card opened this door',
  openedTitle: (room: string) => `Has the new card opened ${room}?`,
  openedWhich: (uid: string | null, time: string) =>
    `It is the newest first card of the room, made ${time}${uid ? ` (${uid})` : ''}.`,
  openedWhy:
    'Confirm it only when a person has opened the door with this card. The older cards of the room are then listed as dead.',
  card: (start: string) => `card ${start}…`,
  pin: 'PIN',
  validUntil: (time: string) => `made to open until ${time}`,
  status: (status: string) =>
    ({
      live: 'valid',
      virtual: 'not sent',
      blocked: 'lost',
      superseded: 'replaced',
      expired: 'over',
      revocationPending: 'revoked, not confirmed',
      invalidated: 'revoked',
      unknown: 'not known',
    })[status] ?? status,
  guest: 'Guest',
  asked: (count: number, next: string) =>
    plural(count, {
      one: `asked once, not confirmed; asked next at ${next}`,
      other: `asked ${count} times, not confirmed; asked next at ${next}`,
    }),
  askNow: 'Ask now',
  isOld: (room: string) => `This card is for ${room} and may still open it.`,
  isOldCommon: (room: string, doors: string) =>
    `This card is for ${room}. It no longer opens it, but still opens ${doors}.`,
  isOther: (room: string) =>
    `This card is for ${room}. It is not one of the cards of this list, and stays as it is.`,
  erase: 'Erase it',
  unknownTitle: 'Rooms to check after a restore',
  unknownWhy: (from: string, until: string) =>
    `Cards that were made from ${from} to ${until} are not known here, and may open these rooms.`,
  unknownRemedy:
    'Make a new card for each room when its guest changes, open the door with it once, and report that it opened. Or check the room, and say so.',
  checked: 'Checked',
  next: 'Next room',
  previous: 'Previous room',
  open: 'Open',
}

export type OlderKeyTexts = typeof en

/** The texts of this screen, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
