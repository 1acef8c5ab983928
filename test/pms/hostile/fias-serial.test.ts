import type { Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { checkOf } from '../../../src/devices/driving/stx-messages.ts'
import { type Deeds, deedsAt, type Row } from './fias-deeds.ts'
import { type FiasHouse, openFiasHouse } from './fias-house.ts'

let house: FiasHouse
before(async () => {
  house = await openFiasHouse(16, 'serial-lrc')
})
after(() => house.stop())

const { plays, sends, heals } = deedsAt(() => house)

const [ack, nak, enq] = ['\x06', '\x15', '\x05'] as const
const fine = { says: /^$/, arrives: true }
const down = { says: /confirm the link|not acknowledged|closed/, reaches: false }
const damaged = { says: /could not be processed: 1/, quarantined: { kind: 'Unreadable' }, arrives: true }

/** The PMS behaves well, but in place of each acknowledgement it sends this. */
const acknowledges = (signs: string): Deeds =>
  plays((socket: Socket) => {
    const write = socket.write.bind(socket) as (bytes: Uint8Array | string) => boolean
    socket.write = ((bytes: Uint8Array) =>
      bytes.length === 1 && bytes[0] === ack.charCodeAt(0) ? write(signs) : write(bytes)) as Socket['write']
    void house.foreign.play(socket)
  })

const checked = (text: string, off = 0) =>
  `\x02${text}\x03${String.fromCharCode(checkOf(Buffer.from(text, 'latin1')) ^ off)}`

const rows: Row[] = [
  ['acknowledges nothing', down, acknowledges('')],
  ['refuses each record', down, acknowledges(nak)],
  ['asks for a sign instead of sending one', down, acknowledges(enq)],
  ['acknowledges twice', fine, acknowledges(ack + ack)],
  ['acknowledges, and refuses the same record', fine, acknowledges(ack + nak)],
  ['acknowledges, and asks for the last sign', fine, acknowledges(ack + enq)],
  ['acknowledges what was not sent', fine, sends(() => ack.repeat(1_000))],
  ['refuses what was not sent', fine, sends(() => nak.repeat(1_000))],
  ['asks 1,000 times for the last sign', fine, sends(() => enq.repeat(1_000))],
  ['asks 1,000 times whether we are there', fine, sends(() => checked('LS|').repeat(1_000))],
  ['sends a record with a wrong check byte', damaged, sends(() => checked('RE|RN304|RS3|', 1))],
  [
    'sends 1,000 records with a wrong check byte',
    damaged,
    sends(() => checked('RE|RN304|RS3|', 7).repeat(1_000)),
  ],
  ['sends a record without its check byte', damaged, sends(() => '\x02RE|RN304|RS3|\x03')],
  ['sends half a record', damaged, sends(() => '\x02RE|RN304|')],
]

describe('A PMS on a serial line that', () => {
  for (const row of rows) it(`${row[0]} is named by the status, and heals`, () => heals(row))
})
