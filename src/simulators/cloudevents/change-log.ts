import type { Message } from '../../pms/adapters/cloudevents/messages/envelope.ts'

interface LogOptions {
  /** Unix milliseconds. */
  now(): number
  /** Part of each cursor: a cursor of another log is recognised by it. */
  name: string
  /** Whether a change is the newest of its subject, and its reservation is not over. */
  isCurrent(message: Message): boolean
}

/** The maximum number of changes; the older half keeps only current ones when it is exceeded. */
const maxEntries = 100_000

interface Entry {
  /** From 1, in the order of the changes. */
  number: number
  message: Message
}

/** The log of every change at a simulated PMS. */
export function changeLog({ now, name, isCurrent }: LogOptions) {
  let entries: Entry[] = []
  const listeners = new Set<(message: Message) => void>()
  let count = 0
  /** Of the changes up to this number, only current ones are kept. */
  let forgottenUpTo = 0

  /** The cursor after the change of a number. */
  const cursorAt = (number: number) => `${name}.${String(number).padStart(20, '0')}`

  function append(type: string, subject: string, data: object): void {
    const number = ++count
    const message: Message = {
      specversion: '1.0',
      id: `${name}-${number}`,
      source: `urn:pms:${name}`,
      type,
      subject,
      time: new Date(now()).toISOString(),
      datacontenttype: 'application/json',
      sequence: cursorAt(number),
      previous: number === 1 ? null : cursorAt(number - 1),
      data,
    }
    entries.push({ number, message })
    if (entries.length > maxEntries) forget(number - maxEntries / 2)
    for (const listener of listeners) listener(message)
  }

  /** Keeps only the current ones of the changes up to a number: earlier cursors become invalid. */
  function forget(upTo: number): void {
    forgottenUpTo = upTo
    entries = entries.filter((entry) => entry.number > upTo || isCurrent(entry.message))
  }

  /**
   * The changes after a cursor; without one all current changes. Null for an invalid cursor. The cursor of a full load
   * names its position in the load: the next page continues there.
   */
  function changesAfter(cursor: string | null, limit: number) {
    const position = cursor === null ? { isFull: true, number: 0 } : positionIn(cursor)
    if (!position || position.number > count) return null
    const { isFull, number: from } = position
    if (!isFull && from < forgottenUpTo) return null
    const all = entries.filter(({ number, message }) => number > from && (!isFull || isCurrent(message)))
    const changes = all.slice(0, limit)
    const more = all.length > limit
    const last = changes.at(-1)?.number ?? 0
    const next = more && isFull ? `${name}.full.${last}` : cursorAt(more ? last : count)
    return { changes: changes.map(({ message }) => message), cursor: next, more }
  }

  function positionIn(cursor: string): { isFull: boolean; number: number } | null {
    const [, of, full, digits = ''] = /^(.*?)\.(full\.)?(\d+)$/.exec(cursor) ?? []
    return of === name ? { isFull: full !== undefined, number: Number(digits) } : null
  }

  /** Calls the listener with each change as it happens, until the returned function is called. */
  function onChange(listener: (message: Message) => void): () => void {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }

  return { append, forget, changesAfter, onChange }
}
