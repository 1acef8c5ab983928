/**
 * What a file is instead of a text, by its content: a sentence part such as `a spreadsheet (Excel workbook)`.
 * `isSpreadsheet` is false for other things that are packed or printed.
 */
export interface FileKind {
  name: string
  isSpreadsheet: boolean
}

const spreadsheet = (program: string): FileKind => ({
  name: `a spreadsheet (${program})`,
  isSpreadsheet: true,
})
const other = (name: string): FileKind => ({ name, isSpreadsheet: false })

/** The bytes of a text in UTF-16LE, as characters of Windows-1252. */
const wide = (text: string) => [...text].map((letter) => `${letter}\0`).join('')

/**
 * Returns what a file is that is not a plain text: a spreadsheet in one of its formats, an archive or a PDF, under any
 * name. Returns null for what can be CSV. `text` is the file as Latin-1 or in its own encoding. Of an archive, the whole
 * file is looked at; of others, the first few thousand characters.
 */
export function fileKindOf(text: string): FileKind | null {
  const begins = (...signatures: string[]) => signatures.some((each) => text.startsWith(each))
  if (begins('PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08')) return archiveKind(text)
  if (begins('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return oleKind(text)
  // The first record of BIFF 2, 3, 4, and 5 to 8.
  if (begins('\t\0\x04\0', '\t\x02\x06\0', '\t\x04\x06\0', '\t\x08\x08\0', '\t\x08\x10\0'))
    return spreadsheet('Excel 2 to 5 workbook')
  if (begins('%PDF-')) return other('a PDF document')
  if (begins('\x1f\x8b')) return other('a gzip archive')
  return markupKind(text.slice(0, 8_192))
}

function archiveKind(text: string): FileKind {
  if (/xl\/(?:workbook|worksheets|styles|sharedStrings|_rels)/.test(text))
    return spreadsheet('Excel workbook')
  if (text.includes('opendocument.spreadsheet')) return spreadsheet('OpenDocument, of LibreOffice')
  if (/Index\/(?:Document|Tables)/.test(text)) return spreadsheet('Numbers')
  return other('a ZIP archive')
}

function oleKind(text: string): FileKind {
  if (text.includes(wide('EncryptedPackage'))) return spreadsheet('Excel workbook with a password')
  const isWorkbook = text.includes(wide('Workbook')) || text.includes(wide('Book'))
  return isWorkbook ? spreadsheet('Excel 97 to 2003 workbook') : other('a document of Microsoft Office')
}

function markupKind(text: string): FileKind | null {
  const start = text.replace(/^[\ufeff\s]+|^\xef\xbb\xbf\s*/, '')
  if (/^MIME-Version:/i.test(start)) return spreadsheet('web archive')
  if (!start.startsWith('<')) return null
  if (/urn:schemas-microsoft-com:office:spreadsheet|<(?:\w+:)?Workbook\b/.test(start))
    return spreadsheet('XML spreadsheet of Excel')
  if (/opendocument/.test(start)) return spreadsheet('OpenDocument, of LibreOffice')
  if (/<(?:html|head|body|table|meta|style|tr|!doctype html)\b/i.test(start)) return spreadsheet('HTML table')
  return /^<\?xml\b/.test(start) ? other('an XML file') : null
}

/** What to do with such a file, in sentences. */
export function remedyOf({ isSpreadsheet }: FileKind): string {
  return isSpreadsheet
    ? 'Open it and save it as CSV: File, Save as, CSV UTF-8 (comma delimited).'
    : 'Give a CSV file: a text with one row in each line.'
}
