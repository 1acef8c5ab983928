import type { WriteOptions } from '../resource/command.ts'
import { Problem } from '../resource/problem.ts'
import { unknownParameter } from './query/query.ts'
import type { Answer, Request } from './route.ts'

/**
 * Returns the options of a request's command: its actor, dryRun, and its idempotency key. Throws
 * malformed-request for an invalid dryRun, and unknown-parameter for any other parameter except those of the operation in
 * `own`: a misspelled dryRun must not write.
 */
export function writeOptions(request: Request, own: readonly string[] = []): WriteOptions {
  const { caller, query } = request
  const allowed = ['dryRun', ...own]
  for (const name of query.keys()) if (!allowed.includes(name)) throw unknownParameter(name, allowed)
  return {
    actor: { by: caller.by, requestId: caller.requestId },
    ...(isTrial(request) && { dryRun: true }),
    ...(request.idempotency && { idempotency: request.idempotency }),
  }
}

/** Like `writeOptions`, for operations that move a machine. Throws unknown-parameter for a dry run. */
export function withoutDryRun(request: Request): WriteOptions {
  const options = writeOptions(request)
  refuseDryRun(options, 'A machine cannot be moved with dryRun. Repeat the request without it.')
  return options
}

/** Throws unknown-parameter with this detail for a dry run. */
export function refuseDryRun({ dryRun }: WriteOptions, detail: string): void {
  if (dryRun) throw new Problem('unknown-parameter', detail, { parameter: 'dryRun' })
}

/** Whether the request is a dry run. Throws malformed-request for any value but true and false. */
export function isTrial(request: Request): boolean {
  return isSet(request, 'dryRun')
}

/** Whether a parameter of the request is true. Throws malformed-request for any value but true and false. */
export function isSet({ query }: Request, parameter: string): boolean {
  const [word, ...others] = query.getAll(parameter)
  if (others.length === 0 && (word === undefined || word === 'true' || word === 'false'))
    return word === 'true'
  throw new Problem('malformed-request', `${parameter} must be true or false.`, { parameter })
}

/** The strong entity tag of a revision. */
export function etag(revision: number): string {
  return `"${revision}"`
}

/** The answer of a write whose document is not sent back. */
export const noContent = (revision?: number): Answer =>
  revision === undefined ? { status: 204 } : { status: 204, headers: { ETag: etag(revision) } }

/**
 * Returns the revision in the If-Match header; undefined without one, or for `*`. Throws revision-mismatch
 * for any other header.
 */
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

/**
 * Checks If-Match for an operation that does not pass the revision to a command. Throws revision-mismatch
 * when the caller has seen another revision.
 */
export function expectSeen(request: Request, { revision }: { revision: number }): void {
  const seen = expectedRevision(request)
  if (seen === undefined || seen === revision) return
  throw new Problem(
    'revision-mismatch',
    `The resource has changed: it now has revision ${revision}. Read it again.`,
    {
      header: 'If-Match',
      meta: { revision },
    },
  )
}
