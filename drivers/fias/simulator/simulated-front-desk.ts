import { fieldNames, recordText } from '../record.ts'
import type { SimulatedFiasPms } from './pms-simulator.ts'

type Fields = Readonly<Record<string, string>>

/** The clerk of a simulated PMS. The PMS sends each action over its link, if there is one, and always stores it. */
export interface FrontDesk {
  /** Guests in house by G#, with the fields of GI. */
  guests: Map<string, Fields>
  /** Rooms that a swap reports as vacant. */
  vacant: string[]
  /** How the next swaps fail; each counts down. */
  manners: { silent: number; cutAfter: number[] }
  /** The number of swaps that were completed. */
  swaps: number
  checkIn(guest: Fields): void
  change(number: string, fields: Fields): void
  move(number: string, room: string): void
  checkOut(number: string): void
  /** Reports the housekeeping status of a room by its number. */
  maid(room: string, status: string): void
  /** Reports all guests, requested or not. */
  swap(): void
  /** Whether actions are sent over the link. A PMS does not send later what it did while this was false. */
  isReporting: boolean
}

/** The front desk of this PMS. It answers a request for a database swap. */
export function frontDesk(pms: SimulatedFiasPms): FrontDesk {
  const desk: FrontDesk = {
    guests: new Map(),
    vacant: [],
    manners: { silent: 0, cutAfter: [] },
    swaps: 0,
    isReporting: true,
    checkIn(guest) {
      desk.guests.set(guest['G#'] ?? '', guest)
      report('GI', guest)
    },
    change(number, fields) {
      const guest = { ...desk.guests.get(number), ...fields, 'G#': number }
      desk.guests.set(number, guest)
      report('GC', guest)
    },
    move(number, room) {
      const { RN: RO = '', ...guest } = desk.guests.get(number) ?? {}
      const moved = { ...guest, RN: room, 'G#': number }
      desk.guests.set(number, moved)
      report('GC', { ...moved, RO })
    },
    checkOut(number) {
      const { RN = '', GS = 'N' } = desk.guests.get(number) ?? {}
      desk.guests.delete(number)
      report('GO', { 'G#': number, RN, GS })
    },
    maid: (room, status) => report('RE', { RN: room, RS: status }),
    swap,
  }
  pms.requested = ({ id }) => {
    if (id === 'DR') swap()
  }
  return desk

  function report(id: string, fields: Fields): void {
    if (desk.isReporting) pms.send(textFor(pms, id, fields))
  }

  function swap(): void {
    if (desk.manners.silent > 0) {
      desk.manners.silent--
      return
    }
    // The flag of a swap is a field without a value.
    const all = [
      recordText('DS', {}),
      ...desk.vacant.map((RN) => `${textFor(pms, 'GO', { RN, GS: 'N' })}SF|`),
      ...[...desk.guests.values()].map((guest) => `${textFor(pms, 'GI', guest)}SF|`),
      recordText('DE', {}),
    ]
    const cut = desk.manners.cutAfter.shift()
    pms.send(...all.slice(0, cut))
    if (cut === undefined) desk.swaps++
    else pms.drop()
  }
}

/** A record with the fields that the other side wants. */
function textFor({ wanted }: SimulatedFiasPms, id: string, fields: Fields): string {
  const names = fieldNames(wanted.get(id) ?? '')
  return recordText(id, Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name))))
}
