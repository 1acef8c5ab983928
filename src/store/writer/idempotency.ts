import { keptMs } from '../../resource/answers-since.ts'
import type { IdempotencyMark } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Prepare } from '../statements.ts'

/** Stores the output for an idempotency key, for 24 hours, in the transaction of the command itself. */
export function idempotency(prepare: Prepare) {
  function keep({ key, fingerprint }: IdempotencyMark, output: unknown, now: number): void {
    const { changes } = prepare(
      `INSERT INTO idempotency (key, fingerprint, output, at) VALUES (?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET fingerprint = excluded.fingerprint, output = excluded.output, at = excluded.at
       WHERE at < ?`,
    ).run(key, fingerprint, JSON.stringify(output ?? null), now, now - keptMs)
    if (changes === 0)
      throw new Problem(
        'idempotency-in-progress',
        'The same request was executed a moment ago. Repeat it to receive its answer.',
      )
  }
  return { keep }
}
