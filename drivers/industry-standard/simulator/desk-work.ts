import { wallOf } from '../dates.ts'
import type { LockPc, PcCard, PcCardContent, PcRoom } from './lock-pc.ts'

/** The result of a request: the fields of an answer without its command, or a failure's code. */
export type DeskResult = { fields: string[] } | { code: string }

/** Validates a request before a card is requested: the code of the failure, or null. */
export function objection(pc: LockPc, letters: string, params: readonly string[]): string | null {
  const [, eject = '', ...rest] = params
  if (eject !== 'E' && eject !== 'R') return 'ES'
  if (letters === 'LT') return null
  const rooms = roomsIn(rest)
  const [start = '', expiry = '', operator = ''] = rest.slice(6)
  if (rooms.length === 0 || (letters === 'CA' && rooms.length > 1)) return 'ES'
  if (start !== '' && expiry === '') return 'ES'
  if (![start, expiry].every((date) => date === '' || isDate(date, pc.dateFormat))) return 'ES'
  if (!/^[1-8]{0,8}$/.test(rest[4] ?? '') || !/^[1-8]{0,8}$/.test(rest[5] ?? '')) return 'ES'
  if (pc.login !== null && operator !== pc.login) return 'PE'
  for (const name of rooms) {
    const room = pc.rooms.get(name)
    const code = room ? roomObjection(room, letters, pc) : 'TD'
    if (code) return code
  }
  return null
}

function roomObjection(room: PcRoom, letters: string, pc: LockPc): string | null {
  if (room.isOutOfService) return 'OS'
  if (room.isTaken) return 'EO'
  if (letters === 'CC' && !room.isCheckedIn) return 'EA'
  if (letters === 'CA' && room.onceCards >= pc.onceCardsMost) return 'EA'
  return null
}

/** Makes a card. The request must have passed the validation. */
export function make(pc: LockPc, letters: string, params: readonly string[], card: PcCard): DeskResult {
  const rest = params.slice(2)
  const [start = '', expiry = '', operator = ''] = rest.slice(6)
  const rooms = roomsIn(rest).map((name) => ({ name, room: pc.rooms.get(name)! }))
  for (const { room } of rooms) {
    if (letters === 'CN') Object.assign(room, { issue: room.issue + 1, copies: 0, isCheckedIn: true })
    if (letters === 'CC') room.copies++
    if (letters === 'CA') room.onceCards++
  }
  card.holds = {
    rooms: rooms.map(({ name, room }) => ({ name, issue: room.issue })),
    copy: letters === 'CC' ? rooms[0]!.room.copies : 0,
    opensOnce: letters === 'CA',
    granted: rest[4] ?? '',
    denied: rest[5] ?? '',
    start: start === '' ? pc.shown() : sortable(start),
    expiry: expiry === '' ? '' : sortable(expiry),
    operator,
  }
  pc.cards.set(card.uid, card)
  return { fields: pc.reportsUid ? [card.uid] : [] }
}

/** The answer of CO: the room has no guest from now on, or `TD` for an unknown room. */
export function checkOut(pc: LockPc, name: string): DeskResult {
  const room = pc.rooms.get(name)
  if (!room) return { code: 'TD' }
  room.isCheckedIn = false
  return { fields: [] }
}

/** The answer of LT for a card: `LD` for a blank one, `LC` for one of an earlier guest. */
export function readCard(pc: LockPc, { uid, holds }: PcCard): DeskResult {
  if (!holds) return { fields: ['LD'] }
  const first = pc.rooms.get(holds.rooms[0]?.name ?? '')
  if (first?.issue !== holds.rooms[0]?.issue) return { fields: ['LC'] }
  const rooms = Array.from({ length: 4 }, (_, index) => holds.rooms[index]?.name ?? '')
  const state = first?.isCheckedIn ? 'CI' : 'CO'
  const dates = [holds.start, holds.expiry].map((date) => onWire(date, pc.dateFormat))
  const rest = [state, String(holds.copy), holds.granted, ...dates, holds.operator]
  return { fields: [...rooms, ...rest, ...(pc.reportsUid ? [uid] : [])] }
}

function roomsIn(rest: readonly string[]): string[] {
  return rest.slice(0, 4).filter((name) => name !== '')
}

function isDate(text: string, format: LockPc['dateFormat']): boolean {
  return text.length === format.length && wallOf(text) !== null
}

/** YYYYMMDDHHmm, which sorts in time order. */
function sortable(text: string): string {
  const { date, time } = wallOf(text)!
  return `${date.replaceAll('-', '')}${time.slice(0, 2)}${time.slice(3, 5)}`
}

function onWire(date: PcCardContent['start'], format: LockPc['dateFormat']): string {
  const [, year, month, day, hour, minute] = /^\d\d(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(date) ?? []
  if (!year) return ''
  return `${hour}${format === 'HHDDMMYY' ? '' : minute}${day}${month}${year}`
}
