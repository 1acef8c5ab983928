import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'
import { type Clock, systemClock } from './clock.ts'
import { isJournal, journalLine } from './journal.ts'

export type Log = Logger

interface LogOptions {
  /** Default `info`. */
  level?: LevelWithSilent
  clock?: Clock
  /** Receives whole lines; default standard error, which the systemd journal reads. */
  destination?: DestinationStream
  /** Whether the journal reads it, which takes the priority of each line from a prefix; default whether it does. */
  journal?: boolean
  /** Also receives each whole line, from the level `info` on, whatever the level of the log is. */
  copy?(line: string): void
  /** Fields of every line that is written now, such as the id of the request. */
  about?(): Record<string, unknown>
}

/**
 * Creates a log with one JSON object a line: `level` as a word, `time` in ISO 8601, `msg`, and the caller's
 * fields. It hides values under secret names at any depth, bytes, and tokens and bearer credentials in any
 * text.
 */
export function createLog({
  level = 'info',
  clock = systemClock,
  destination,
  journal = !destination && isJournal(),
  copy,
  about,
}: LogOptions = {}): Log {
  // Written synchronously, so that the last lines before a crash are not lost.
  const plain = destination ?? pino.destination({ dest: 2, sync: true })
  const written = journal ? { write: (line: string) => plain.write(journalLine(line)) } : plain
  const isInfo = level === 'debug' || level === 'trace'
  return pino(
    {
      level: copy && !isInfo ? 'info' : level,
      ...(about && { mixin: about }),
      // The systemd journal already records process and host.
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: withCode },
      hooks: { streamWrite: withoutSecrets },
    },
    copy ? { write: (line: string) => both(written, level, copy, line) } : written,
  )
}

/** Takes the code of an error to the top, where a search in the journal finds it. */
function withCode(fields: Record<string, unknown>): Record<string, unknown> {
  const { code } = (fields.err ?? {}) as { code?: unknown }
  return code === undefined || fields.code !== undefined ? fields : { ...fields, code }
}

/** Copies a line, and writes it when its level is that of the log. */
function both(
  written: DestinationStream,
  level: LevelWithSilent,
  copy: (line: string) => void,
  line: string,
): void {
  copy(line)
  const [, label = 'fatal'] = /^\{"level":"(\w+)"/.exec(line) ?? []
  const least = level === 'silent' ? Number.POSITIVE_INFINITY : pino.levels.values[level]!
  if ((pino.levels.values[label] ?? least) >= least) written.write(line)
}

const secretName = /(authorization|cookie|token|secret|password|passphrase|credentials?|(^|[-_])pin)$/i
const pinName = /[a-z]Pin$/
/** Also matches how JSON.stringify writes bytes, which may contain card data or a request with its token. */
const mayHoldSecrets =
  /"type":"Buffer"|(authorization|cookie|token|secret|password|passphrase|credentials?|pin)"/i
const ourTokens = /\blk_(live|test)_[0-9A-Za-z]{22}_[0-9A-Za-z]{6}\b/g
const bearers = /\b(Bearer) +[\w.~+/=-]+/gi

/** Works on the finished line, so that it also covers bound fields, nested objects and errors. */
function withoutSecrets(line: string): string {
  const shown = mayHoldSecrets.test(line) ? `${JSON.stringify(JSON.parse(line, hide))}\n` : line
  return shown.replace(ourTokens, 'lk_$1_[hidden]').replace(bearers, '$1 [hidden]')
}

function hide(name: string, value: unknown): unknown {
  if (isBytes(value)) return `[${value.data.length} bytes]`
  return secretName.test(name) || pinName.test(name) ? '[hidden]' : value
}

function isBytes(value: unknown): value is { data: unknown[] } {
  const { type, data } = (value ?? {}) as { type?: unknown; data?: unknown }
  return type === 'Buffer' && Array.isArray(data)
}
