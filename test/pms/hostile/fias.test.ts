import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { passTime } from '../../test-clock.ts'
import { eventually } from '../sync/linked-house.ts'
import { checkIn, type Deeds, deedsAt, framed, type Row } from './fias-deeds.ts'
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
    { says: /accepts no connection/, ...down },
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
/** A swap of one guest, who is reported every 10 s for ever. */
function dripping(): Deeds {
  let timer: { cancel(): void } | undefined
  const { begin, end } = swaps(() => {
    timer?.cancel()
    house.foreign.send('DS|')
    timer = house.clock.setInterval(() => house.foreign.send(checkIn('R1', '301')), 10_000)
  })
  return {
    begin,
    end() {
      timer?.cancel()
      return end()
    },
  }
}

const databaseSwaps: Row[] = [
  ['whose records never end', { says: stopped }, dripping()],
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

it('A PMS over FIAS that answers each LA with LS is answered once a second at most', async () => {
  const { foreign } = house
  const { begin, end } = also((socket) => {
    socket.on('data', (bytes) => {
      if (bytes.includes('LA|')) socket.write(framed('LS|'))
    })
  })
  const { links } = foreign
  await begin()
  await eventually('a new link', () => foreign.links > links)
  foreign.received.splice(0)
  await passTime(60_000)
  const answers = foreign.received.filter(({ id }) => id === 'LA').length
  assert.ok(answers >= 10 && answers <= 62, `${answers} answers in a minute`)
  await end()
  house.wire.drop()
  await eventually('all is well', async () => (await house.warnings()).length === 0)
  await house.expectNoHarm()
})

it('A PMS over FIAS that falls silent on a line that stays open is named after six minutes, and heals', async () => {
  await heals([
    'silent',
    { says: /closed|confirm/, reaches: false },
    {
      async begin() {
        house.foreign.hasPower = false
        house.desk.isReporting = false
        await passTime(300_000)
      },
      end() {
        house.foreign.hasPower = true
        house.desk.isReporting = true
      },
    },
  ])
})

describe('A database swap over FIAS', () => {
  for (const row of databaseSwaps) it(`${row[0]} is named by the status, and heals`, () => heals(row))
})
