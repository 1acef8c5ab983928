export type Layout = 'number' | 'name' | 'text' | 'email' | 'phone' | 'digits'

type Rows = readonly [top: string, middle: string, bottom: string]

const english: Rows = ['QWERTYUIOP', 'ASDFGHJKL', 'ZXCVBNM']
/** The rows of letters of other languages than English. */
const letters: Record<string, Rows> = {
  de: ['QWERTZUIOPÜ', 'ASDFGHJKLÖÄ', 'YXCVBNMß'],
  es: ['QWERTYUIOP', 'ASDFGHJKLÑ', 'ZXCVBNMÁÉÍÓÚ'],
  fr: ['AZERTYUIOP', 'QSDFGHJKLM', 'WXCVBNÉÈÇ'],
  pt: ['QWERTYUIOP', 'ASDFGHJKLÇ', 'ZXCVBNMÃÁÉÓ'],
}

/**
 * Returns the characters of the on-screen keyboard in a language of the pages (`pt`), row by row from the top. Every layout but `phone` and `digits` has the letters A
 * to Z: a name is found without its accents.
 */
export function keyRows(layout: Layout, language: string): readonly string[] {
  const [top, middle, bottom] = letters[language] ?? english
  switch (layout) {
    case 'number':
      return ['1234567890', top, middle, `${bottom}-`]
    case 'name':
      return [top, middle, `${bottom}-'`]
    case 'text':
      return ['1234567890-./', top, middle, `${bottom}'`]
    case 'email':
      return ['1234567890+', top.toLowerCase(), middle.toLowerCase(), `${bottom.toLowerCase()}@.-_`]
    case 'phone':
      return ['123', '456', '789', '+0']
    case 'digits':
      return ['123', '456', '789', '0']
  }
}
