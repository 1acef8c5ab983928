import { translated } from '../../lib/language/language.ts'

/** The English texts of the recovery sheet. */
const en = {
  title: 'Recovery sheet',
  none: 'There is no recovery sheet, so no backup is made. If the box is lost, everything in it is lost. Make the sheet now; it takes two minutes.',
  otherKey:
    'Backups are encrypted to a recovery key that was made on the command line. A sheet of words is a second way to open them.',
  keptAt: (at: string) =>
    `The recovery sheet of ${at} opens each backup since then. Keep it like the master key.`,
  make: 'Make the recovery sheet',
  makeAnother: 'Make another sheet',
  sheetOf: (hotel: string) => `Recovery sheet ${hotel}`.trim(),
  what: (at: string) =>
    `Made on ${at}. Who has these 24 words can open every backup of this hotel. The box does not have them.`,
  how: 'After a loss of the box: open the page of the new box, choose “Restore a backup”, and type the words in this order. Keep one copy in the safe and one in another building.',
  print: 'Print',
  save: 'Save as a file',
  next: 'I have it on paper',
  onlyHere:
    'The words are shown here only, and never again. The sheet counts once you have typed some of them back.',
  typeBack: 'Read these words from the paper. The first four letters are enough.',
  word: (number: number) => `Word ${number}`,
  confirm: 'Keep this sheet',
  showAgain: 'Show the words again',
}

export type RecoveryTexts = typeof en

/** The texts of the recovery sheet, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
