import { translated } from '../../lib/language/language.ts'

/** The English texts of the support file and the support console. */
const en = {
  file: 'Support file',
  fileWhy:
    'Status, settings and log without guests and secrets, for somebody who helps from afar. Read it here before you save it and pass it on.',
  show: 'Show what is in it',
  contents: (parts: string) => `Lines of the file: ${parts}.`,
  save: 'Save',
  console: 'Support console',
  consoleWhy:
    'For an hour, whoever has a keyboard at the box reads its journal on the second screen (Alt+F2). It shows no data of the hotel and changes nothing. It is never reached over the network.',
  notAnImage: 'This machine does not run the image of a box, so it has no support console.',
  open: 'Open for an hour',
  close: 'Close now',
  isOpen: (time: string) => `The support console is open until ${time}.`,
}

export type SupportTexts = typeof en

/** The texts of the support file and the support console, in the language of the page. */
export const t = translated(en, (language) => import(`./support-texts/${language}.ts`))
