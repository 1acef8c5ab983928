import { bech32 } from '@scure/base'
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { WrongKey } from '../backup-refused.ts'

const prefix = 'age-secret-key-'
const count = 24
/** The first four letters identify a word of the list. */
const telling = 4

/** Returns the 24 words of BIP 39 that encode an age identity: its 32 bytes and a checksum. */
export function wordsOf(identity: string): string[] {
  const { bytes } = bech32.decodeToBytes(identity.toLowerCase())
  return entropyToMnemonic(bytes, wordlist).split(' ')
}

/** Returns whether a text can be 24 words. Numbers, commas and line breaks between them are ignored. */
export function areWords(text: string): boolean {
  return wordsIn(text).length === count
}

/** Returns the age identity for 24 words. The first four letters of each word are sufficient. Throws WrongKey. */
export function identityOfWords(text: string): string {
  const words = wordsIn(text).map((typed, index) => {
    const word = inList(typed)
    if (!word)
      throw new WrongKey(
        `Word ${index + 1}, "${typed}", is not a word of a recovery sheet. Compare it with the sheet.`,
      )
    return word
  })
  try {
    const bytes = mnemonicToEntropy(words.join(' '), wordlist)
    return bech32.encode(prefix, bech32.toWords(bytes), false).toUpperCase()
  } catch (error) {
    throw new WrongKey(
      'One of the words is another one than on the sheet, or two are in the wrong order. Compare all 24.',
      { cause: error },
    )
  }
}

/** Returns whether a person typed this word, or at least its first four letters. */
export function isWord(typed: string, word: string): boolean {
  return inList(typed.trim().toLowerCase()) === word
}

function inList(typed: string): string | undefined {
  if (typed.length < telling) return wordlist.find((word) => word === typed)
  return (
    wordlist.find((word) => word === typed) ??
    wordlist.find((word) => word.length >= telling && word.startsWith(typed))
  )
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? []
}
