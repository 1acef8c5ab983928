import { ApiError, getOne, send } from '../../lib/api.ts'
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
}

/** A device that is ready for a card. */
interface Waiting {
  /** Resolves when a card was read, when none came in time, and after `ended`. Rejects with the fault of the device. */
  seen: Promise<CardSeen>
}

/** Makes a device ready for the card of a guest. Rejects with the fault of the device. */
export async function takeCard(
  taker: Taker,
  visit: Visit,
  ended: AbortSignal,
  tools: Tools,
): Promise<Waiting> {
  return taker.isReturn ? takeBack(taker, visit, ended, tools) : { seen: look(taker, visit, ended) }
}

interface Status {
  commandedState: string
  counters: { returned: number }
}

/** Opens the entry of a dispenser. It closes with the card, after a minute, and when the guest does something else. */
async function takeBack(
  { path }: Taker,
  visit: Visit,
  ended: AbortSignal,
  { patiently }: Tools,
): Promise<Waiting> {
  const needs = ['commandedState', 'counters'] as const
  const status = async () =>
    (await patiently(() => getOne<Status>(path, { signal: visit.signal, needs }))).data.attributes
  const { counters } = await status()
  await patiently(() => send('PUT', `${path}/accepting`, { signal: visit.signal }))
  return {
    seen: untilClosed(visit, ended, path, async () => {
      const {
        commandedState,
        counters: { returned },
      } = await status()
      if (commandedState === 'accepting') return null
      return returned > counters.returned ? 'kept' : 'none'
    }),
  }
}

/** `seen` resolves with null while the entry is open. The box ends that after a minute, also when it has started again meanwhile. */
async function untilClosed(
  visit: Visit,
  ended: AbortSignal,
  path: string,
  seen: () => Promise<CardSeen | null>,
): Promise<CardSeen> {
  const ending = AbortSignal.any([ended, visit.signal])
  const close = () => void send('PUT', `${path}/active`).catch(() => {})
  ending.addEventListener('abort', close)
  try {
    for (;;) {
      await visit.pause(1)
      const card = await seen()
      if (card !== null) return card
    }
  } finally {
    ending.removeEventListener('abort', close)
  }
}

/** How often the encoder looks for a card, for some seconds each time. */
const mostLooks = 20
/** What the guest does about a card that cannot be read yet. */
const guestCan = ['place-card', 'lift-card', 'one-card', 'wait']

/** Reads the card that the guest holds on an encoder. */
async function look({ path }: Taker, visit: Visit, ended: AbortSignal): Promise<CardSeen> {
  for (let looks = 0; looks < mostLooks && !ended.aborted; looks++) {
    try {
      await send('PUT', path, { signal: visit.signal })
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
