import { DeviceFault } from '../../src/devices/fault.ts'

/** Refuses what no card or reader has, before anything is asked. */
export function demand(met: boolean, detail: string): void {
  if (!met) throw new DeviceFault('unsupported-operation', detail)
}

export function isByte(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 0xff
}
