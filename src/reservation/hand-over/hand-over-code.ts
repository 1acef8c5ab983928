import type { Reader } from '../../resource/keeper.ts'
import { type Filter, first } from '../../resource/query.ts'
import { handOver } from '../resources/hand-over.ts'

/** The filter for hand-overs whose code can be used. `now` is in Unix milliseconds. */
export function usable(now: number): Filter {
  return { path: 'expiresAt', operator: 'gt', value: now }
}

/** Returns the id of the stay that a kiosk has handed over with this code of four digits; null without one. */
export function stayOfCode(reader: Reader, code: string, now: number): string | null {
  if (!/^\d{4}$/.test(code)) return null
  const [found] = reader.rows(
    handOver,
    first([{ path: 'code', operator: 'eq', value: code }, usable(now)], 1),
  )
  return found?.stayId ?? null
}
