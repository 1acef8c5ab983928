import type { Session } from '../../session.ts'
import type { SyncNotifications, SyncSide } from '../../sync-contract.ts'
import type { Linked } from './linked.ts'

/** Stores when the line to a PMS goes up or down, each once, in the order in which it happened. */
export function lineState({
  write,
  changes,
  configuration,
  failed,
}: Pick<Linked, 'write' | 'changes' | 'configuration' | 'failed'>) {
  let last: boolean | null = null
  let writing: Promise<unknown> = Promise.resolve()

  /** `reason` is null for a line that is there. */
  function report(reason: string | null): void {
    const isConnected = reason === null
    if (last === isConnected) return
    last = isConnected
    const input = { configurationId: configuration.id, isConnected, reason: reason?.slice(0, 500) ?? null }
    writing = writing
      .then(() => write(changes.keepLine, input))
      .catch((error) => {
        last = null
        failed(error)
      })
  }

  return {
    report,
    /** Null until it is known. */
    isConnected: () => last,
    /** Resolves when every change so far is on the disk. */
    settled: () => writing,
  }
}

interface Followed {
  session: Session
  side: SyncSide | null
  stop: (() => void) | undefined
}

/** The adapter whose notifications are received. `failed` receives what it throws when it begins or stops. */
export function following(failed: (error: unknown) => void) {
  let followed: Followed | null = null

  function begin(session: Session, listener: SyncNotifications): void {
    const side = session.sync()
    followed = { session, side, stop: undefined }
    try {
      followed.stop = side?.follow?.(listener)
    } catch (error) {
      failed(error)
    }
  }

  function end(): void {
    try {
      followed?.stop?.()
    } catch (error) {
      failed(error)
    }
    followed = null
  }

  return {
    /** Whether it is this session that is listened to. */
    is: (session: Session) => followed?.session === session,
    begin,
    end,
    /** Null while no adapter is followed, and for an adapter that has nothing of that kind. */
    side: () => followed?.side ?? null,
  }
}
