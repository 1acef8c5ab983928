/** Characters that show nothing: the soft hyphen, spaces without width, joiners, direction marks, and byte order marks inside. */
const invisible = String.raw`\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff`
const anyInvisible = new RegExp(`[${invisible}]`, 'g')
const atTheEnds = new RegExp(String.raw`^[\s${invisible}]+|[\s${invisible}]+$`, 'g')
/** Spaces of other kinds: no-break, thin, narrow and others. */
const spaces = /[\u00a0\u2000-\u200a\u202f\u205f]/g
/** Scripts and pictures in which a joiner or a direction mark changes what is seen. */
const needsMarks =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]|\p{Extended_Pictographic}/u
const unusual = new RegExp(String.raw`[${invisible}\u00a0\u2000-\u200a\u202f\u205f]|^=`)

/**
 * Returns a cell, a heading or a word of the map as the import reads it. What is seen stays as it is: characters that
 * show nothing and spaces at its ends are left out, and each kind of space becomes a plain one. Joiners and direction marks stay inside a text
 * in a script that needs them. The formula text `="0401"`, with which exporters keep a number from spreadsheets, is 0401.
 */
export function cleanText(written: string): string {
  if (!unusual.test(written.trim())) return written.trim()
  const text = written.replace(spaces, ' ')
  const clean = needsMarks.test(text) ? text.replace(atTheEnds, '') : text.replace(anyInvisible, '')
  const [, inner] = /^\s*=\s*"((?:[^"]|"")*)"\s*$/.exec(clean) ?? []
  return (inner === undefined ? clean : inner.replaceAll('""', '"')).trim()
}

/**
 * Returns a number or a date with the signs of ASCII: minus and dashes as `-`, and the apostrophes of Swiss thousands as
 * `'`. For texts such as names, these signs stay as they are written.
 */
export function plainSigns(text: string): string {
  return text.replace(/[\u2010-\u2015\u2212]/g, '-').replace(/[\u2018\u2019\u02bc\u00b4`\u2032]/g, "'")
}

/** Returns a text for people: in one line, and cut after `most` characters. */
export function oneLine(text: string, most: number): string {
  const line = text.replace(/\p{Cc}+/gu, ' ')
  return line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line
}

/**
 * Returns lines of a file in which formula texts such as `="0401"` are quoted cells: a quote in the middle of a cell is
 * no CSV. A chunk may end anywhere; chunks that are returned end with a line.
 */
export async function* withoutFormulaTexts(
  chunks: AsyncIterable<string>,
  separator: string,
): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    const text = rest + chunk
    const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1
    rest = text.slice(end)
    if (end > 0) yield quotedFormulaTexts(text.slice(0, end), separator)
  }
  if (rest !== '') yield quotedFormulaTexts(rest, separator)
}

/** Returns lines with `="0401"` as `"0401"`, where that is the whole cell. */
export function quotedFormulaTexts(lines: string, separator: string): string {
  if (!lines.includes('="')) return lines
  const edge = RegExp.escape(separator)
  return lines.replace(new RegExp(`(^|${edge})="([^"\r\n]*)"(?=${edge}|\r?$)`, 'gm'), '$1"$2"')
}

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
