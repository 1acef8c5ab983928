import type { ServiceLink, ServiceSetup } from '../key-service.ts'

/** A record on a link: its name, and its fields by name, in the link's protocol. */
export interface LinkRecord {
  id: string
  fields: Readonly<Record<string, string>>
}

/**
 * The code page of a line seems not to be that of the PMS. `is-utf-8`: a record is in UTF-8, and was read as such. `no-letter`: bytes
 * that are no letter of the code page became replacement characters (U+FFFD).
 */
export interface CodePageDoubt {
  doubt: 'is-utf-8' | 'no-letter'
  /** The configured code page. */
  codePage: string
}

export interface GuestLinkSetup extends Omit<ServiceSetup, 'handle'> {
  /** The interface type that the appliance announces, in the terms of the PMS. */
  family: string
  /** Executes the key orders of the PMS, and never rejects; null where the PMS may order no keys over this link. */
  handle: ServiceSetup['handle'] | null
  /**
   * Called when the link comes up, before any record arrives. It is also called when the other side has restarted on a
   * line that was not cut.
   */
  linked(): void
  /** Called with the reason when the link goes down. It may be called more than once. */
  cut(reason: string): void
  /** Called with each record about guests or rooms, in the order of arrival. */
  received(record: LinkRecord): void
  /** Called with the text of what arrived and is not a record; null when it was damaged on the line. */
  unread(text: string | null): void
  /** Called before `received` with a record whose letters do not fit the code page of the line. */
  doubted(record: LinkRecord, doubt: CodePageDoubt): void
}

/** A link over which a PMS reports its guests, which the appliance keeps open. */
export interface GuestLink extends ServiceLink {
  /**
   * Sends a record; fields that are null or empty are left out. Rejects with a DeviceFault when the record was not
   * delivered.
   */
  send(id: string, fields: Readonly<Record<string, string | null>>): Promise<void>
  /** Null when the name of a unit can be sent as it is; otherwise the reason why not. Shortened, it could name another unit. */
  roomProblem(unitName: string): string | null
}

/**
 * Returns the value of a field in its protocol, trimmed, with dates as YYYY-MM-DD; null when the field is absent.
 * Throws an UnreadableField.
 */
export type ReadField = (record: LinkRecord, name: string) => string | null

/** A required field is absent, or its value is invalid. The message is a sentence. */
export class UnreadableField extends Error {}

/** A protocol in which a PMS reports its guests over a line. */
export interface GuestLinkDriver {
  /** JSON Schema of the line, for a configuration's `connection`: an object that lists its `properties`. */
  connection: { properties: Record<string, unknown>; [word: string]: unknown }
  /** Reads a field of a record about guests or rooms. */
  readField: ReadField
  /** Never throws. When the PMS cannot be reached, the link reconnects without end. */
  open(setup: GuestLinkSetup): GuestLink
}
