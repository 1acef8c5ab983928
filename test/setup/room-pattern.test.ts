import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  floorOf,
  mostRooms,
  patternOf,
  type Room,
  RoomPatternRefused,
  readPattern,
} from '../../src/setup/room-pattern.ts'
import fc from '../seed.ts'

/** The rooms of a pattern that can be read whole. */
function roomsIn(pattern: string): Room[] {
  const { rooms, refused } = readPattern(pattern)
  if (refused[0]) throw refused[0]
  return rooms
}

const named = (pattern: string) => roomsIn(pattern).map(({ name, unitType }) => `${name} ${unitType}`)

describe('A room pattern', () => {
  it('has ranges, lists and exceptions', () => {
    const rooms = roomsIn('101-130 DBL; 201-230 DBL except 213; 301,302 SUI')
    assert.equal(rooms.length, 30 + 29 + 2)
    assert.deepEqual(rooms[0], { name: '101', unitType: 'DBL', floor: '1' })
    assert.ok(!rooms.some(({ name }) => name === '213'))
    assert.deepEqual(rooms.at(-1), { name: '302', unitType: 'SUI', floor: '3' })
  })

  it('keeps prefixes and leading zeros, and takes spaces as they come', () => {
    assert.deepEqual(named('A09-A11 SGL'), ['A09 SGL', 'A10 SGL', 'A11 SGL'])
    assert.deepEqual(named('A9-10 , Garden   SGL ;;'), ['A9 SGL', 'A10 SGL', 'Garden SGL'])
    assert.deepEqual(named('1-4 X EXCEPT 2, 3'), ['1 X', '4 X'])
    assert.deepEqual(['7', '101', '1203', '12034', 'A101'].map(floorOf), [null, '1', '12', '120', null])
  })

  for (const dash of [
    '-',
    ' - ',
    '\u2010',
    '\u2011',
    '\u2012',
    '\u2013',
    ' \u2013 ',
    '\u2014',
    '\u2015',
    '\u2212',
    '\uff0d',
  ])
    it(`has a range with any dash: ${JSON.stringify(dash)}`, () => {
      assert.deepEqual(named(`101${dash}104 DBL except 102${dash}103; A9, B1${dash}B2\u00a0SUI`), [
        '101 DBL',
        '104 DBL',
        'A9 SUI',
        'B1 SUI',
        'B2 SUI',
      ])
      assert.equal(patternOf([{ name: `A${dash.trim()}B`, unitType: 'DBL', floor: null }]), null)
    })

  it('is refused with the part and what was expected', () => {
    const wrong: [string, RegExp][] = [
      ['', /names no room/],
      ['101', /"101" cannot be read\. Expected rooms and a unit type/],
      ['101 102 DBL', /"101 102" in "101 102 DBL" is not a room/],
      ['130-101 DBL', /must go up/],
      ['A1-B3 DBL', /within one prefix/],
      ['A-B DBL', /not a range of numbers/],
      ['101-103 DBL except 104', /Room 104 after "except"/],
      ['101-103 DBL; 103 SUI', /Room 103 is named twice, the second time in "103 SUI"/],
      ['101,,102 DBL', /"" in/],
      ['1-999999 DBL', /at most 2000 rooms/],
      [`${'1-2000,'.repeat(700)}3001-5000 DBL except 3001-5000`, /at most 2000 rooms/],
    ]
    for (const [pattern, message] of wrong.filter(([, { source }]) => source !== 'x'))
      assert.throws(
        () => roomsIn(pattern),
        (error) => error instanceof RoomPatternRefused && message.test(error.message),
        pattern,
      )
  })

  it('is read to its thousandth mistake', () => {
    const { rooms, refused } = readPattern('1-2000 DBL;'.repeat(900))
    assert.deepEqual([rooms.length, refused.length], [2_000, 1_000])
  })

  const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,3}$/).filter((each) => !/^except$/i.test(each))
  const rooms = fc
    .uniqueArray(
      fc.oneof(
        fc.integer({ min: 1, max: 400 }).map(String),
        word,
        fc.integer({ min: 1, max: 30 }).map((n) => `B${String(n).padStart(2, '0')}`),
      ),
      {
        minLength: 1,
        maxLength: 60,
      },
    )
    .chain((names) =>
      fc.tuple(fc.constant(names), fc.array(word, { minLength: names.length, maxLength: names.length })),
    )
    .map(([names, types]) =>
      names.map((name, index): Room => ({ name, unitType: types[index % 3]!, floor: floorOf(name) })),
    )

  it('is found for any rooms, and describes just these', () => {
    const sorted = (each: readonly Room[]) => each.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    fc.assert(fc.property(rooms, (some) => assert.deepEqual(sorted(roomsIn(patternOf(some)!)), sorted(some))))
  })

  it('ends in rooms or a refusal, whatever is typed', () => {
    const piece = fc.constantFrom('101', '-', '–', ',', ';', ' ', 'DBL', 'except', 'A', '999999', '0', '\n')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          const found = roomsIn(pieces.join(''))
          assert.equal(new Set(found.map(({ name }) => name)).size, found.length)
          assert.ok(found.length <= mostRooms)
        } catch (error) {
          assert.ok(error instanceof RoomPatternRefused, String(error))
        }
      }),
    )
  })
})
