import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { fileKindOf } from '../../../src/resource/values/spreadsheet.ts'
import fc from '../../seed.ts'
import { type ImportHouse, importHouse } from './file-import.ts'

const map = {
  externalId: { column: 'No' },
  status: { always: 'Confirmed' },
  arrival: { column: 'From' },
  nights: { column: 'Nights' },
  adults: { column: 'Adults' },
  unitType: { always: 'DBL' },
}
const csv = 'No,From,Nights,Adults\nA1,2027-03-01,1,1\n'

/** The local header of a member of a ZIP archive, and its content, not compressed. */
function member(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(30)
  header.write('PK\x03\x04', 'latin1')
  header.writeUInt32LE(content.length, 18)
  header.writeUInt32LE(content.length, 22)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, Buffer.from(name), content])
}

/** An OLE2 file with directory entries of these names. */
function ole(...names: string[]): Buffer {
  const magic = Buffer.from('d0cf11e0a1b11ae1', 'hex')
  const entries = names.map((name) => Buffer.concat([Buffer.from(name, 'utf16le'), Buffer.alloc(64)]))
  return Buffer.concat([magic, Buffer.alloc(504), ...entries])
}

const types = member('[Content_Types].xml', Buffer.from('<Types/>'))
const noise = Buffer.alloc(200_000, 0xe9)
const html =
  '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table><tr><td>No</td></tr></table></html>'
const kinds: [name: string, bytes: Buffer, kind: string][] = [
  ['b.xlsx', Buffer.concat([types, member('xl/workbook.xml', Buffer.from('<workbook/>'))]), 'Excel workbook'],
  [
    'far.xlsx',
    Buffer.concat([types, member('docProps/a.xml', noise), member('xl/workbook.xml', noise)]),
    'Excel workbook',
  ],
  ['b.xls', ole('Root Entry', 'Workbook'), 'Excel 97 to 2003 workbook'],
  ['b5.xls', ole('Root Entry', 'Book'), 'Excel 97 to 2003 workbook'],
  ['secret.xlsx', ole('Root Entry', 'EncryptedPackage'), 'Excel workbook with a password'],
  ['old.xls', Buffer.from('0900040002001000', 'hex'), 'Excel 2 to 5 workbook'],
  [
    'b.ods',
    member('mimetype', Buffer.from('application/vnd.oasis.opendocument.spreadsheet')),
    'OpenDocument, of LibreOffice',
  ],
  ['b.numbers', member('Index/Document.iwa', noise), 'Numbers'],
  ['html.xls', Buffer.from(html), 'HTML table'],
  ['page.xls', Buffer.from(`\ufeff\r\n<!DOCTYPE html>\n${html}`), 'HTML table'],
  ['wide.xls', Buffer.from(`\ufeff${html}`, 'utf16le'), 'HTML table'],
  ['latin.xls', Buffer.from(`<TABLE><tr><td>Müller</td></tr></TABLE>`, 'latin1'), 'HTML table'],
  [
    'b.xml',
    Buffer.from(
      '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
    ),
    'XML spreadsheet of Excel',
  ],
]

describe('A spreadsheet', () => {
  let house: ImportHouse
  before(async () => {
    house = await importHouse()
  })
  after(() => house.stop())

  for (const [file, bytes, kind] of kinds)
    for (const name of [file, 'bookings.csv', 'bookings.csv.gz'])
      it(`is named, with what to do: ${file} as ${name}`, async () => {
        const given = name.endsWith('.gz') ? gzipSync(bytes) : bytes
        const { ended, stderr, stdout } = await house.import(given, map, { name })
        assert.deepEqual([ended, stdout], ['data', ''])
        assert.ok(
          stderr.includes(`${name} is a spreadsheet (${kind}), not a CSV file. Nothing was imported.`),
          stderr,
        )
        assert.ok(
          stderr.endsWith('Open it and save it as CSV: File, Save as, CSV UTF-8 (comma delimited).'),
          stderr,
        )
      })

  const others: [bytes: Buffer, kind: string][] = [
    [member('bookings.csv', Buffer.from(csv)), 'a ZIP archive'],
    [ole('Root Entry', 'WordDocument'), 'a document of Microsoft Office'],
    [Buffer.from('%PDF-1.7\n'), 'a PDF document'],
    [gzipSync(csv), 'a gzip archive'],
    [Buffer.from('<?xml version="1.0"?><bookings/>'), 'an XML file'],
  ]
  for (const [bytes, kind] of others)
    it(`is not what is named otherwise: ${kind}`, async () => {
      const { ended, stderr } = await house.import(bytes, map)
      assert.equal(ended, 'data')
      assert.ok(stderr.includes(`is ${kind}, not a CSV file.`), stderr)
    })

  it('is no CSV file, whatever is in that', async () => {
    const cells = fc.array(fc.array(fc.string({ unit: 'grapheme-ascii' }), { minLength: 1 }), {
      minLength: 1,
    })
    fc.assert(
      fc.property(cells, (rows) => {
        assert.equal(fileKindOf(['No,From', ...rows.map((row) => row.join(','))].join('\n')), null)
      }),
    )
    assert.equal(fileKindOf('PK;From\n<html>;2'), null)
    assert.equal((await house.import(csv, map, { name: 'bookings.xlsx' })).ended, 0)
  })
})
