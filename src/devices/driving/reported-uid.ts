/**
 * The serial number of a card as a lock system reports it, in upper-case hex; null for text that is none. A lock system
 * that does not know the number may fill the field with zeros or Fs. These are the number of no card: two keys with the
 * same number would count as two keys on one card, of which the later has overwritten the earlier.
 */
export function reportedUid(text: string | undefined): string | null {
  const digits = (text ?? '').replace(/[\s:-]/g, '').toUpperCase()
  return /^(?!0+$|F+$)(?:[0-9A-F]{2}){4,10}$/.test(digits) ? digits : null
}
