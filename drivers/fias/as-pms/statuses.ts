import { DeviceFault, type FaultCode } from '../../../src/devices/fault.ts'
import type { FiasRecord } from '../record.ts'

/** The meaning of a key system's AS value for a request; `done` for a success. */
const meanings: Partial<Record<string, FaultCode | 'done'>> = {
  OK: 'done',
  BY: 'lock-system-busy',
  NA: 'lock-system-busy',
  RY: 'lock-system-retry',
  UR: 'lock-system-rejected',
  DN: 'lock-system-rejected',
  NG: 'lock-system-rejected',
  DE: 'lock-system-rejected',
  // Values of other interface families; none of them means success.
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
  NA: 'runs its night audit',
  RY: 'asks to repeat the request later',
  NG: 'does not know the guest',
  DN: 'denies the request',
}

/** The exceptions to the table: when a key is to be removed, an answer that it does not exist is a success. */
export const goneToo = ['DE', 'NG']

/** Throws the fault of an answer, unless its status is a success or is listed in `fine`. */
export function expectDone({ fields }: FiasRecord, name: string, fine: readonly string[] = []): void {
  const { AS: status = '', CT: text } = fields
  const meaning = fine.includes(status) ? 'done' : (meanings[status] ?? 'vendor-error')
  if (meaning === 'done') return
  const detail = `${name}: the lock system ${words[status] ?? 'refuses'}${text ? `: ${text}` : ''}`
  throw new DeviceFault(meaning, detail, { vendorCode: status })
}
