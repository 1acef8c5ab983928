import { translated } from '../lib/language/language.ts'

/** The English texts of signing in, and of the lock of a station. */
const en = {
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
  confirmAgain: 'Confirm that it is you',
  confirmWhy: 'This may do harm, so it asks for your passcode or password once more.',
  confirm: 'Confirm',
}

export type SignInTexts = typeof en

/** The texts of signing in, in the language of the page. */
export const signInTexts = translated(en, (language) => import(`./texts/${language}.ts`))
