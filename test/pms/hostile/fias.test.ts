import type { Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { checkIn, deedsAt, framed, type Row } from './fias-deeds.ts'
import { type FiasHouse, openFiasHouse } from './fias-house.ts'

let house: FiasHouse
before(async () => {
  house = await openFiasHouse(40)
})
after(() => house.stop())

const { plays, also, swaps, heals } = deedsAt(() => house)

const fine = { says: /^$/, arrives: true }

/** Answers what asks whether it is there, and confirms the link, and then does something else. */
const linked = (then: (socket: Socket) => void) => (socket: Socket) => {
  socket.write(framed('LS|'))
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
    if (!received.includes('LA|')) return
    received = ''
    socket.write(framed('LA|'))
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
  [
    'that closes each connection',
    { says: /closed|ECONNRESET/, ...down },
    plays((socket) => void socket.destroy()),
  ],
  [
    'that closes after each record',
    { says: /closed|ECONNRESET/, ...down },
    plays((socket) => {
      socket.end(framed('LS|'))
    }),
  ],
  [
    'that closes after each record of a link that it has confirmed',
    { says: /closed|ended|ECONNRESET/, ...down },
    plays(linked((socket) => void socket.end(framed('RE|RN301|RS1|')))),
  ],
  [
    'that closes in the middle of a record',
    { says: /closed|ended|ECONNRESET/, ...down },
    plays(linked((socket) => void socket.end('\x02GI|G#R1|RN30'))),
  ],
  [
    'that ends each link',
    { says: /closed|ended|ECONNRESET/, ...down },
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
    'that asks 500 times at its begin for the announcement',
    fine,
    also((socket) => void socket.write(framed(...Array(500).fill('LS|')))),
  ],
  [
    'that sends guests, and never confirms the link',
    { says: /does not confirm the link/, ...down },
    plays((socket) => void socket.write(framed('GI|G#X1|RN302|GA260601|GD260603|GSN|'))),
  ],
]

const began = /begun none/
const stopped = /has not ended it/
const databaseSwaps: Row[] = [
  ['that is never begun', { says: began }, swaps(() => {})],
  ['that ends and has not begun', { says: began }, swaps(() => house.foreign.send('DE|'))],
  [
    'that begins and never ends',
    { says: stopped },
    swaps(() => house.foreign.send('DS|', checkIn('R1', '301'))),
  ],
  [
    'that begins again and again, and never ends',
    { says: stopped },
    swaps(() => house.foreign.send(...Array(1_000).fill('DS|'))),
  ],
  [
    'of more records than any',
    { says: /more than 50000 records/ },
    swaps(() => {
      house.foreign.send('DS|')
      for (let part = 0; part < 51; part++) house.foreign.send(...Array(1_000).fill(checkIn('R1', '301')))
    }),
  ],
  [
    'that is cut',
    { says: /closed|ended|ECONNRESET/, ...down },
    swaps(() => {
      house.foreign.send('DS|', checkIn('R1', '301'))
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
    swaps(() => house.foreign.send('DS|', 'GI|G#X3|RN302|GA269999|GD260603|', checkIn('X4', '303'), 'DE|')),
  ],
]

describe('A line of a PMS over FIAS', () => {
  for (const row of lines) it(`${row[0]} is named by the status, and heals`, () => heals(row))
})

describe('A database swap over FIAS', () => {
  for (const row of databaseSwaps) it(`${row[0]} is named by the status, and heals`, () => heals(row))
})
