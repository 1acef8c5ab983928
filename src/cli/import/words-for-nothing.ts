/**
 * The words with which programs write that there is no value. None of them is taken for empty unless the map says so.
 */
export const wordsForNothing: readonly string[] = [
  'NA',
  'N/A',
  'n/a',
  '#N/A',
  'NaN',
  'NULL',
  'Null',
  'null',
  '(null)',
  '\\N',
]
