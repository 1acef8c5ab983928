import type { Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import fc from '../../seed.ts'
import { passTime } from '../../test-clock.ts'
import { guestOf } from '../adapters/fias/guests.ts'
import { eventually } from '../sync/linked-house.ts'
import { type FiasHouse, openFiasHouse } from './fias-house.ts'
import { type Expected, expectHealing } from './hostile-house.ts'

let house: FiasHouse
before(async () => {
  house = await openFiasHouse(120)
})
after(() => house.stop())

interface Deeds {
  begin(): Promise<void> | void
  end(): Promise<void> | void
}
type Row = [what: string, expected: Expected, deeds: Deeds]

const framed = (...texts: string[]) => texts.map((text) => `\x02${text}\x03`).join('')
const link = framed('LA|DA260801|TI120000|')

/** Does it to each connection instead of what a PMS does. */
const plays = (play: (socket: Socket) => void): Deeds => ({
  begin() {
    house.wire.play = play
    house.wire.drop()
  },
  end() {
    house.wire.play = (socket) => void house.foreign.play(socket)
  },
})

/** Sends these bytes on a line that works. */
const sends = (bytes: string | (() => string)): Deeds => ({
  begin: () => house.wire.raw(typeof bytes === 'string' ? bytes : bytes()),
  end() {},
})

/** Sends these bytes every second. */
function repeats(bytes: string): Deeds {
  let timer: { cancel(): void }
  return {
    begin() {
      house.wire.raw(bytes)
      timer = house.clock.setInterval(() => house.wire.raw(bytes), 1_000)
    },
    end: () => timer.cancel(),
  }
}

/** Answers each request for a database swap so, on a new line. */
function swaps(answer: () => void): Deeds {
  let answered: typeof house.foreign.requested
  return {
    async begin() {
      const { links } = house.foreign
      answered = house.foreign.requested
      house.foreign.requested = ({ id }) => {
        if (id === 'DR') answer()
      }
      house.wire.drop()
      await eventually('a new link', () => house.foreign.links > links)
    },
    end() {
      house.foreign.requested = answered
    },
  }
}

/** Answers what asks whether it is there, and confirms the link, and then does something else. */
const linked = (then: (socket: Socket) => void) => (socket: Socket) => {
  socket.write(framed('LS|'))
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
    if (!received.includes('LA|')) return
    received = ''
    socket.write(link)
    then(socket)
  })
}

/** The line is of no use. */
const down = { reaches: false }

const lines: Row[] = [
  [
    'that refuses connections',
    { says: /ECONNREFUSED/, ...down },
    { begin: () => house.wire.refuse(), end: () => house.wire.listen() },
  ],
  [
    'that accepts a connection and is silent',
    { says: /does not confirm the link/, ...down },
    plays(() => {}),
  ],
  ['that closes each connection', { says: /closed/, ...down }, plays((socket) => void socket.destroy())],
  [
    'that closes after each record',
    { says: /closed/, ...down },
    plays((socket) => {
      socket.end(framed('LS|'))
    }),
  ],
  [
    'that closes after each record of a link that it has confirmed',
    { says: /closed|ended/, ...down },
    plays(linked((socket) => void socket.end(framed('RE|RN301|RS1|')))),
  ],
  [
    'that closes in the middle of a record',
    { says: /closed|ended/, ...down },
    plays(linked((socket) => void socket.end('\x02GI|G#R1|RN30'))),
  ],
  [
    'that ends each link',
    { says: /closed|ended/, ...down },
    plays(linked((socket) => void socket.write(framed('LE|')))),
  ],
  [
    'that begins and never confirms the link',
    { says: /does not confirm the link/, ...down },
    plays((socket) => void socket.write(framed('LS|'))),
  ],
  [
    'that begins again and again, and never confirms the link',
    { says: /does not confirm the link/, ...down },
    plays((socket) => {
      const timer = house.clock.setInterval(() => socket.write(framed(...Array(100).fill('LS|'))), 100)
      socket.on('close', () => timer.cancel())
    }),
  ],
  [
    'that sends noise only',
    { says: /does not confirm the link/, ...down },
    plays((socket) => {
      const timer = house.clock.setInterval(() => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), 500)
      socket.on('close', () => timer.cancel())
    }),
  ],
  [
    'that sends guests, and never confirms the link',
    { says: /does not confirm the link/, ...down },
    plays((socket) => void socket.write(framed('GI|G#X1|RN302|GA260601|GD260603|GSN|'))),
  ],
]

const began = /began none|gave no answer|in time/
const stopped = /stopped in the middle|gave no answer|in time/
const guest = (number: string, room: string) =>
  `GI|${Object.entries(guestOf(number, room))
    .map(([name, value]) => `${name}${value}|`)
    .join('')}`

const databaseSwaps: Row[] = [
  ['that is never begun', { says: began }, swaps(() => {})],
  ['that ends and has not begun', { says: began }, swaps(() => house.foreign.send('DE|'))],
  [
    'that begins and never ends',
    { says: stopped },
    swaps(() => house.foreign.send('DS|', guest('R1', '301'))),
  ],
  [
    'that begins again and again, and never ends',
    { says: stopped },
    swaps(() => house.foreign.send(...Array(1_000).fill('DS|'))),
  ],
  [
    'of more records than any',
    { says: /more than 50000 records|in time/ },
    swaps(() => {
      house.foreign.send('DS|')
      for (let part = 0; part < 51; part++) house.foreign.send(...Array(1_000).fill(guest('R1', '301')))
    }),
  ],
  [
    'that is cut',
    { says: /closed|ended/, ...down },
    swaps(() => {
      house.foreign.send('DS|', guest('R1', '301'))
      house.wire.drop()
    }),
  ],
  [
    'that names no guest',
    { says: /could not be processed: 1/, quarantined: { kind: 'Unreadable' } },
    swaps(() => house.foreign.send('DS|', 'DE|')),
  ],
  [
    'that has a record which cannot be read',
    { says: /could not be processed/, quarantined: { kind: 'Unreadable', count: 2 } },
    swaps(() => house.foreign.send('DS|', 'GI|G#X3|RN302|GA269999|GD260603|', guest('X4', '303'), 'DE|')),
  ],
]

const unreadable = { says: /could not be processed: 1/, quarantined: { kind: 'Unreadable' }, arrives: true }
const fine = { says: /^$/, arrives: true }
const bad = (record: string): Row[2] => sends(framed(record))

const records: Row[] = [
  ['noise before a record', fine, sends(`\x00\xff noise ${framed('RE|RN304|RS3|')}`)],
  ['noise every second', fine, repeats('noise \r\n')],
  ['a record that does not end', unreadable, sends('\x02GI|G#X5|RN302')],
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
  ['a date that is none', unreadable, bad('GI|G#X9|RN302|GA260230|GD260603|')],
  ['a departure before the arrival', unreadable, bad('GI|G#X10|RN302|GA260603|GD260601|')],
  ['a status that does not exist', unreadable, bad('RE|RN301|RS99|')],
  ['a departure of an unknown guest', fine, bad('GO|G#X11|RN301|')],
  ['a departure of no guest', unreadable, bad('GO|')],
  ['an acknowledgement of each kind', fine, sends('\x06\x06\x15\x15\x05\x05')],
  ['questions whether we are there', fine, repeats(framed(...Array(200).fill('LS|')))],
  ['confirmations of the link', fine, repeats(framed(...Array(200).fill('LA|')))],
]

async function heals([what, expected, deeds]: Row): Promise<void> {
  await expectHealing(house, what, expected, deeds)
  await house.expectNoHarm()
  // A line that was up for less than a second is opened again after a longer pause.
  await passTime(2_000)
}

describe('A line of a PMS over FIAS', () => {
  for (const row of lines) it(`${row[0]} is named by the status, and heals`, () => heals(row))
})

describe('A database swap over FIAS', () => {
  for (const row of databaseSwaps) it(`${row[0]} is named by the status, and heals`, () => heals(row))
})

describe('A PMS that sends over FIAS', () => {
  for (const row of records)
    it(`${row[0]} stops nothing else, is named by the status, and heals`, () => heals(row))

  it('any bytes does so', async () => {
    const bytes = fc.array(fc.integer({ min: 4, max: 255 }), { minLength: 1, maxLength: 300 })
    for (const [at, drawn] of fc.sample(bytes, 5).entries())
      await heals([`any bytes ${at}`, unreadable, bad(`-${String.fromCharCode(...drawn)}`)])
  })
})
