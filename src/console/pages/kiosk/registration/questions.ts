// What a guest is asked for the registration, and what becomes of the answers. Nothing here draws or sends.

const questions = [
  'birthDate',
  'nationality',
  'line1',
  'postalCode',
  'city',
  'country',
  'documentType',
  'documentNumber',
  'documentCountry',
  'acceptedRules',
  'signature',
] as const

/** Each question has a screen. */
export type Question = (typeof questions)[number]

/** What a guest has answered. An answer that was left out is null. */
export type Answers = Partial<Record<Question, unknown>>

/** The parts of an address. */
const ofAddress: readonly Question[] = ['line1', 'postalCode', 'city', 'country']

const isQuestion = (part: string): part is Question => questions.includes(part as Question)

/** Returns the question of a place in a registration, such as `/address/city`; null for a place that this page does not ask. */
export function questionAt(pointer: string): Question | null {
  const parts = pointer.split('/')
  return parts.findLast(isQuestion) ?? (parts.includes('address') ? 'line1' : null)
}

/**
 * Returns the questions for what a registration lacks, in the order of the screens. An address has a postal code, which the guest may
 * leave out. Null where this page does not ask one of the places.
 */
export function questionsFor(pointers: readonly string[]): Question[] | null {
  const asked = new Set(pointers.map(questionAt))
  if (asked.has(null)) return null
  if (asked.has('line1')) asked.add('postalCode')
  return questions.filter((each) => asked.has(each))
}

/** Whether the guest has said that the desk is to take the signature. */
export const isSignedAtDesk = (answers: Answers): boolean => answers.signature === null

/** Returns the attributes of a registration with these answers. A signature of null says that the guest cannot sign here. */
export function attributesOf(answers: Answers): Record<string, unknown> {
  const given = Object.entries(answers).filter(([name, value]) => value !== null || name === 'signature')
  const parts = given.filter(([name]) => ofAddress.includes(name as Question))
  return {
    ...Object.fromEntries(given.filter((each) => !parts.includes(each))),
    ...(parts.length > 0 && { address: Object.fromEntries(parts) }),
  }
}

/**
 * Returns the day (YYYY-MM-DD) of typed digits; null for none. All languages of the pages write day, month and year: `03021980`, or
 * `3.2.1980` on a real keyboard.
 */
export function dayOfDigits(typed: string): string | null {
  const [, day = '', month = '', year = ''] =
    /^(\d\d)(\d\d)(\d{4})$/.exec(typed) ?? /^(\d{1,2})\D+(\d{1,2})\D+(\d{4})$/.exec(typed) ?? []
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const instant = Date.parse(`${date}T00:00:00Z`)
  // A browser takes the 30th of February for the 1st or the 2nd of March.
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(date) ? date : null
}

/** Returns the digits of a day as a guest types them. */
export const digitsOfDay = (date: string): string => date.split('-').toReversed().join('')
