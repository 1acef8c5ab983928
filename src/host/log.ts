import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'
import { type Clock, systemClock } from './clock.ts'

export type Log = Logger

interface LogOptions {
  /** `info` unless said otherwise. */
  level?: LevelWithSilent
  clock?: Clock
  /** Takes whole lines; standard error, which the journal reads, unless said otherwise. */
  destination?: DestinationStream
}

/**
 * A log of one JSON object a line: `level` as a word, `time` in ISO 8601, `msg`, and what the caller adds. Values under
 * names of secrets are hidden at any depth, so are bytes, and our tokens and bearer credentials wherever they stand in a text.
 */
export function createLog({ level = 'info', clock = systemClock, destination }: LogOptions = {}): Log {
  return pino(
    {
      level,
      // The journal knows process and host already.
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: withoutSecrets },
    },
    // Written at once, so that the last words before a crash are not lost.
    destination ?? pino.destination({ dest: 2, sync: true }),
  )
}

const secretName = /(authorization|cookie|token|secret|password|passphrase|credentials?|(^|[-_])pin)$/i
const pinName = /[a-z]Pin$/
/** As bytes are written in JSON. They may be a card's, or a request as it came in with its token. */
const mayHoldSecrets =
  /"type":"Buffer"|(authorization|cookie|token|secret|password|passphrase|credentials?|pin)"/i
const ourTokens = /\blk_(live|test)_[0-9A-Za-z]{22}_[0-9A-Za-z]{6}\b/g
const bearers = /\b(Bearer) +[\w.~+/=-]+/gi

/** Works on the finished line, because that holds whatever was bound, nested or attached to an error on the way. */
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
