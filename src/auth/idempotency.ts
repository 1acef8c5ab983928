import { createHash } from 'node:crypto'
import type { Clock } from '../host/clock.ts'
import type { Answer, Request } from '../jsonapi/route.ts'
import { isTrial } from '../jsonapi/write-options.ts'
import { answersSince } from '../resource/answers-since.ts'
import type { IdempotencyMark, Writer } from '../resource/command.ts'
import type { Reader } from '../resource/keeper.ts'
import { Problem } from '../resource/problem.ts'
import { type KeptAnswer, keepAnswer } from './keep-answer.ts'

interface IdempotencyOptions {
  reader: Reader
  writer: Writer
  clock: Pick<Clock, 'now' | 'mayForget'>
}

/**
 * Runs a POST with an Idempotency-Key once: a repeat gets the same answer, for 24 hours. A refusal changed
 * nothing and is not stored, so the client may repeat the request when its cause is gone.
 */
export function idempotency({ reader, writer, clock }: IdempotencyOptions) {
  const running = new Set<string>()

  /** Throws idempotency-in-progress, idempotency-key-reused, and every error of `work`. */
  async function once(
    clientKey: string,
    request: Request,
    work: (mark: IdempotencyMark) => Promise<Answer> | Answer,
  ): Promise<Answer> {
    const key = `${request.caller.by}:${expectKey(clientKey)}`
    const fingerprint = await fingerprintOf(request)
    if (running.has(key)) throw inProgress()
    const before = reader.answered(key, answersSince(clock))
    if (before && before.fingerprint !== fingerprint) throw reused()
    const kept = before && keptIn(before.output)
    if (kept) return replayed(kept)
    const mark: IdempotencyMark = { key, fingerprint, ...(before && { answered: { output: before.output } }) }
    running.add(key)
    try {
      const answer = await work(mark)
      // The route may find that the previous answer is no longer valid. It then replaces or deletes
      // `answered`.
      if (mark.answered) return replayed(answer)
      if (!isTrial(request)) await keep(answer, mark, request)
      return answer
    } finally {
      running.delete(key)
    }
  }

  /** The output of a command is stored with the command; any other answer is stored whole. */
  async function keep(answer: Answer, mark: IdempotencyMark, { caller }: Request): Promise<void> {
    if (reader.answered(mark.key, answersSince(clock))) return
    const actor = { by: caller.by, requestId: caller.requestId }
    try {
      await writer.execute(keepAnswer, { keptAnswer: answer }, { actor, idempotency: mark })
    } catch (error) {
      // The command is committed. An error here would make the client repeat it.
      if (!(error instanceof Problem)) throw error
    }
  }

  return { once }
}

function expectKey(key: string): string {
  if (/^[\x21-\x7e]{1,128}$/.test(key)) return key
  throw new Problem('malformed-request', 'An Idempotency-Key has 1 to 128 printable characters.', {
    header: 'Idempotency-Key',
  })
}

async function fingerprintOf(request: Request): Promise<string> {
  const body = JSON.stringify(await request.body()) ?? ''
  return createHash('sha256').update(`${request.method} ${request.url}\n${body}`).digest('base64url')
}

function keptIn(output: unknown): Answer | null {
  const { keptAnswer } = (output ?? {}) as Partial<KeptAnswer>
  return keptAnswer ?? null
}

function replayed(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } }
}

function inProgress(): Problem {
  return new Problem(
    'idempotency-in-progress',
    'The first request with this Idempotency-Key is still running. Wait for it, then repeat.',
    {
      header: 'Idempotency-Key',
      meta: { retryAfterSeconds: 1 },
    },
  )
}

function reused(): Problem {
  return new Problem(
    'idempotency-key-reused',
    'The Idempotency-Key was used for another request. Use a new one.',
    {
      header: 'Idempotency-Key',
    },
  )
}
