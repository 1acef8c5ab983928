import { en } from '../texts/common-en.ts'
import { translated } from './language.ts'

/** The texts that all page sets share, in the language of the page. */
export const { texts: common } = translated(en, async (language) => {
  switch (language) {
    case 'de':
      return (await import('../texts/common-de.ts')).de
    case 'es':
      return (await import('../texts/common-es.ts')).es
    case 'fr':
      return (await import('../texts/common-fr.ts')).fr
    case 'pt':
      return (await import('../texts/common-pt.ts')).pt
    case 'en':
      return en
  }
})
