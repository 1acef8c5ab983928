import { translated } from './language.ts'

/** The English texts that all page sets share. */
const en = {
  tryAgain: 'Try again',
  close: 'Close',
  cancel: 'Cancel',
  loading: 'Loading',
  otherTime: (here: string, box: string) =>
    `This computer shows ${here}, the box shows ${box}. One of them is wrong. Cards are made by the clock of the box.`,
  noLineTitle: 'No connection to the box',
  noLine: 'This page does not reach the box. What you see may be old. The page goes on trying.',
  badAnswerTitle: 'The answer cannot be read',
  badAnswer:
    'This page got something else than an answer of the box, so it is not known whether this was done. Look before you do it again. If it stays so, check what stands between this computer and the box, such as a proxy.',
  brokenTitle: 'This page has a fault',
  brokenText:
    'A part of this page could not be shown or did not work. Look whether your last action was done before you do it again. The page tries again.',
  toStart: 'Back to the first screen',
  loadAgain: 'Load the page again',
  needsLine: 'Not without a connection to the box',
  isHeld: 'Another action is still running',
  asOf: (time: string) => `As of ${time}`,
  language: 'Language',
  haveCode: 'I have a one-time code',
  wrongCode: 'This code is not right, or its time is over.',
  oneTimeCode: 'One-time code',
  oneTimeCodeHint: 'Ten letters and digits, from your administrator',
  newPasscode: 'New passcode',
  newPassword: 'New password',
  newPasswordHint: 'At least 15 characters',
  newPasswordMaybe: 'Needed for administrators only: at least 15 characters',
  enrol: 'Make this browser a station',
  enrolMeaning:
    'At a station the staff sign in with six digits. An administrator makes the code for it in the set-up.',
  enrolmentCode: 'Enrolment code',
  enrolmentCodeHint: 'Eight digits',
  signIn: 'Sign in',
  signOut: 'Sign out',
  name: 'Name',
  password: 'Password',
  passcode: 'Passcode',
  passcodeHint: 'Six digits',
  otherWay: 'Sign in with a password',
  whoAreYou: 'Who are you?',
  someoneElse: 'Someone else',
  locked: 'This station is locked',
  wasLockedTitle: 'The station was locked',
  wasLocked: 'It was locked before this was done. Do it again.',
  notLocked: 'This station is not locked',
  notSignedOut: 'You are still signed in',
  stayHere: 'The box did not answer. Do not leave this screen alone. Try again when the line is back.',
  unlock: 'Unlock',
  wrong: 'Name and password do not fit each other.',
  wrongSecret: 'The passcode or password is wrong.',
  wait: (seconds: number) => `Too many wrong attempts. Try again in ${seconds} seconds.`,
  demo: 'This is the demo hotel. Choose who you want to be.',
  demoPasscode: 'In the demo hotel it is 482615 for everybody.',
  unclaimed: 'This box belongs to nobody yet.',
  toSetup: 'Set it up',
  system: 'Set-up, backups and state of the box',
  confirmAgain: 'Confirm that it is you',
  confirmWhy: 'This may do harm, so it asks for your passcode or password once more.',
  confirm: 'Confirm',
  networkTrouble: 'The box is starting. This page goes on trying.',
}

export type CommonTexts = typeof en

/** The texts that all page sets share, in the language of the page. */
export const common = translated(en, (language) => import(`../texts/common-${language}.ts`))
