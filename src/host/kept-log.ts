/** A line of the log. */
export interface LogLine {
  /** Counts the lines since the start. */
  sequence: number
  level: string
  /** ISO 8601. */
  time: string
  message: string
  /** What else the line says, such as the device or the id of the request. */
  fields: Record<string, unknown>
}

const levels = ['debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevel = (typeof levels)[number]

/** The levels of a log, the least important first. */
export const logLevels: readonly LogLevel[] = levels

/** The newest lines of the log, in memory. */
export type KeptLog = ReturnType<typeof keptLog>

interface KeptLine {
  sequence: number
  text: string
}

/** Keeps the newest lines: at most `most`, with at most `mostCharacters` in all. */
export function keptLog({ most = 2_000, mostCharacters = 1_048_576 } = {}) {
  const lines: KeptLine[] = []
  let characters = 0
  let newest = 0
  const listeners = new Set<() => void>()

  /** Adds a line as JSON, and drops the oldest ones beyond the bounds. */
  function add(text: string): void {
    lines.push({ sequence: ++newest, text })
    characters += text.length
    while (lines.length > most || (characters > mostCharacters && lines.length > 1)) drop()
    for (const each of listeners) each()
  }

  function drop(): void {
    characters -= lines.shift()?.text.length ?? 0
  }

  /** Returns at most `limit` lines after a number, the oldest first. */
  function after(sequence: number, limit: number) {
    const from = Math.max(0, sequence - kept())
    const found = lines.slice(from, from + limit).map(lineOf)
    return {
      events: found,
      last: found.at(-1)?.sequence ?? sequence,
      more: from + limit < lines.length,
    }
  }

  /** The number before the oldest line. */
  function kept(): number {
    return newest - lines.length
  }

  return {
    add,
    after,
    kept,
    newest: () => newest,
    /** Returns all lines, the newest first. */
    all: (): LogLine[] => lines.map(lineOf).reverse(),
    /** Calls the listener after each line, until the returned function is called. */
    changed(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function lineOf({ sequence, text }: KeptLine): LogLine {
  const { level, time, msg, ...fields } = JSON.parse(text) as Record<string, unknown>
  return { sequence, level: String(level), time: String(time), message: String(msg ?? ''), fields }
}

/** Whether a level is at least as important as another. An unknown one is. */
export function isAtLeast(level: string, least: LogLevel): boolean {
  const at = (levels as readonly string[]).indexOf(level)
  return at < 0 || at >= levels.indexOf(least)
}
