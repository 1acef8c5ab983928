import type { LinkRecord, ReadField } from '../../../devices/network/guest-link.ts'
import type { GuestBook } from './guest-book.ts'
import { type GuestRecord, readGuestRecord } from './guest-record.ts'
import type { Quarantine } from './quarantine.ts'
import type { Reports } from './reports.ts'

interface RecordParts {
  book: GuestBook
  reports: Reports
  quarantine: Quarantine
  readField: ReadField
}

/** Applies the records of a PMS to the guests in house and to the status of rooms. Invalid records are quarantined. */
export function guestRecords({ book, reports, quarantine, readField }: RecordParts) {
  /** Null for a record without relevant content, and for an invalid one, which is quarantined. */
  function parsed(record: LinkRecord): GuestRecord | null {
    const content = readGuestRecord(record, readField)
    if (typeof content !== 'string') return content
    quarantine.put(content, record)
    return null
  }

  function reportRoom(content: GuestRecord): void {
    if (content.is === 'room') reports.reportRoom(content.room, content.status)
  }

  return {
    /** Applies a single record. */
    apply(record: LinkRecord): void {
      const content = parsed(record)
      if (!content) return
      const problem = book.apply(content)
      if (problem) quarantine.put(problem, record)
      reportRoom(content)
    },
    /** Applies the records of a completed swap; `isWhole` is false when one of them could not be received. */
    applySwap(records: readonly LinkRecord[], isWhole: boolean): void {
      // A quarantined record takes a position of its own.
      const before = reports.position
      const contents = records.map(parsed).filter((content) => content !== null)
      const isReadable = isWhole && reports.position === before
      for (const content of contents) reportRoom(content)
      for (const problem of book.swap(contents, isReadable)) quarantine.put(problem)
    },
    /** Quarantines bytes that are no record; null for a record that was damaged on the line. */
    quarantineText(text: string | null): void {
      if (text === null) quarantine.put('A record of the PMS was damaged in transmission.')
      else quarantine.put('The PMS sent data that are not a record.', { id: text, fields: {} })
    },
  }
}
