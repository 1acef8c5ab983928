import { translated } from '../../lib/language.ts'
import { en } from './texts/en.ts'

/** The texts of the steps, in the language of the page. */
export const { texts: t } = translated(en, async (language) => {
  switch (language) {
    case 'de':
      return (await import('./texts/de.ts')).de
    case 'es':
      return (await import('./texts/es.ts')).es
    case 'fr':
      return (await import('./texts/fr.ts')).fr
    case 'pt':
      return (await import('./texts/pt.ts')).pt
    case 'en':
      return en
  }
})
