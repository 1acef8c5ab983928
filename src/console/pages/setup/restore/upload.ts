import { ApiError, documentOf } from '../../lib/server/answer.ts'
import { replyOf } from '../../lib/server/api.ts'
import { inParts } from './in-parts.ts'

const partBytes = 2_097_152

/**
 * Uploads a file in parts, from `offset` on. Throws ApiError when the box refuses a part, and when it takes nothing any more.
 */
export function upload(id: string, file: File, offset: number, signal: AbortSignal): Promise<void> {
  return inParts({
    size: file.size,
    offset,
    signal,
    send: (at) => sent(id, file.slice(at, at + partBytes), at, signal),
    said: (error) => (error instanceof ApiError ? saidBy(error) : null),
    pause: () => new Promise((done) => setTimeout(done, 1_000)),
  })
}

/** A part for which the line was too slow (408) is repeated. */
function saidBy({ status, meta }: ApiError): number | 'final' | null {
  if (typeof meta.received === 'number') return meta.received
  return status >= 400 && status < 500 && status !== 408 ? 'final' : null
}

async function sent(id: string, part: Blob, at: number, signal: AbortSignal): Promise<number> {
  const response = await fetch(`/api/config/v1/restores/${id}/content?offset=${at}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/octet-stream', Accept: 'application/vnd.api+json' },
    body: part,
    signal,
  })
  documentOf(await replyOf(response), 'done')
  return at + part.size
}
