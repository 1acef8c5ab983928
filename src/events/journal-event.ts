import { createHash } from 'node:crypto'
import { uuidPattern } from '../resource/fields.ts'
import type { JournalLine } from '../resource/keeper.ts'
import { sequenceText } from '../resource/sequence-text.ts'
import type { CloudEvent } from './cloud-event.ts'
import { changedBy, type EventKind, publishedData } from './event-kinds.ts'

/**
 * The data of an event: its resource and the names of the changed fields. A client reads the resource for the
 * values; a few types contain more.
 */
export interface Published {
  /** The id of the event's resource; null without one. */
  id: string | null
  /** The type of the resource. */
  type: string
  /** The revision after the change; null when it was not recorded. */
  revision: number | null
  changed: string[]
  /**
   * Who caused it: the id of an account, a token or a kiosk's station with its name, or a part of the appliance without
   * one.
   */
  by: { id: string; name: string | null }
  links: { self: string | null }
  [more: string]: unknown
}

/** The property to which the events belong. */
export interface Origin {
  /** `urn:property:` and the property's id. */
  source: string
  /** An id that never changes and that no other property has. Event ids are derived from it. */
  houseId: string
  /** Returns the name of an actor; null without one. */
  nameOf(actor: string): string | null
}

export const dataSchema = 'urn:nightporter:event-data:1'

/** Converts a journal line to a published event. The same line always gives the same event, but for the name of who caused it. */
export function eventOf(
  line: JournalLine,
  kind: EventKind,
  { source, houseId, nameOf }: Origin,
): CloudEvent<Published> {
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
      changed: shown(kind, changedBy(type, data)),
      by: { id: line.actor, name: nameOf(line.actor) },
      links: { self: selfOf(kind, id) },
      ...publishedData(type, data),
    },
  }
}

/**
 * Returns a UUID of version 5. It includes the time of the line, because after a restore another line may
 * have the same number.
 */
function lineId(houseId: string, { sequence, at }: JournalLine): string {
  const digest = createHash('sha1').update(`${houseId}/${sequence}/${at}`).digest().subarray(0, 16)
  digest[6] = (digest[6]! & 0x0f) | 0x50
  digest[8] = (digest[8]! & 0x3f) | 0x80
  const hex = digest.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The names by which readers see the fields: a hidden field has the name of the field that shows it, or none. */
function shown({ resource }: EventKind, names: string[]): string[] {
  const seen = names.flatMap((name) => {
    const { hidden = false, shownAs } = resource?.fields[name]?.options ?? {}
    return hidden ? (shownAs ?? []) : name
  })
  return [...new Set(seen)]
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
