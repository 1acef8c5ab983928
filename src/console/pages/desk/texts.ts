import { plural } from '../lib/language/format.ts'
import { translated } from '../lib/language/language.ts'

/** The English texts of the front desk. */
const en = {
  screens: {
    today: 'Today',
    rack: 'Room rack',
    rooms: 'Rooms',
    keys: 'Cards that may still open',
    devices: 'Devices',
    conflicts: 'PMS conflicts',
    activity: 'Activity',
    walkIn: 'Walk-in',
    lobby: 'Demo lobby',
  },
  frame: {
    place: 'Front desk',
    alarms: (count: number) => plural(count, { one: '1 alarm', other: `${count} alarms` }),
    keysMayOpen: (count: number) => `Cards that may still open: ${count}`,
    screens: 'Screens',
    live: 'Connected',
    noLine: 'No connection to the box',
    oldSince: (time: string) => `No connection to the box: what you see is as of ${time}`,
    oldWhy:
      'Nothing can be changed until the connection is back, and nothing that you press is sent later. The page goes on by itself.',
    lock: 'Lock',
    keysHelp: 'Keys of the keyboard',
    letters: 'Single letters are shortcuts',
    notAllowed: 'Your role does not show this page.',
    skip: 'To the content',
  },
  clockDoubt: {
    ask: (shown: string) => `Is this day and time right: ${shown}?`,
    why: 'The box was off, or its clock was set, and nothing has confirmed its time since. On a wrong day, guests are not found and cards open on the wrong days. If it is wrong, make no cards and call the administrator.',
    isRight: 'Yes, it is right',
  },
  waiting: {
    call: (kiosk: string, time: string) => `A guest at ${kiosk} needs a person, since ${time}.`,
    aKiosk: 'a kiosk',
    take: 'On my way',
    code: (code: string) => `Code ${code}.`,
    speaks: (language: string) => `The guest chose ${language}.`,
    doing: {
      start: 'The guest was at the first page.',
      search: 'The guest was looking for the booking.',
      booking: 'The guest was looking at the booking.',
      registration: 'The guest was being registered.',
      payment: 'The guest was about to pay.',
      card: 'The guest was about to get the card.',
      'check-out': 'The guest was about to check out.',
    },
    guest: (code: string, time: string) =>
      `A guest of the kiosk has been waiting since ${time}. Code ${code}.`,
    failures: {
      'guest-asks': 'The guest asked for help.',
      'stay-over':
        'The departure of the stay has come. Set a later one; then the guest goes on at the kiosk.',
      'check-out-without-card':
        'The guest wants to check out and has no card to show. Sure who it is, check out, or release to the kiosk.',
      'card-not-read':
        'The machine has kept a card that it could not read. Check the guest out when you are sure who it is.',
      'card-lost': 'The guest has lost the card.',
      'balance-outstanding': 'The guest has to pay.',
      'registration-required': 'A guest must be registered.',
      'payment-refused': 'The payment was refused.',
      'payment-outcome-unknown': 'It is not known whether the guest has paid.',
    } as Record<string, string>,
    steps: {
      room: 'The kiosk could not give a room.',
      'check-in': 'The kiosk could not check the guest in.',
      'check-out': 'The kiosk could not check the guest out.',
      payment: 'The kiosk could not take the payment.',
      card: 'The kiosk could not make the card.',
    } as Record<string, string>,
    open: 'Open the guest',
    helped: 'The guest was helped',
    soundOn: 'Sound for a waiting guest: on',
    soundOff: 'Sound for a waiting guest: off',
  },
  person: {
    changePasscode: 'Change the passcode',
    changePassword: 'Change the password',
    presentSecret: 'Present passcode or password',
    secretChanged: 'It is changed. Use the new one from now on.',
    ownSessions: 'Where you are signed in',
    thisSession: 'here',
    lastUsed: (time: string) => `last used ${time}`,
    endSession: 'End',
  },
  pms: {
    inStep: 'PMS: in step',
    behind: (waiting: number, seconds: number) => `PMS: ${waiting} wait to be sent, ${seconds} s behind`,
    awaySince: (time: string, waiting: number) =>
      `No connection to the PMS since ${time}. ${waiting} wait to be sent; nothing is lost.`,
    away: (waiting: number) => `No connection to the PMS. ${waiting} wait to be sent; nothing is lost.`,
  },
}

export type DeskTexts = typeof en

/** The texts of the front desk, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
