import type { LinkRecord } from '../../devices/guest-link.ts'
import { languages, roomStatuses } from './fields.ts'

/** A guest in house, as the PMS tells of him. What it has not told is null. */
export interface Guest {
  /** G#, of the reservation; each guest who shares a room has his own. */
  number: string
  room: string
  /** Whether he shares the room with others who have numbers of their own. */
  shares: boolean | null
  lastName: string | null
  firstName: string | null
  title: string | null
  languageCode: string | null
  group: string | null
  /** YYYY-MM-DD. */
  arrival: string | null
  departure: string | null
  /** The house has him from before; in this life the PMS has told nothing of him yet. */
  isRemembered?: true
}

/** What a record says. */
export type GuestRecord =
  /** He is in house, and this is all that is known of him. */
  | { is: 'in'; guest: Guest }
  /** He is in house, and what is not null here is so now. */
  | { is: 'changed'; guest: Guest }
  /** Without a number: whoever is in the room. */
  | { is: 'out'; number: string | null; room: string | null; shares: boolean | null }
  | { is: 'room'; room: string; status: string }

type ReadDate = (text: string | undefined) => string | null

/** What the record says; null for one that says nothing of guests or rooms; a sentence for one that cannot be understood. */
export function readGuestRecord(record: LinkRecord, readDate: ReadDate): GuestRecord | string | null {
  const read = kinds[record.id]
  try {
    return read?.(record, readDate) ?? null
  } catch (error) {
    if (error instanceof Unreadable) return `${record.id}: ${error.message}`
    throw error
  }
}

class Unreadable extends Error {}

const kinds: Partial<Record<string, (record: LinkRecord, readDate: ReadDate) => GuestRecord | null>> = {
  GI: (record, readDate) => ({ is: 'in', guest: guestIn(record, readDate) }),
  GC: (record, readDate) => ({ is: 'changed', guest: guestIn(record, readDate) }),
  GO: ({ fields }) => {
    const [number, room] = [fields['G#'], fields.RN].map((text) => text?.trim() || null)
    if (!number && !room) throw new Unreadable('neither G#, the reservation, nor RN, the room, is told.')
    return { is: 'out', number: number ?? null, room: room ?? null, shares: sharing(fields.GS) }
  },
  RE({ fields: { RN, RS } }) {
    // It may be about the telephone or the message lamp alone.
    if (RS === undefined) return null
    const status = roomStatuses[Number(RS)]
    if (!RN?.trim()) throw new Unreadable('RN, the room, is missing.')
    if (!status) throw new Unreadable(`RS is ${RS}; a number from 1 to 6 was expected.`)
    return { is: 'room', room: RN.trim(), status }
  },
}

function guestIn({ fields }: LinkRecord, readDate: ReadDate): Guest {
  const number = required(fields['G#'], 'G#', 'the number of the reservation')
  const [arrival, departure] = (['GA', 'GD'] as const).map((name) => dateIn(name, fields[name], readDate))
  if (arrival && departure && departure < arrival) {
    throw new Unreadable(`GD, the departure, is ${departure}, before GA, ${arrival}.`)
  }
  return {
    number,
    room: required(fields.RN, 'RN', 'the room'),
    shares: sharing(fields.GS),
    lastName: short(fields.GN, 100),
    firstName: short(fields.GF, 100),
    title: short(fields.GT, 30),
    languageCode: languages[fields.GL?.trim() ?? ''] ?? null,
    group: short(fields.GG, 128),
    arrival: arrival ?? null,
    departure: departure ?? null,
  }
}

function required(text: string | undefined, name: string, what: string): string {
  const given = text?.trim() ?? ''
  if (given.length > 0 && given.length <= 60) return given
  throw new Unreadable(`${name}, ${what}, ${given === '' ? 'is missing' : 'has more than 60 characters'}.`)
}

function dateIn(name: string, text: string | undefined, readDate: ReadDate): string | null {
  if (text === undefined) return null
  const date = readDate(text.trim())
  if (!date) throw new Unreadable(`${name} is ${text}; a date was expected, YYMMDD.`)
  return date
}

function short(text: string | undefined, most: number): string | null {
  return text?.trim().slice(0, most) || null
}

function sharing(text: string | undefined): boolean | null {
  return text === undefined ? null : text.trim().toUpperCase() === 'Y'
}
