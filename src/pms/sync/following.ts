import type { Session } from '../session.ts'
import type { SyncNotifications, SyncSide } from '../sync-contract.ts'

interface Followed {
  session: Session
  side: SyncSide | null
  stop: (() => void) | undefined
}

/** Which adapter is listened to. What an adapter does wrong when it is told to begin or to stop is told to `failed`. */
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
    /** Null while nobody is listened to, and for an adapter that has nothing of that kind. */
    side: () => followed?.side ?? null,
  }
}
