import { Problem } from '../../resource/problem.ts'
import { commonPasscodes, commonWords } from './common-secrets.ts'

const shortestPassword = 15
const longestPassword = 128

/** The schema of a new password. Any character is allowed, and passwords do not expire. */
export const passwordSchema = { type: 'string', minLength: 1, maxLength: longestPassword }
/** The schema of a passcode. */
export const passcodeSchema = { type: 'string', pattern: '^[0-9]{6}$', $comment: '6 digits' }

/**
 * Throws validation-failed for a password that is too short or easily guessed. `own` are words that a stranger would try
 * here, such as the name of the account.
 */
export function expectGoodPassword(password: string, pointer: string, own: readonly string[]): void {
  if ([...password].length < shortestPassword)
    throw new Problem('validation-failed', `A password has at least ${shortestPassword} characters.`, {
      pointer,
      meta: { expected: `at least ${shortestPassword} characters`, reason: 'too-short' },
    })
  if (isGuessable(password, own)) {
    const detail = 'This password is easily guessed. Take four words that have nothing to do with each other.'
    throw new Problem('validation-failed', detail, { pointer, meta: { reason: 'common' } })
  }
}

/** Throws validation-failed for a passcode that many people choose. */
export function expectGoodPasscode(passcode: string, pointer: string): void {
  if (!commonPasscodes.has(passcode) && !isPatterned(passcode)) return
  const detail = 'Many people choose this passcode, so it is tried first. Take another one.'
  throw new Problem('validation-failed', detail, { pointer, meta: { reason: 'common' } })
}

/** Digits and signs that people use instead of a letter. */
const swapped: Record<string, string> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}
const fewestLetters = 6

/**
 * Returns whether the password consists only of common words, the own words, digits and punctuation, or repeats one
 * piece. Common passwords of this length are made that way.
 */
function isGuessable(password: string, own: readonly string[]): boolean {
  const plain = password.normalize('NFKC').toLowerCase()
  if (isRepeated(plain)) return true
  const words = [...commonWords, ...own.flatMap((each) => each.toLowerCase().split(/\s+/))]
    .filter((word) => word.length > 2)
    .sort((a, b) => b.length - a.length)
  const readings = [plain, plain.replaceAll(/[013457@$!]/g, (sign) => swapped[sign] ?? sign)]
  return readings.some((reading) => {
    let rest = reading
    for (const word of words) rest = rest.replaceAll(word, '')
    return rest.replaceAll(/[^\p{L}]/gu, '').length < fewestLetters
  })
}

/** Whether a text is a piece of at most a third of its length again and again: `abcabcabcabcabc`. */
function isRepeated(text: string): boolean {
  for (let length = 1; length <= text.length / 3; length++) {
    const piece = text.slice(0, length)
    if (piece.repeat(Math.ceil(text.length / length)).startsWith(text)) return true
  }
  return false
}

/** Whether the digits repeat in ones, twos or threes, or go up or down by a step, such as 246802. */
function isPatterned(code: string): boolean {
  const digits = [...code].map(Number)
  const steps = digits.slice(1).map((digit, at) => (digit - digits[at]! + 10) % 10)
  const pairs = code.match(/../g) ?? []
  return (
    new Set(steps).size === 1 ||
    code.slice(0, 3) === code.slice(3) ||
    new Set(pairs).size === 1 ||
    pairs.every(([one, other]) => one === other)
  )
}
