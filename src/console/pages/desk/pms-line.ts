import { chip, notice } from '../lib/controls/controls.ts'
import { el, type View } from '../lib/controls/el.ts'
import { momentText } from '../lib/language/format.ts'
import { getOne } from '../lib/server/api.ts'
import { useRead, useReadEvery } from '../lib/server/read.ts'
import { t } from './texts.ts'

/** How far the house and a PMS are apart. */
interface PmsState {
  configurationId: string
  state: 'connected' | 'disconnected' | 'unknown' | 'disabled'
  lastContactAt: string | null
  /** Reservations that wait to be sent; null when the two are not kept in step. */
  outbox: number | null
  /** Seconds since nothing was left to be fetched. */
  inboxLag: number | null
}

/** After this time of silence, in seconds, the house sells rooms without knowing what the PMS has sold. */
const behindAfter = 60

/** Reads the state of each PMS with which the house is kept in step, and again every half minute. */
export function usePms(): readonly PmsState[] {
  const { data, readAgain } = useRead(
    'pms',
    async (signal) => {
      const { data } = await getOne<{ pms?: PmsState[] }>('/api/v2/status', { signal })
      return (data.attributes.pms ?? []).filter(
        ({ state, outbox }) => state !== 'disabled' && outbox !== null,
      )
    },
    ['pms.'],
  )
  // The time behind grows without an event.
  useReadEvery(30_000, readAgain)
  return data ?? []
}

/** Whether the house knows what each PMS has sold. */
export const isInStep = (all: readonly PmsState[]) =>
  all.every(({ state, inboxLag }) => state !== 'disconnected' && (inboxLag ?? 0) <= behindAfter)

/** A line for each PMS: in step, behind, or away since when, and how much waits. */
export function pmsLines(all: readonly PmsState[]): View | null {
  return all.length === 0 ? null : el.div({ class: 'row' }, all.map(lineOf))
}

function lineOf({ configurationId, state, lastContactAt, outbox, inboxLag }: PmsState): View {
  const { inStep, behind, away, awaySince } = t.value.pms
  const waiting = outbox ?? 0
  const lag = inboxLag ?? 0
  if (state === 'disconnected') {
    const text = lastContactAt === null ? away(waiting) : awaySince(momentText(lastContactAt), waiting)
    return el.div({ key: configurationId }, notice('warning', text))
  }
  const isBehind = waiting > 0 || lag > 0
  return el.span(
    { key: configurationId },
    chip(isBehind ? 'info' : 'ok', isBehind ? behind(waiting, lag) : inStep, isBehind ? 'clock' : 'check'),
  )
}
