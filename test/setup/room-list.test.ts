import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../../src/resource/problem.ts'
import { roomsInList } from '../../src/setup/room-list.ts'
import { startAppliance } from '../appliance.ts'
import fc from '../seed.ts'

const room = (name: string, unitType: string, floor?: string) => ({ name, unitType, ...(floor && { floor }) })
const read = (text: string) => roomsInList(text, '/list')
const two = [room('101', 'DBL', '1'), room('102', 'SUI', '1')]

describe('A list of rooms is read', () => {
  for (const [title, text, rooms] of [
    ['with a heading', 'Room;Type;Floor\n101;DBL;1\n102;SUI;1', two],
    ['with a heading in German', 'Zimmer-Nr.;Zimmerart;Etage\n101;DBL;1\n102;SUI;1', two],
    ['with a heading in French', 'Chambre,Type de chambre,Étage\n101,DBL,1\n102,SUI,1', two],
    ['with a heading in Spanish', 'Habitación|Tipo|Planta\n101|DBL|1\n102|SUI|1', two],
    ['with a heading in Portuguese', 'Quarto\tTipo\tAndar\n101\tDBL\t1\n102\tSUI\t1', two],
    [
      'with columns that it does not need',
      'ID;Room;Type;Floor;Max. adults\n7;101;DBL;1;2\n8;102;SUI;1;4',
      two,
    ],
    [
      'with a heading of a portal in Portuguese',
      'Quarto;Tipologia;Piso;Hóspedes\n101;DBL;1;2\n102;SUI;1;2',
      two,
    ],
    ['with its columns in another order', 'No;Type;Floor;Room;Beds\n1;DBL;1;101;2\n2;SUI;1;102;3', two],
    ['without a heading, of names', 'Rose;DBL\nLily;DBL', [room('Rose', 'DBL'), room('Lily', 'DBL')]],
    [
      'without a heading, of names and types of their own',
      'Rose;Garden\nLily;Sea\nIris;Garden',
      [room('Rose', 'Garden'), room('Lily', 'Sea'), room('Iris', 'Garden')],
    ],
    ['of one room with a name', 'Rose,SUI', [room('Rose', 'SUI')]],
    [
      'whose first room has one word of a heading',
      'Unit;DBL\nRose;DBL',
      [room('Unit', 'DBL'), room('Rose', 'DBL')],
    ],
    [
      'with separators and quotation marks in a cell',
      '"Suite 1, left","DBL"\t"the ""old"" floor"',
      [room('Suite 1, left', 'DBL', 'the "old" floor')],
    ],
    [
      'with a comma in a name',
      'Suite 1, left;DBL\nSuite 2, right;DBL',
      [room('Suite 1, left', 'DBL'), room('Suite 2, right', 'DBL')],
    ],
    ['with quotation marks around every cell', '"101", "DBL" ,"1"\n"102","SUI","1"', two],
    [
      'with empty cells and lines',
      '101;DBL;;\r\n\r\n;;\r\n102,DBL,',
      [room('101', 'DBL'), room('102', 'DBL')],
    ],
    ['with tabs', '101\tDBL\t1\n102\tSUI\t1\n', two],
    ['with bars', '101 | DBL | 1\n102 | SUI | 1\n', two],
    ['with CRLF', '101;DBL;1\r\n102;SUI;1\r\n', two],
    ['with lone CR', '101;DBL;1\r102;SUI;1\r', two],
    ['with a byte order mark', '\ufeffRoom;Type;Floor\r\n101;DBL;1\r\n102;SUI;1', two],
    ['with a byte order mark and a quotation mark', '\ufeff"101";DBL;1\r\n102;SUI;1', two],
    ['with no-break spaces', '101\u00a0;\u00a0DBL;1\n\u202f102;SUI\u00a0;1', two],
    ['with a line that states the separator', 'sep=;\n101;DBL;1\n102;SUI;1', two],
    ['of a house and a room', '12-1;DBL\n01-12;DBL', [room('12-1', 'DBL'), room('01-12', 'DBL')]],
    ...['-', ' - ', '\u2010', '\u2011', '\u2012', '\u2013', ' \u2013 ', '\u2014', '\u2015', '\u2212'].map(
      (dash) =>
        [
          `with a range: ${JSON.stringify(dash)}`,
          `101${dash}103;DBL;1`,
          ['101', '102', '103'].map((name) => room(name, 'DBL', '1')),
        ] as const,
    ),
  ] as const)
    it(title, () => assert.deepEqual(read(text), rooms))

  it('with 1,000 rooms', () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `R${index};DBL;${index % 9}`)
    assert.equal(read(lines.join('\r\n')).length, 1_000)
  })

  it('as it was written, with any separator, line end and quotation marks', () => {
    const word = fc
      .stringMatching(/^[A-Za-z0-9ÄÖÜäöüß'. ]{1,12}$/)
      .map((text) => `R${text}`.replace(/ +/g, ' ').trim())
    const type = fc.stringMatching(/^[A-Z][A-Z0-9-]{1,5}$/)
    const rooms = fc.uniqueArray(fc.tuple(word, type, word), {
      minLength: 1,
      maxLength: 20,
      selector: ([name]) => name,
    })
    const separator = fc.constantFrom(',', ';', '\t', '|')
    const end = fc.constantFrom('\n', '\r\n', '\r')
    const heading = fc.constantFrom([], ['Room', 'Type', 'Floor'], ['Zimmernummer', 'Typ', 'Stockwerk'])
    fc.assert(
      fc.property(rooms, separator, end, heading, fc.boolean(), (all, between, last, head, isQuoted) => {
        const line = (cells: readonly string[]) =>
          cells.map((cell) => (isQuoted ? `"${cell}"` : cell)).join(between)
        const text = [...(head.length > 0 ? [head] : []), ...all].map(line).join(last) + last
        assert.deepEqual(
          read(text),
          all.map(([name, unitType, floor]) => room(name, unitType, floor)),
        )
      }),
    )
  })
})

describe('A list of rooms is refused', () => {
  const refusal = (text: string) => {
    try {
      read(text)
    } catch (error) {
      assert.ok(error instanceof Problem)
      const all = [error, ...error.others]
      return {
        lines: all.map(({ options }) => options.meta?.line),
        says: all.map(({ message }) => message).join('\n'),
      }
    }
    assert.fail(`${JSON.stringify(text)} was read`)
  }

  const wrong: [text: string, lines: (number | undefined)[], says: RegExp][] = [
    ['101;DBL\n102', [2], /^Line 2 of the list needs a room and a type/],
    ['Room;Type\n;DBL\n101;DBL\n102', [2, 4], /Line 4 of the list needs/],
    ['101;DBL;1\r\r102;Double room\r', [3], /^Line 3 of the list needs/],
    ['| Room | Type |\n|---|---|\n| 101 | DBL |', [2], /^Line 2 of the list needs a room and a type/],
    ['101;DBL\n102;-', [2], /^Line 2 of the list needs a room and a type/],
    ['101;DBL\n102;DBL\n101;SUI', [3], /^Line 3 of the list names room 101 again, after line 1\./],
    ['101–103;DBL\n102;SUI', [2], /room 102 again, after line 1/],
    ['101;DBL\n"102;DBL\n103;DBL', [2], /^Line 2 of the list has a quotation mark/],
    ['Room;Type;Floor', [undefined], /names no room/],
    ['', [undefined], /names no room/],
    ['1000–9999;DBL', [undefined], /at most 2000 rooms/],
    ['101;DBL\n\n"1"02;DBL\n103;DBL', [3], /^Line 3 of the list has a quotation mark/],
    ['PK\x03\x04\0\0xl/workbook.xml', [undefined], /^The file is a spreadsheet/],
    ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', [undefined], /^The file is a spreadsheet/],
    ['<html><table><tr><td>101</td></tr></table>', [undefined], /^The file is a spreadsheet/],
  ]
  for (const [text, lines, says] of wrong)
    it(JSON.stringify(text), () => {
      const found = refusal(text)
      assert.deepEqual(found.lines, lines)
      assert.match(found.says, says)
    })

  it('or read, whatever is pasted', () => {
    const piece = fc.constantFrom(
      '101',
      '–',
      '-',
      ',',
      ';',
      '\t',
      '|',
      ' ',
      'DBL',
      '"',
      '\n',
      '\r',
      'Room',
      '\ufeff',
      'Ü',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        try {
          const found = read(pieces.join(''))
          assert.equal(new Set(found.map(({ name }) => name)).size, found.length)
        } catch (error) {
          assert.ok(error instanceof Problem, String(error))
        }
      }),
    )
  })
})

it('The box reads a list, and names wrong lines in the language of the page', async (t) => {
  const house = await startAppliance()
  t.after(() => house.stop())
  const rooms = (list: string, language = 'en') =>
    house.ask('POST', '/api/config/v1/setup/actions/read-rooms', {
      body: { list },
      headers: { 'Accept-Language': language },
    })
  const { status, body, text } = await rooms('Zimmer;Typ\r101;DBL\r102–104;SUI')
  assert.equal(status, 200, text)
  assert.equal(body.data.attributes.rooms.length, 4)
  const wrong = await rooms('101;DBL\n102\n103', 'de')
  assert.equal(wrong.status, 422)
  assert.deepEqual(
    wrong.body.errors.map(({ detail, meta }: { detail: string; meta: object }) => [detail, meta]),
    [2, 3].map((line) => [
      `Zeile ${line} der Liste braucht ein Zimmer und eine Art ohne Leerzeichen, etwa 101;DBL;1.`,
      { line },
    ]),
  )
})
