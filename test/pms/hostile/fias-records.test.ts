import { after, before, describe, it } from 'node:test'
import fc from '../../seed.ts'
import { checkIn, type Deeds, deedsAt, framed, type Row } from './fias-deeds.ts'
import { type FiasHouse, openFiasHouse } from './fias-house.ts'

let house: FiasHouse
before(async () => {
  house = await openFiasHouse(60)
})
after(() => house.stop())

const { sends, repeats, heals } = deedsAt(() => house)

const fine = { says: /^$/, arrives: true }
const unreadable = { says: /could not be processed: 1/, quarantined: { kind: 'Unreadable' }, arrives: true }
const many = { says: /could not be processed/, quarantined: { kind: 'Unreadable', count: 'many' } } as const
const bad = (record: string): Deeds => sends(() => framed(record))
const numbers = Array.from({ length: 10_000 }, (_, at) => `F${at}`)

const records: Row[] = [
  ['noise before a record', fine, sends(() => `\x00\xff noise ${framed('RE|RN304|RS3|')}`)],
  ['noise every second', fine, repeats('noise \r\n')],
  [
    'a letter that is none of the code page',
    { says: /letters|code page/, arrives: true },
    {
      begin: () => house.wire.raw(framed(checkIn('L1', '305').replace('ü', '\x81'))),
      end: () => house.foreign.send('GO|G#L1|RN305|'),
    },
  ],
  [
    'letters in another encoding',
    { says: /UTF-8/, arrives: true },
    {
      begin: () => house.wire.raw(Buffer.from(framed(checkIn('L2', '306')), 'utf8')),
      end: () => house.foreign.send('GO|G#L2|RN306|'),
    },
  ],
  ['a record that does not end', unreadable, sends(() => '\x02GI|G#X5|RN302')],
  ['a record that never ends', unreadable, sends(() => `\x02GI|${'x'.repeat(5_000_000)}`)],
  [
    'the beginning of a record every second',
    { ...unreadable, quarantined: { kind: 'Unreadable' } },
    repeats('\x02GI'),
  ],
  ['a record of 100,000 bytes', unreadable, bad(`GI|G#X6|GN${'x'.repeat(100_000)}|`)],
  ['an empty record', unreadable, bad('')],
  ['a record without a name', unreadable, bad('|||')],
  ['a record of words', unreadable, bad('Bonjour')],
  ['a record of control characters', unreadable, bad('\x00\x01\x1b[2J')],
  ['an unknown record', fine, bad('XX|AAB|')],
  ['an unknown field', fine, bad('RE|RN304|RS3|ZZ9|')],
  ['a guest without a number', unreadable, bad('GI|G#|RN302|GA260601|GD260603|')],
  ['a guest whose number is a blank', unreadable, bad('GI|G# |RN302|GA260601|GD260603|')],
  ['a number of 1,500 digits', unreadable, bad(`GI|G#${'7'.repeat(1_500)}|RN302|GA260601|GD260603|`)],
  ['a guest without a room', unreadable, bad('GI|G#X7|RN|GA260601|GD260603|')],
  [
    'a room that does not exist',
    unreadable,
    {
      begin: () => house.foreign.send('GI|G#X8|RN9999|GA260601|GD260603|GSN|'),
      end: () => house.foreign.send('GO|G#X8|RN9999|'),
    },
  ],
  [
    'the same field twice, of which the last one counts',
    unreadable,
    {
      begin: () => house.foreign.send('GI|G#R1|G#X12|RN301|RN9998|GA260601|GD269999|GD260603|GSN|'),
      end: () => house.foreign.send('GO|G#R1|G#X12|RN9998|'),
    },
  ],
  ['fields without a value', unreadable, bad('GI|G#X13|RN|GA|GD|GN|GS|')],
  ['a date that is none', unreadable, bad('GI|G#X9|RN302|GA260230|GD260603|')],
  ['a departure before the arrival', unreadable, bad('GI|G#X10|RN302|GA260603|GD260601|')],
  ['a status that does not exist', unreadable, bad('RE|RN301|RS99|')],
  ['a departure of an unknown guest', fine, bad('GO|G#X11|RN301|')],
  ['a departure of no guest', unreadable, bad('GO|')],
  ['an acknowledgement of each kind', fine, sends(() => '\x06\x06\x15\x15\x05\x05')],
  ['questions whether we are there', fine, repeats(framed(...Array(200).fill('LS|')))],
  ['confirmations of the link', fine, repeats(framed(...Array(200).fill('LA|')))],
]

const floods: Row[] = [
  ['questions whether we are there', fine, sends(() => framed(...Array(10_000).fill('LS|')))],
  ['confirmations of the link', fine, sends(() => framed(...Array(10_000).fill('LA|')))],
  ['the same guest', fine, sends(() => framed(...Array(10_000).fill(checkIn('R1', '301'))))],
  ['statuses', fine, sends(() => framed(...numbers.map((_, at) => `RE|RN304|RS${1 + (at % 6)}|`)))],
  [
    'statuses of rooms that do not exist',
    fine,
    sends(() => framed(...numbers.map((each) => `RE|RN${each}|RS1|`))),
  ],
  ['departures', fine, sends(() => framed(...numbers.map((each) => `GO|G#${each}|RN301|`)))],
  ['what is no record', many, sends(() => framed(...numbers.map((each) => `no record ${each}`)))],
  ['guests without dates', many, sends(() => framed(...numbers.map((each) => `GI|G#${each}|RN302|`)))],
  [
    'guests of rooms that do not exist',
    many,
    {
      begin: () => house.wire.raw(framed(...numbers.map((each) => checkIn(each, `N${each}`)))),
      end: () => house.wire.raw(framed(...numbers.map((each) => `GO|G#${each}|RNN${each}|`))),
    },
  ],
  [
    'guests who share an occupied room',
    { says: /./, arrives: true, quarantined: { kind: 'Reservation', count: 'many' } },
    {
      begin: () =>
        house.wire.raw(
          framed(...numbers.slice(0, 1_000).map((each) => checkIn(each, '301').replace('GSN', 'GSY'))),
        ),
      end: () => house.wire.raw(framed(...numbers.slice(0, 1_000).map((each) => `GO|G#${each}|RN301|`))),
    },
  ],
  [
    'guests who do not share an occupied room',
    { says: /./, arrives: true, quarantined: { kind: 'Reservation', count: 'many' } },
    {
      begin: () => house.wire.raw(framed(...numbers.slice(0, 200).map((each) => checkIn(each, '301')))),
      end: () => house.wire.raw(framed(...numbers.slice(0, 200).map((each) => `GO|G#${each}|RN301|`))),
    },
  ],
  ['requests for a database swap', fine, sends(() => framed(...Array(10_000).fill('DR|')))],
  ['ends of database swaps', fine, sends(() => framed(...Array(10_000).fill('DE|')))],
  ['empty database swaps', many, sends(() => framed(...Array(10_000).fill(['DS|', 'DE|']).flat()))],
]

describe('A PMS that sends over FIAS', () => {
  for (const row of records)
    it(`${row[0]} stops nothing else, is named by the status, and heals`, () => heals(row))

  it('any bytes does so', async () => {
    const bytes = fc.array(fc.integer({ min: 4, max: 255 }), { minLength: 1, maxLength: 300 })
    for (const [at, drawn] of fc.sample(bytes, 5).entries())
      await heals([`any bytes ${at}`, unreadable, bad(`-${String.fromCharCode(...drawn)}`)])
  })
})

describe('A PMS that sends over FIAS 10,000 at once of', () => {
  for (const row of floods) it(`${row[0]} stops nothing else, and heals`, () => heals(row))
})
