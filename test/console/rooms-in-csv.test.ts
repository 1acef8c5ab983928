import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { roomsInCsv, textOf } from '../../src/console/pages/setup/steps/rooms.ts'

const room = (name: string, unitType: string, floor?: string) => ({ name, unitType, ...(floor && { floor }) })

describe('a list of rooms', () => {
  for (const [title, text, rooms] of [
    ['with a heading', 'Room;Type;Floor\n101;DBL;1', [room('101', 'DBL', '1')]],
    ['of rooms with names', 'Rose;DBL\nLily;DBL', [room('Rose', 'DBL'), room('Lily', 'DBL')]],
    [
      'of rooms with names and types of their own',
      'Rose;Garden\nLily;Garden',
      [room('Rose', 'Garden'), room('Lily', 'Garden')],
    ],
    ['of one room with a name', 'Rose,SUI', [room('Rose', 'SUI')]],
    [
      'with separators and quotation marks in a cell',
      '"Suite 1, left","DBL"\t"the ""old"" floor"',
      [room('Suite 1, left', 'DBL', 'the "old" floor')],
    ],
    [
      'with empty cells and lines',
      '101;DBL;;\r\n\r\n;;\r\n102,DBL,',
      [room('101', 'DBL'), room('102', 'DBL')],
    ],
  ] as const)
    it(title, () => assert.deepEqual(roomsInCsv(text), rooms))

  it('names the line that it cannot read', () => {
    assert.throws(() => roomsInCsv('101;DBL\n102'), { line: 2 })
    assert.throws(() => roomsInCsv('Room;Type\n;DBL'), { line: 2 })
  })

  it('keeps its umlauts, as UTF-8 with a mark and as a spreadsheet on Windows saves it', () => {
    const utf8 = new TextEncoder().encode('\uFEFFSüd 1;DBL').buffer as ArrayBuffer
    const windows = Uint8Array.from('S\u00fcd 1;DBL', (letter) => letter.charCodeAt(0)).buffer
    for (const bytes of [utf8, windows]) assert.deepEqual(roomsInCsv(textOf(bytes)), [room('Süd 1', 'DBL')])
  })

  it('has 1,000 rooms', () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `R${index};DBL;${index % 9}`)
    assert.equal(roomsInCsv(lines.join('\r\n')).length, 1_000)
  })
})
