import { DeviceFault, type FaultCode } from '../../src/devices/fault.ts'
import type { FiasRecord } from './record.ts'

/** What a key system's word in AS means for a request; `done` where nothing went wrong. */
const meanings: Partial<Record<string, FaultCode | 'done'>> = {
  OK: 'done',
  BY: 'lock-system-busy',
  NA: 'lock-system-busy',
  RY: 'lock-system-retry',
  UR: 'lock-system-rejected',
  DN: 'lock-system-rejected',
  NG: 'lock-system-rejected',
  DE: 'lock-system-rejected',
  // Those of other families of interfaces, which mean no success in any of them.
  FX: 'lock-system-rejected',
  IA: 'lock-system-rejected',
  NF: 'lock-system-rejected',
  NM: 'lock-system-rejected',
  NP: 'lock-system-rejected',
  NR: 'lock-system-rejected',
  CD: 'lock-system-rejected',
  CO: 'lock-system-rejected',
  BM: 'lock-system-rejected',
  DM: 'lock-system-rejected',
  AA: 'lock-system-rejected',
  AN: 'lock-system-rejected',
}

const words: Partial<Record<string, string>> = {
  BY: 'is busy',
  NA: 'does its night audit',
  RY: 'asks to try again',
  NG: 'knows no such guest',
  DN: 'denies the request',
}

/** What one answer means beside the table: a key that is gone is what was asked for when one is taken away. */
export const goneToo = ['DE', 'NG']

/** Throws the fault that an answer tells of, unless it tells of success or of a word in `fine`. */
export function expectDone({ fields }: FiasRecord, name: string, fine: readonly string[] = []): void {
  const { AS: status = '', CT: text } = fields
  const meaning = fine.includes(status) ? 'done' : (meanings[status] ?? 'vendor-error')
  if (meaning === 'done') return
  const detail = `${name}: the lock system ${words[status] ?? 'refuses'}${text ? `: ${text}` : ''}`
  throw new DeviceFault(meaning, detail, { vendorCode: status })
}
