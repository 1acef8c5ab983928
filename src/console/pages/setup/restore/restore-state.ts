import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { ApiError, getOne, send, sendOne } from '../../lib/server/api.ts'

const base = '/api/config/v1/restores'
const kept = 'nightporter.restore'

/**
 * The restore that this browser started; null without one. It is stored across reloads and the restart that ends every
 * session: its id alone permits the page to read the restore.
 */
export const restoreId = signal<string | null>(localStorage.getItem(kept))

/** Remembers a restore that was begun here; null when it is over. */
export function keepRestore(id: string | null): void {
  if (id === null) localStorage.removeItem(kept)
  else localStorage.setItem(kept, id)
  restoreId.value = id
}

export type RestoreState =
  | 'receiving'
  | 'waiting-for-key'
  | 'opening'
  | 'ready'
  | 'replacing'
  | 'done'
  | 'failed'
  | 'canceled'

/** A restore, as the API returns it. */
export interface Restore {
  state: RestoreState
  phase: 'fetching' | 'unpacking' | 'checking' | null
  name: string
  place: string
  bytes: number | null
  totalBytes: number
  bytesPerSecond: number | null
  secondsLeft: number | null
  contents: {
    property: string | null
    takenAt: string
    version: string
    reason: string
    keysUntil: string | null
    /** The other property on this box, which is lost as a whole. */
    replaces: string | null
  } | null
  losses: { changes: Record<string, number>; isAtLeast: boolean } | null
  problem: string | null
  unitsToCheck: number | null
  log: { at: string; step: string }[]
}

/** Begins a restore and shows its page. Throws ApiError. */
export async function beginRestore(
  body: { name: string; bytes: number; code?: string } | { backup: string; place?: string; code?: string },
): Promise<string> {
  const path = 'code' in body ? `${base}/actions/begin-on-new-box` : base
  const { data } = await sendOne<Restore>('POST', path, { body })
  return data.id
}

/** Requests the next step: `open` with the key, or `apply`. Throws ApiError. */
export const askRestore = (id: string, action: 'open' | 'apply', body?: object) =>
  send('POST', `${base}/${id}/actions/${action}`, body ? { body } : {})

export const cancelRestore = (id: string) => send('DELETE', `${base}/${id}`)

const pauseMs = 500

/** Polls the progress of the restore while it is shown, also while the box restarts. */
export function useRestore(id: string): {
  restore: Restore | null
  problem: ApiError | null
  lookAgain: () => void
} {
  const [found, setFound] = useState<{ restore: Restore | null; problem: ApiError | null }>({
    restore: null,
    problem: null,
  })
  const [round, setRound] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    async function look(): Promise<void> {
      try {
        const { data } = await getOne<Restore>(`${base}/${id}`, { signal: stop.signal })
        setFound({ restore: data.attributes, problem: null })
      } catch (problem) {
        if (stop.signal.aborted) return
        if (!(problem instanceof ApiError)) throw problem
        setFound(({ restore }) => ({ restore, problem }))
      }
      if (!stop.signal.aborted) timer = setTimeout(() => void look(), pauseMs)
    }
    void look()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [id, round])
  return { ...found, lookAgain: () => setRound(round + 1) }
}
