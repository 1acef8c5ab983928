import { fieldNames, recordText } from '../record.ts'
import type { SimulatedPms } from './pms-simulator.ts'

type Fields = Readonly<Record<string, string>>

/** The clerk of a simulated PMS: what he does is told over its link, if there is one, and is known to the PMS in any case. */
export interface FrontDesk {
  /** Guests in house by G#, with the fields of GI. */
  guests: Map<string, Fields>
  /** Rooms that a swap tells to be vacant. */
  vacant: string[]
  /** How the next swaps go wrong; each counts down. */
  manners: { silent: number; cutAfter: number[] }
  /** How many swaps were told to their end. */
  swaps: number
  checkIn(guest: Fields): void
  change(number: string, fields: Fields): void
  move(number: string, room: string): void
  checkOut(number: string): void
  /** Tells of a room that it is now as this number says. */
  maid(room: string, status: string): void
  /** Tells all guests, asked or not. */
  swap(): void
  /** Whether what is done reaches the link; a PMS tells nothing later of what it kept for itself. */
  isTelling: boolean
}

/** The desk of this PMS, which answers when the other side asks for a database swap. */
export function frontDesk(pms: SimulatedPms): FrontDesk {
  const desk: FrontDesk = {
    guests: new Map(),
    vacant: [],
    manners: { silent: 0, cutAfter: [] },
    swaps: 0,
    isTelling: true,
    checkIn(guest) {
      desk.guests.set(guest['G#'] ?? '', guest)
      tell('GI', guest)
    },
    change(number, fields) {
      const guest = { ...desk.guests.get(number), ...fields, 'G#': number }
      desk.guests.set(number, guest)
      tell('GC', guest)
    },
    move(number, room) {
      const { RN: RO = '', ...guest } = desk.guests.get(number) ?? {}
      const moved = { ...guest, RN: room, 'G#': number }
      desk.guests.set(number, moved)
      tell('GC', { ...moved, RO })
    },
    checkOut(number) {
      const { RN = '', GS = 'N' } = desk.guests.get(number) ?? {}
      desk.guests.delete(number)
      tell('GO', { 'G#': number, RN, GS })
    },
    maid: (room, status) => tell('RE', { RN: room, RS: status }),
    swap,
  }
  pms.asked = ({ id }) => {
    if (id === 'DR') swap()
  }
  return desk

  function tell(id: string, fields: Fields): void {
    if (desk.isTelling) pms.say(text(id, fields))
  }

  /** Of the fields those that the other side wants. */
  function text(id: string, fields: Fields): string {
    const names = fieldNames(pms.wanted.get(id) ?? '')
    return recordText(id, Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name))))
  }

  function swap(): void {
    if (desk.manners.silent > 0) {
      desk.manners.silent--
      return
    }
    // The flag of a swap is a field without a value.
    const all = [
      recordText('DS', {}),
      ...desk.vacant.map((RN) => `${text('GO', { RN, GS: 'N' })}SF|`),
      ...[...desk.guests.values()].map((guest) => `${text('GI', guest)}SF|`),
      recordText('DE', {}),
    ]
    const cut = desk.manners.cutAfter.shift()
    pms.say(...all.slice(0, cut))
    if (cut === undefined) desk.swaps++
    else pms.drop()
  }
}
