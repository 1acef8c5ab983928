import type { ServiceLink, ServiceSetup } from '../key-service.ts'

/** A record on a link: its name, and its fields by theirs, as the link's protocol has them. */
export interface LinkRecord {
  id: string
  fields: Readonly<Record<string, string>>
}

export interface GuestLinkSetup extends Omit<ServiceSetup, 'handle'> {
  /** What we say we are, as the PMS calls kinds of interfaces. */
  family: string
  /** Does what is ordered of keys, and never rejects; null where the PMS shall order none over this link. */
  handle: ServiceSetup['handle'] | null
  /**
   * The link is of use, and this is the beginning of what it tells: also when the other side has started anew on a line
   * that was not cut. Before anything is heard.
   */
  linked(): void
  /** The link is of no use, and why. Maybe more than once. */
  cut(reason: string): void
  /** What the PMS tells, in the order in which it comes; neither of the link nor of keys. */
  heard(record: LinkRecord): void
  /** What came and is no record, as text; null for what did not come through whole. */
  unread(text: string | null): void
}

/** A link over which a PMS tells its guests, which is kept open for ever. */
export interface GuestLink extends ServiceLink {
  /** Sends a record; fields that are null or empty are left out. Rejects with a DeviceFault when it did not get through. */
  send(id: string, fields: Readonly<Record<string, string | null>>): Promise<void>
}

/**
 * The value of a field as its protocol writes it, without blanks around it, dates as YYYY-MM-DD; null for one that is not
 * told. Throws an UnreadableField.
 */
export type ReadField = (record: LinkRecord, name: string) => string | null

/** A field that the record must have and has not, or whose value is none. The message is a sentence. */
export class UnreadableField extends Error {}

/** A protocol in which a PMS tells its guests to whoever is at the other end of a line. */
export interface GuestLinkDriver {
  /** JSON Schema of the line, as a configuration's `connection` has it: an object that lists its `properties`. */
  connection: { properties: Record<string, unknown>; [word: string]: unknown }
  /** The value of a field in a record about guests or rooms. */
  readField: ReadField
  /** Never throws; what cannot be reached is looked for, for ever. */
  open(setup: GuestLinkSetup): GuestLink
}
