import { createHash } from 'node:crypto'
import type { Caller } from '../jsonapi/route.ts'
import type { IdempotencyMark } from '../resource/change.ts'
import type { Reader } from '../resource/keeper.ts'
import { Problem } from '../resource/problem.ts'

export interface Once {
  mark: IdempotencyMark
  /** The request is over, however it ended. */
  over(): void
}

const keptForMs = 86_400_000

/** Carries out a POST with an Idempotency-Key once: the same again gets the same answer, for 24 hours. */
export function idempotency({ reader, now }: { reader: Reader; now: () => number }) {
  const running = new Set<string>()

  /** Throws idempotency-in-progress and idempotency-key-reused. */
  function begin(
    caller: Caller,
    clientKey: string,
    request: { method: string; url: string; body: unknown },
  ): Once {
    if (!/^[\x21-\x7e]{1,128}$/.test(clientKey)) {
      throw new Problem('malformed-request', 'An Idempotency-Key has 1 to 128 printable characters.', {
        header: 'Idempotency-Key',
      })
    }
    const key = `${caller.by}:${clientKey}`
    const fingerprint = createHash('sha256')
      .update(`${request.method} ${request.url}\n${JSON.stringify(request.body) ?? ''}`)
      .digest('base64url')
    if (running.has(key)) {
      throw new Problem('idempotency-in-progress', 'The same request is still running.', {
        header: 'Idempotency-Key',
        meta: { retryAfterSeconds: 1 },
      })
    }
    const before = reader.answered(key, now() - keptForMs)
    if (before && before.fingerprint !== fingerprint) {
      throw new Problem('idempotency-key-reused', 'The key was used for another request.', {
        header: 'Idempotency-Key',
      })
    }
    running.add(key)
    const mark = { key, fingerprint, ...(before && { answered: { output: before.output } }) }
    return { mark, over: () => running.delete(key) }
  }

  return { begin }
}
