import type { WriteOptions } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import type { Request } from './route.ts'

/** How a request's change is written: on whose behalf, as a trial or not, and under which idempotency key. */
export function writeOptions(request: Request): WriteOptions {
  const { caller, query } = request
  return {
    actor: { by: caller.by, requestId: caller.requestId },
    ...(query.get('dryRun') === 'true' && { dryRun: true }),
    ...(request.idempotency && { idempotency: request.idempotency }),
  }
}

/** The revision an If-Match header names; undefined without one, or for `*`. */
export function expectedRevision(request: Request): number | undefined {
  const header = request.header('if-match')
  if (header === '' || header === '*') return undefined
  const [, digits] = /^"(\d{1,15})"$/.exec(header) ?? []
  if (digits === undefined) {
    throw new Problem('revision-mismatch', 'If-Match must be the ETag of the resource as it was read.', {
      header: 'If-Match',
    })
  }
  return Number(digits)
}
