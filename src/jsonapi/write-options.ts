import type { WriteOptions } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import { unknownParameter } from './query.ts'
import type { Request } from './route.ts'

/**
 * How a request's change is written: on whose behalf, as a trial or not, and under which idempotency key. Throws
 * malformed-request when it is unclear whether it is a trial, and unknown-parameter for any other: what was misspelled
 * would be written in earnest.
 */
export function writeOptions(request: Request): WriteOptions {
  const { caller, query } = request
  for (const name of query.keys()) if (name !== 'dryRun') throw unknownParameter(name, ['dryRun'])
  return {
    actor: { by: caller.by, requestId: caller.requestId },
    ...(isTrial(request) && { dryRun: true }),
    ...(request.idempotency && { idempotency: request.idempotency }),
  }
}

/** As `writeOptions`, for what moves a machine and so cannot be tried: throws unknown-parameter for a trial. */
export function earnestOptions(request: Request): WriteOptions {
  const options = writeOptions(request)
  if (!options.dryRun) return options
  throw new Problem('unknown-parameter', 'A machine cannot be moved on trial.', { parameter: 'dryRun' })
}

/** Whether a request only wants to know. Throws malformed-request when that is unclear. */
export function isTrial({ query }: Request): boolean {
  const [word, ...others] = query.getAll('dryRun')
  if (others.length === 0 && (word === undefined || word === 'true' || word === 'false'))
    return word === 'true'
  throw new Problem('malformed-request', 'dryRun is true or false.', { parameter: 'dryRun' })
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

/** For what changes no resource by itself: throws revision-mismatch when the caller has seen another revision. */
export function expectSeen(request: Request, { revision }: { revision: number }): void {
  const seen = expectedRevision(request)
  if (seen === undefined || seen === revision) return
  throw new Problem('revision-mismatch', `It has revision ${revision} by now.`, {
    header: 'If-Match',
    meta: { revision },
  })
}
