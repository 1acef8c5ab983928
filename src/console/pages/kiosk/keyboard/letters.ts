import type { Letters } from './key-rows.ts'

/** The rows of letters in the languages of the pages other than English. */
export const letters: Readonly<Record<string, Letters>> = {
  de: ['QWERTZUIOPÜ', 'ASDFGHJKLÖÄ', 'YXCVBNMß'],
  es: ['QWERTYUIOP', 'ASDFGHJKLÑ', 'ZXCVBNMÁÉÍÓÚ'],
  fr: ['AZERTYUIOP', 'QSDFGHJKLM', 'WXCVBNÉÈÇ'],
  pt: ['QWERTYUIOP', 'ASDFGHJKLÇ', 'ZXCVBNMÃÁÉÓ'],
}
