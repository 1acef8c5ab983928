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
    /** Applies a single record. False when it was quarantined. */
    apply(record: LinkRecord): boolean {
      const before = reports.position
      const content = parsed(record)
      if (!content) return reports.position === before
      const problem = book.apply(content)
      if (problem) quarantine.put(problem, record)
      reportRoom(content)
      return problem === null
    },
    /**
     * Applies the records of a completed swap; `isWhole` is false when one of them could not be received. True when the swap proves who is
     * in house and who is not: then all that was quarantined before is settled.
     */
    applySwap(records: readonly LinkRecord[], isWhole: boolean): boolean {
      // A quarantined record takes a position of its own.
      const before = reports.position
      const contents = records.map(parsed).filter((content) => content !== null)
      const isReadable = isWhole && reports.position === before
      for (const content of contents) reportRoom(content)
      const problems = book.swap(contents, isReadable)
      for (const problem of problems) quarantine.put(problem)
      const isProof = isReadable && problems.length === 0
      if (isProof) quarantine.settle()
      return isProof
    },
    /** Quarantines bytes that are no record; null for a record that was damaged on the line. */
    quarantineText(text: string | null): void {
      if (text === null) quarantine.put('A record of the PMS was damaged in transmission.')
      else quarantine.put('The PMS sent data that are not a record.', { id: text, fields: {} })
    },
  }
}
