import type { ServiceRequest } from '../../src/devices/key-service.ts'

/** What a field holds. */
interface FieldRow {
  /** The name of the field in a sentence, after `the`. */
  means: string
  /** YYMMDD, HHMMSS or HH:MM. Default: text. */
  holds?: 'date' | 'time' | 'minute'
  /** The maximum number of characters in the specification. Default: 200. */
  longest?: number
  /** Whether a recording may keep it. Any other field may hold a name, or data for a card. */
  isKept?: true
}

const kept = { isKept: true } as const

/** Every field in use. */
const fields = {
  // The link.
  DA: { means: 'date', holds: 'date', ...kept },
  TI: { means: 'time', holds: 'time', ...kept },
  'V#': { means: 'version', ...kept },
  IF: { means: 'family of the interface', ...kept },
  RT: { means: 'requested kinds of versions', ...kept },
  RI: { means: 'requested record', ...kept },
  FL: { means: 'requested fields of the record', ...kept },
  A0: { means: 'timeout of answers in seconds', ...kept },
  A1: { means: 'version of the PMS' },
  A2: { means: 'version of its interface driver' },
  A3: { means: 'version of its interface' },
  // Keys.
  KC: { means: 'encoder', longest: 8, ...kept },
  KT: { means: 'key type', ...kept },
  'K#': { means: 'number of keys', ...kept },
  KO: { means: 'key options', longest: 20, ...kept },
  WS: { means: 'workstation', longest: 16, ...kept },
  ID: { means: 'user', longest: 16 },
  SI: { means: 'further rooms', ...kept },
  AS: { means: 'status of the answer', ...kept },
  CT: { means: 'text for the clerk', longest: 40, ...kept },
  $2: { means: 'serial number of the card', longest: 19 },
  $3: { means: 'third track of the card', longest: 200 },
  // Guests and rooms.
  'G#': { means: 'number of the reservation', longest: 10, ...kept },
  RN: { means: 'room', longest: 8, ...kept },
  RO: { means: 'former room', longest: 8, ...kept },
  GA: { means: 'arrival', holds: 'date', ...kept },
  GD: { means: 'departure', holds: 'date', ...kept },
  DT: { means: 'departure time', holds: 'minute', ...kept },
  GN: { means: 'last name', longest: 200 },
  GF: { means: 'first name' },
  GT: { means: 'title' },
  GL: { means: 'language' },
  GG: { means: 'group' },
  GS: { means: 'share flag' },
  SF: { means: 'flag of a database swap' },
  RS: { means: 'status of the room' },
} as const satisfies Record<string, FieldRow>

type FieldName = keyof typeof fields

interface RecordRow {
  /** The sender. The vendor is the side that is not the PMS: a key system, or the appliance as one. */
  from: 'pms' | 'vendor' | 'both'
  /** In the order in which the vendor announces them. */
  fields: readonly FieldName[]
  /** The fields that the appliance as the vendor does not request. */
  unasked?: readonly FieldName[]
  /** The fields without which a record is invalid. */
  required?: readonly FieldName[]
  /** The fields that the other side must accept when a request has them: the key would be wrong without them. */
  needed?: readonly FieldName[]
  /** The record that answers a successful request. A failed request is answered with KA. */
  answer?: 'KA' | 'KZ'
  /** The request that the record makes to the appliance as the key system. */
  asks?: ServiceRequest['kind']
}

const moment = ['DA', 'TI'] as const
const guest = ['G#', 'RN', 'GA', 'GD', 'GN', 'GF', 'GT', 'GL', 'GG', 'GS'] as const

/**
 * Every record in use. A key request may lack GA and DT: the lock system then opens at once, and closes at its default
 * time of day. KO may be absent when it switches nothing on. Without G# the lock system knows only rooms and their
 * newest key: a copy is a copy of that key, and KD removes all keys of the room.
 */
const records = {
  // The link: start, alive, end; the vendor describes itself by LD, an LR for each record, and LA.
  LS: { from: 'both', fields: moment },
  LA: { from: 'both', fields: moment },
  LE: { from: 'both', fields: moment },
  LD: { from: 'vendor', fields: [...moment, 'V#', 'IF', 'RT'] },
  LR: { from: 'vendor', fields: ['RI', 'FL'] },
  LC: { from: 'pms', fields: ['RT', 'A0', 'A1', 'A2', 'A3'] },
  // Keys: a new one, its end, its change, what is on a card; and the answer.
  KR: {
    from: 'pms',
    fields: ['KC', 'KT', 'RN', 'WS', 'G#', 'GA', 'GD', 'DT', 'SI', 'KO', '$2', ...moment, 'K#', 'GN'],
    unasked: ['K#', 'GN'],
    needed: ['KT', 'RN', 'GD', 'SI'],
    answer: 'KA',
    asks: 'create',
  },
  KD: {
    from: 'pms',
    fields: ['KC', 'RN', 'WS', 'G#', ...moment, 'SI'],
    unasked: ['SI'],
    needed: ['RN'],
    answer: 'KA',
    asks: 'revoke',
  },
  KM: {
    from: 'pms',
    fields: ['KC', 'RN', 'RO', 'WS', 'G#', 'GA', 'GD', 'DT', 'GN', 'SI', ...moment],
    needed: ['G#', 'RN', 'RO', 'GD', 'SI'],
    answer: 'KA',
  },
  KZ: { from: 'both', fields: ['KC', 'WS', ...moment], answer: 'KZ', asks: 'read' },
  KA: { from: 'vendor', fields: ['AS', 'KC', 'WS', 'G#', 'CT', '$2', ...moment] },
  // Guests: in house, changed, gone; a room; a database swap is requested, begins, ends.
  GI: { from: 'pms', fields: [...guest, 'SF', ...moment], required: ['G#', 'RN'] },
  GC: { from: 'pms', fields: [...guest, 'RO', ...moment], required: ['G#', 'RN'] },
  GO: { from: 'pms', fields: ['G#', 'RN', 'GS', 'SF', ...moment] },
  RE: { from: 'both', fields: ['RN', 'RS', ...moment], required: ['RN'] },
  DR: { from: 'vendor', fields: moment },
  DS: { from: 'pms', fields: moment },
  DE: { from: 'pms', fields: moment },
} as const satisfies Record<string, RecordRow>

type RecordName = keyof typeof records

/** The fields of one record, for sending; null and missing ones are left out. */
export type FieldsOf<Name extends RecordName> = Partial<
  Record<(typeof records)[Name]['fields'][number], string | null>
>

/** The row of a record; undefined for an unknown one. */
export function rowOf(id: string): RecordRow | undefined {
  return Object.hasOwn(records, id) ? records[id as RecordName] : undefined
}

/** The row of a field; undefined for an unknown one. */
export function fieldRow(name: string): FieldRow | undefined {
  return Object.hasOwn(fields, name) ? fields[name as FieldName] : undefined
}

/** The records with which a key system answers. */
export const answers: readonly string[] = [
  'KA',
  ...Object.keys(records).flatMap((id) => rowOf(id)?.answer ?? []),
]

/** The fields that the appliance as the vendor announces for these records in LR. */
export function announced(
  ...ids: readonly RecordName[]
): readonly (readonly [id: RecordName, fields: readonly string[]])[] {
  return ids.map((id) => {
    const { fields, unasked = [] }: RecordRow = records[id]
    return [id, fields.filter((name) => !unasked.includes(name))]
  })
}
