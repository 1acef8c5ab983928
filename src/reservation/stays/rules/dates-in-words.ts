const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/**
 * Writes two dates (YYYY-MM-DD) in English, with no more than the parts that differ: `1 July` if both are the same, `1
 * to 3 July`, `30 June to 2 July`. Both have the year only if the years differ.
 */
export function datesInWords(startDate: string, endDate: string): string {
  const [from, to] = [partsOf(startDate), partsOf(endDate)]
  if (startDate === endDate) return `${from.day} ${from.month}`
  if (from.year !== to.year)
    return `${from.day} ${from.month} ${from.year} to ${to.day} ${to.month} ${to.year}`
  if (from.month !== to.month) return `${from.day} ${from.month} to ${to.day} ${to.month}`
  return `${from.day} to ${to.day} ${to.month}`
}

function partsOf(date: string) {
  const [year = '', month = '', day = ''] = date.split('-')
  return { year, month: months[Number(month) - 1] ?? month, day: Number(day) }
}
