import { DeviceFault } from '../fault.ts'

/** Throws a fault with `detail` when the condition is not met. Call it before anything is sent. */
export function demand(met: boolean, detail: string): void {
  if (!met) throw new DeviceFault('unsupported-operation', detail)
}

/** Whether the value is a whole number from 0 up to, not including, `count`. */
export function isBelow(count: number, value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < count
}

/** Whether a number is a whole one from 0 to 255. */
export function isByte(value: number): boolean {
  return isBelow(256, value)
}

/** The answer; null where the device does not support the question. Any other fault is passed on. */
export async function whereSupported<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask()
  } catch (fault) {
    if (fault instanceof DeviceFault && fault.code === 'unsupported-operation') return null
    throw fault
  }
}
