import type { MewsCall, MewsClient } from './client.ts'
import type { MewsNote } from './records.ts'

/** The end of a note that the appliance has written: with the id of its reservation, which identifies it. */
const markForm = /\s?\[nightporter ([0-9a-f-]{36})\]$/
/** Between the notes in a comment, which has one line. */
const between = '; '
const longestComment = 2_000

/** The text of the appliance's own note of a reservation. */
export function ownText(comment: string, localId: string): string {
  return `${comment} [nightporter ${localId}]`.trim()
}

/** The appliance's own note among those of a reservation, and the id of its reservation here. */
export function ownNote(notes: readonly MewsNote[]): { note: MewsNote; localId: string } | null {
  for (const note of notes) {
    const localId = markForm.exec(note.Text)?.[1]
    if (localId) return { note, localId }
  }
  return null
}

/** The notes of a reservation as one comment: those of Mews, and then the appliance's own. Null for none. */
export function commentOf(notes: readonly MewsNote[]): string | null {
  const texts = [othersText(notes), (ownNote(notes)?.note.Text ?? '').replace(markForm, '')]
  return texts.filter(Boolean).join(between).slice(0, longestComment) || null
}

/** The notes that were written at Mews, the oldest first. */
function othersText(notes: readonly MewsNote[]): string {
  return notes
    .filter(({ Type, Text }) => Type === 'General' && !markForm.test(Text))
    .toSorted((one, other) => one.CreatedUtc.localeCompare(other.CreatedUtc))
    .map(({ Text }) => Text.replace(/\p{Cc}+/gu, ' ').trim())
    .join(between)
}

interface Commented {
  reservationId: string
  localId: string
  notes: readonly MewsNote[]
}

/**
 * Writes what a comment has beyond the notes of Mews into the appliance's own note. Notes that were written at Mews stay. False
 * when it has it already.
 */
export async function writeComment(
  client: MewsClient,
  comment: string,
  { reservationId, localId, notes }: Commented,
  call: MewsCall,
): Promise<boolean> {
  const others = othersText(notes)
  const own = ownNote(notes)?.note ?? null
  const isLonger = others !== '' && comment.startsWith(others)
  const text = (isLonger ? comment.slice(others.length).replace(/^;/, '') : comment).trim()
  const Text = ownText(text, localId)
  if ((own?.Text ?? ownText('', localId)) === Text) return false
  const changing = { ...call, changes: true }
  if (own) {
    const update = { ServiceOrderNoteId: own.Id, Text: { Value: Text } }
    await client.ask('serviceOrderNotes/update', { ServiceOrderNoteUpdates: [update] }, changing)
  } else {
    const note = { ServiceOrderId: reservationId, Text }
    await client.ask('serviceOrderNotes/add', { ServiceOrderNotes: [note] }, changing)
  }
  return true
}
