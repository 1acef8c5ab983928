import { ApiError, getOne, send } from '../../lib/server/api.ts'
import type { Visit } from '../visit.ts'

/** The device that reads the card of a guest who leaves. */
export interface Taker {
  /** It keeps the card; otherwise the guest only shows it. */
  isReturn: boolean
  path: string
}

/** What became of a card. `none`: no card was there, or the device handed it back, or it is not that of the guest. */
export type CardSeen = 'none' | 'shown' | 'kept'

interface Tools {
  /** Repeats a request that may be sent again, when the box is back. */
  patiently<T>(ask: () => Promise<T>): Promise<T>
  /** The machine has the card, and works on it. */
  taking(): void
}

/** A device that is ready for a card. */
interface Waiting {
  /** Resolves when a card was read, and when none came in a minute. Rejects with the fault of the device, and when the guest leaves. */
  seen: Promise<CardSeen>
  /** Takes no card any more. Resolves with what became of one that came at the last moment. */
  stop(): Promise<CardSeen>
}

/** Makes a device ready for the card of a guest. Rejects with the fault of the device. */
export async function takeCard(taker: Taker, visit: Visit, tools: Tools): Promise<Waiting> {
  return taker.isReturn ? takeBack(taker, visit, tools) : look(taker, visit, tools)
}

interface Status {
  state: string
  commandedState: string
  counters: { returned: number }
}

const needs = ['state', 'commandedState', 'counters'] as const

/** How often the entry is asked for while the card of another guest lies at the gate. */
const mostBusy = 15

/** Opens the entry of a dispenser. It closes with the card, after a minute, and when the guest does something else. */
async function takeBack({ path }: Taker, visit: Visit, { patiently, taking }: Tools): Promise<Waiting> {
  const { signal } = visit
  const status = async () => (await patiently(() => getOne<Status>(path, { signal, needs }))).data.attributes
  const close = () => send('PUT', `${path}/active`)
  const before = (await status()).counters.returned

  async function open(): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await patiently(() => send('PUT', `${path}/accepting`, { signal }))
        return
      } catch (error) {
        const isBusy = error instanceof ApiError && error.code === 'dispenser-busy-with-guest'
        if (!isBusy || tries === mostBusy) throw error
        await visit.pause(error.retryAfterSeconds ?? 2)
      }
    }
  }

  /** Null while the entry is open. */
  async function seenNow(): Promise<CardSeen | null> {
    const { state, commandedState, counters } = await status()
    if (commandedState !== 'accepting') return counters.returned > before ? 'kept' : 'none'
    if (state === 'capturing') taking()
    return null
  }

  async function untilClosed(): Promise<CardSeen> {
    for (;;) {
      await visit.pause(1)
      const card = await seenNow()
      if (card !== null) return card
    }
  }

  /** The next guest must not find the entry open. */
  const closing = (error: unknown): never => {
    void close().catch(() => {})
    throw error
  }
  await open().catch(closing)
  return {
    seen: untilClosed().catch(closing),
    async stop() {
      await patiently(close)
      return (await seenNow()) ?? 'none'
    },
  }
}

/** How long an encoder waits for a card, as a dispenser does. */
const looksMs = 60_000
/** The deadline of one look: a reader may wait for a minute. */
const lookTimeoutMs = 75_000
/** What the guest does about a card that cannot be read yet. */
const guestCan = ['place-card', 'lift-card', 'one-card', 'wait']

/** Reads the card that the guest holds on an encoder. */
function look({ path }: Taker, visit: Visit, { patiently }: Tools): Waiting {
  let until = performance.now() + looksMs

  async function seen(): Promise<CardSeen> {
    while (performance.now() < until) {
      try {
        await patiently(() => send('PUT', path, { signal: visit.signal, timeoutMs: lookTimeoutMs }))
        return 'shown'
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.code === 'kiosk-scope') return 'none'
        if (!guestCan.includes(String(error.meta.guest))) throw error
        await visit.pause(error.retryAfterSeconds ?? 1)
      }
    }
    return 'none'
  }

  return {
    seen: seen(),
    async stop() {
      until = 0
      return 'none'
    },
  }
}
