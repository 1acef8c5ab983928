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
  wasLockedTitle: 'The station was locked',
  wasLocked: 'It was locked before this was done. Do it again.',
  system: 'Set-up, backups and state of the box',
  networkTrouble: 'The box is starting. This page goes on trying.',
}

export type CommonTexts = typeof en

/** The texts that all page sets share, in the language of the page. */
export const common = translated(en, (language) => import(`../../texts/common-${language}.ts`))
