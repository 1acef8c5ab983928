/** Vowel points and the like of Hebrew and Arabic, which are mostly left out, and the stroke that lengthens Arabic words. */
const points = /[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g

/**
 * Returns the letters and digits of a text, in lower case. Two texts have the same ones however they are written: spaces and signs,
 * the case, the width of letters (`Ａ` or `A`) and the form in which accents are stored make no difference.
 */
export function lettersOf(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase().replace(/[^a-z\d]/g, '')
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('ς', 'σ')
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
    .replace(points, '')
}

/** Returns a text without the accents of its letters, in the same case, and with letters of usual width: `Müller` is `Muller`. */
export function withoutAccents(text: string): string {
  return text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')
}
