const languages = ['en', 'de', 'de-AT', 'fr', 'es', 'pt']

/** German spreadsheets shorten March so; umlauts may be written with two letters. */
const otherMonths: [string, number][] = [
  ['mrz', 3],
  ['maerz', 3],
  ['jaenner', 1],
]

/** Returns a text in lower case, without accents. */
export function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The names of 12 months or 7 days of the week, from 1, in all languages. */
function namesOf(style: Intl.DateTimeFormatOptions, count: number): [string, number][] {
  return languages.flatMap((language) => {
    const format = new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC' })
    return Array.from({ length: count }, (_, at): [string, number] => {
      // 2024 began on a Monday.
      const date = style.month ? Date.UTC(2024, at, 1) : Date.UTC(2024, 0, 1 + at)
      return [folded(format.format(date)).replace('.', ''), at + 1]
    })
  })
}

const months = [...namesOf({ month: 'long' }, 12), ...otherMonths]
const weekdays = [...namesOf({ weekday: 'long' }, 7), ...namesOf({ weekday: 'short' }, 7)]

/** The numbers of the names that are this word, or begin with it if it has three letters or more. */
function numbersOf(names: [string, number][], word: string): number[] {
  const fitting = names.filter(([name]) => name === word || (word.length >= 3 && name.startsWith(word)))
  return [...new Set(fitting.map(([, number]) => number))]
}

/**
 * Returns the month of a `folded` name in English, German, French, Spanish or Portuguese, which may be shortened to three
 * letters; 0 for any other word, and for one that two months begin with.
 */
export function monthNamed(word: string): number {
  const [month = 0, ...others] = numbersOf(months, word)
  return others.length === 0 ? month : 0
}

/** Returns the days of the week that a `folded` name may mean in one of these languages, Monday as 1; none for any other word. */
export function weekdaysNamed(word: string): number[] {
  return numbersOf(weekdays, word)
}
