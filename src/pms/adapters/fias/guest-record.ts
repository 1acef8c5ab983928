import { type LinkRecord, type ReadField, UnreadableField } from '../../../devices/network/guest-link.ts'
import { languages, type meaning, roomStatuses } from './fields.ts'

/** A guest in house, as the PMS reports him. An unreported value is null. */
export interface Guest {
  /** G#, the number of the reservation; each guest who shares a room has his own number. */
  number: string
  room: string
  /** Whether he shares the room with guests who have numbers of their own. */
  shares: boolean | null
  lastName: string | null
  firstName: string | null
  title: string | null
  languageCode: string | null
  group: string | null
  /** YYYY-MM-DD. */
  arrival: string | null
  departure: string | null
  /** True when the appliance knows him from before a restart, and the PMS has not reported him since. */
  isRemembered?: true
}

/** The content of a record. */
export type GuestRecord =
  /** The guest is in house; the record contains everything that is known of him. */
  | { is: 'in'; guest: Guest }
  /** The guest is in house; the values that are not null are current. */
  | { is: 'changed'; guest: Guest }
  /** The guest has left. Without a number, all guests of the room have left. */
  | { is: 'out'; number: string | null; room: string | null; shares: boolean | null }
  | { is: 'room'; room: string; status: string }

/** Parses a record; null for one that concerns neither guests nor rooms; a sentence for an invalid one. */
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
    if (!number && !room)
      throw new UnreadableField('the record has neither G# (the reservation) nor RN (the room).')
    return { is: 'out', number, room, shares: sharing(record.fields.GS) }
  },
  RE(record, readField) {
    const { RS } = record.fields
    // The record may concern only the telephone or the message lamp.
    if (RS === undefined) return null
    const room = readField(record, 'RN') ?? ''
    const status = roomStatuses[Number(RS)]
    if (!status) throw new UnreadableField(`RS is ${RS}; a number from 1 to 6 was expected.`)
    return { is: 'room', room, status }
  },
}

function guestIn(record: LinkRecord, readField: ReadField): Guest {
  const field = (name: keyof typeof meaning) => readField(record, name)
  const number = field('G#') ?? ''
  const [arrival, departure] = [field('GA'), field('GD')]
  if (arrival && departure && departure < arrival) {
    throw new UnreadableField(`GD, the departure, is ${departure}, before GA, ${arrival}.`)
  }
  return {
    number,
    room: field('RN') ?? '',
    shares: sharing(record.fields.GS),
    lastName: cut(field('GN'), 100),
    firstName: cut(field('GF'), 100),
    title: cut(field('GT'), 30),
    languageCode: languages[field('GL') ?? ''] ?? null,
    group: cut(field('GG'), 128),
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
