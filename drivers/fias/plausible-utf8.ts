/**
 * Returns whether the bytes of a record are rather UTF-8 than the code page of the line. `utf8` and `page` are the record in
 * both. In UTF-8 each letter beyond ASCII has two or more bytes, so `Müller` reads `MÃ¼ller` in a code page: a word with signs, or
 * with capitals in odd places. The opposite is rare: `MÍŠEK` in windows-1250 is valid UTF-8 by chance, but as UTF-8 it has a lone accent.
 */
export function isPlausibleUtf8(utf8: string, page: string): boolean {
  return wordsOf(utf8.normalize('NFC')).every(isName) && !wordsOf(page).every(isWord)
}

/** The words of a record that have a character beyond ASCII. Each field begins with its name, of two characters. */
function wordsOf(text: string): string[] {
  const words = text.split('|').flatMap((field) => field.slice(2).split(/[ ,;/]+/))
  return words.filter((word) => /[^\0-\x7f]/.test(word))
}

/** ASCII signs, and the characters that have three bytes or more in UTF-8, which few words of a code page give by chance. */
const others = '[\\0-\\x40\\x5b-\\x60\\x7b-\\x7f\\u{800}-\\u{10ffff}]'
/** The Latin letters of names: those of phonetics are in none. */
const latinWord = new RegExp(`^(?:[A-Za-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u0233]|${others})+$`, 'u')
const otherWord = new RegExp(`^(?:(?!\\p{Script=Latin}|\\p{Lm})\\p{L}\\p{M}*|${others})+$`, 'u')

/** Whether a word could be part of a name that was sent in UTF-8: its letters are of one script. */
function isName(word: string): boolean {
  return latinWord.test(word) || otherWord.test(word)
}

/** Whether a word could be part of a name in the code page: letters of one script, with capitals where a name has them. */
function isWord(word: string): boolean {
  const isLetters = /^(?:(?![ªº])\p{L}|[\0-\x7f])+$/u.test(word)
  const isMixed = /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word)
  // `Ê` in UTF-8 reads `ÃŠ` in western code pages. No name has these pairs.
  const isOdd = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|Ã[ŒœŠšŽžŸ]|[ÄÅ][ŒœŸ]/u.test(word)
  return isLetters && !isMixed && !isOdd
}
