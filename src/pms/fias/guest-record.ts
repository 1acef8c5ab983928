import { type LinkRecord, type ReadField, UnreadableField } from '../../devices/network/guest-link.ts'
import { languages, type meaning, roomStatuses } from './fields.ts'

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

/** What the record says; null for one that says nothing of guests or rooms; a sentence for one that cannot be understood. */
export function readGuestRecord(record: LinkRecord, readField: ReadField): GuestRecord | string | null {
  const read = kinds[record.id]
  try {
    return read?.(record, readField) ?? null
  } catch (error) {
    if (error instanceof UnreadableField) return `${record.id}: ${error.message}`
    throw error
  }
}

const kinds: Partial<Record<string, (record: LinkRecord, readField: ReadField) => GuestRecord | null>> = {
  GI: (record, readField) => ({ is: 'in', guest: guestIn(record, readField) }),
  GC: (record, readField) => ({ is: 'changed', guest: guestIn(record, readField) }),
  GO(record, readField) {
    const [number = null, room = null] = ['G#', 'RN'].map((name) => readField(record, name))
    if (!number && !room) throw new UnreadableField('neither G#, the reservation, nor RN, the room, is told.')
    return { is: 'out', number, room, shares: sharing(record.fields.GS) }
  },
  RE(record, readField) {
    const { RS } = record.fields
    // It may be about the telephone or the message lamp alone.
    if (RS === undefined) return null
    const room = readField(record, 'RN') ?? ''
    const status = roomStatuses[Number(RS)]
    if (!status) throw new UnreadableField(`RS is ${RS}; a number from 1 to 6 was expected.`)
    return { is: 'room', room, status }
  },
}

function guestIn(record: LinkRecord, readField: ReadField): Guest {
  const told = (name: keyof typeof meaning) => readField(record, name)
  const number = told('G#') ?? ''
  const [arrival, departure] = [told('GA'), told('GD')]
  if (arrival && departure && departure < arrival) {
    throw new UnreadableField(`GD, the departure, is ${departure}, before GA, ${arrival}.`)
  }
  return {
    number,
    room: told('RN') ?? '',
    shares: sharing(record.fields.GS),
    lastName: cut(told('GN'), 100),
    firstName: cut(told('GF'), 100),
    title: cut(told('GT'), 30),
    languageCode: languages[told('GL') ?? ''] ?? null,
    group: cut(told('GG'), 128),
    arrival,
    departure,
  }
}

function cut(text: string | null, most: number): string | null {
  return text?.slice(0, most) ?? null
}

function sharing(text: string | undefined): boolean | null {
  return text === undefined ? null : text.trim().toUpperCase() === 'Y'
}
