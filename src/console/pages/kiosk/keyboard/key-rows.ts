export type Layout = 'number' | 'name' | 'text' | 'email' | 'phone' | 'digits'

/** The rows of letters of a keyboard. */
export type Letters = readonly [top: string, middle: string, bottom: string]

const english: Letters = ['QWERTYUIOP', 'ASDFGHJKL', 'ZXCVBNM']

/**
 * Returns the characters of the on-screen keyboard, row by row from the top. Every layout but `phone` and `digits` has the letters A
 * to Z: a name is found without its accents.
 */
export function keyRows(layout: Layout, letters = english): readonly string[] {
  const [top, middle, bottom] = letters
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
