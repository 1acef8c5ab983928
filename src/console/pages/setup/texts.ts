import { translated } from '../lib/language/language.ts'

/** The English texts of the frame, the claim and the report. */
const en = {
  title: 'Setup',
  skipToMain: 'Skip to the content',
  notAllowed: (name: string) => `${name} may not set up this box. Sign in as administrator or installer.`,
  toDesk: 'Front desk',
  doors: 'Handbook and interfaces',
  trust: 'How to trust this box',
  lock: 'Lock',
  copy: 'Copy',
  copied: 'Copied.',
  notCopied: 'The browser did not copy it. Select the text and copy it by hand.',
  signOut: 'Sign out',
  live: 'Connected',
  noLine: 'No connection to the box',
  system: 'System',
  report: 'Report',
  back: 'Back',
  next: 'Next',
  skip: 'Skip for now',
  stepOf: (step: number, all: number) =>
    `Step ${step} of ${all}. Each step is saved by itself and can be repeated.`,
  doneOf: (done: number, all: number) => `${done} of ${all} done`,
  states: { done: 'done', skipped: 'left out', open: 'open', missing: 'missing' },
  steps: {
    house: 'House',
    rooms: 'Rooms',
    locks: 'Key system',
    devices: 'Devices',
    pms: 'PMS',
    network: 'Network',
    staff: 'Staff',
    test: 'Test card',
    backup: 'Backup',
  },
  others: (names: string) => `Also at work on this box: ${names}`,
  otherChanged: (name: string, at: string) => `${name} has changed the set-up at ${at}.`,
  otherAdvice: 'Agree who does which step. What both of you save is kept in the order of saving.',
  claim: {
    title: 'This box belongs to nobody yet',
    why: 'Whoever stands at the box takes it over. The eight digits are shown on its own screen, or where it was started. They are valid for 15 minutes; a restart shows new ones.',
    code: 'Pairing code',
    codeHint: 'Eight digits',
    name: 'Your name',
    passwordHint: (least: number, now: number) =>
      `At least ${least} characters, ${now} so far. Several words are best.`,
    passcode: 'Passcode of six digits (optional)',
    passcodeHint: 'Unlocks your session on this computer',
    claim: 'Take over this box',
    station: 'Setup computer',
  },
  reportOf: (house: string) => `Set-up of ${house}`,
  reportMade: (by: string, at: string) => `Printed by ${by}, ${at}`,
  print: 'Print',
  notYet: 'not set up',
  roomsOf: (count: number) => `${count} rooms`,
  locksOf: (count: number) => `${count} rooms have a lock`,
  testOpened: (room: string, encoder: string, at: string) =>
    `A card from ${encoder} opened the door of ${room}, ${at}.`,
  testShut: (room: string, encoder: string, at: string) =>
    `A card from ${encoder} did NOT open the door of ${room}, ${at}.`,
  testNone: 'No card was tried at a door.',
  backupMade: (at: string) => `The newest backup was made and read back at ${at}.`,
  backupElsewhere: (at: string) => `A backup was read back from a place outside the box at ${at}.`,
  nameTaken: (name: string) => `There is already something with the name ${name}. Choose another name.`,
  signature: 'Date, signature',
}

export type SetupTexts = typeof en

/** The texts of the frame, the claim and the report, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
