import { createHash } from 'node:crypto'
import { uuidPattern } from '../resource/fields.ts'
import type { JournalLine } from '../resource/keeper.ts'
import type { CloudEvent } from './cloud-event.ts'
import { changedBy, type EventKind, toldOf } from './event-kinds.ts'

/** What an event says: what it is about and which of its fields changed. To know more, ask; a few types say a little more. */
export interface Told {
  /** Null where it is about nothing that has an id. */
  id: string | null
  /** Of the resource. */
  type: string
  /** The one the change led to; null where that was not written down. */
  revision: number | null
  changed: string[]
  links: { self: string | null }
  [more: string]: unknown
}

/** Whose events they are. */
export interface Origin {
  /** `urn:property:` and the property's id. */
  source: string
  /** Never changes and is that of no other house: event ids are made with it. */
  houseId: string
}

export const dataSchema = 'urn:nightporter:event-data:1'

/** A line of the journal as it is told outside. The same line is always the same event. */
export function eventOf(line: JournalLine, kind: EventKind, { source, houseId }: Origin): CloudEvent<Told> {
  const { sequence, at, type, data } = line
  const id = idIn(line.subject)
  const revision = typeof data.revision === 'number' ? data.revision : null
  return {
    specversion: '1.0',
    id: lineId(houseId, line),
    source,
    type,
    subject: subjectOf(line.subject, kind),
    time: new Date(at).toISOString(),
    datacontenttype: 'application/json',
    dataschema: dataSchema,
    sequence: sequenceText(sequence),
    data: {
      id,
      type: kind.resource?.type ?? type.slice(0, type.indexOf('.')),
      revision,
      changed: changedBy(type, data),
      links: { self: selfOf(kind, id) },
      ...toldOf(type, data),
    },
  }
}

/** Twenty digits: in the order of texts as in that of numbers. */
export function sequenceText(sequence: number): string {
  return String(sequence).padStart(20, '0')
}

/** A UUID of version 5. The moment is in it: after a backup was put back, another line has the number. */
function lineId(houseId: string, { sequence, at }: JournalLine): string {
  const digest = createHash('sha1').update(`${houseId}/${sequence}/${at}`).digest().subarray(0, 16)
  digest[6] = (digest[6]! & 0x0f) | 0x50
  digest[8] = (digest[8]! & 0x3f) | 0x80
  const hex = digest.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function idIn(subject: string): string | null {
  const last = subject.slice(subject.lastIndexOf('/') + 1)
  return uuidPattern.test(last) ? last : null
}

function subjectOf(subject: string, { subject: renamed }: EventKind): string {
  if (!renamed || !subject.startsWith(`${renamed.from}/`)) return subject
  return renamed.to + subject.slice(renamed.from.length)
}

function selfOf({ resource }: EventKind, id: string | null): string | null {
  if (!resource) return '/api/v2/status'
  return id === null ? null : `${resource.base}/${resource.path}/${id}`
}
