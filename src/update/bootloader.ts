import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '../jsonapi/locales/message.ts'

/** A bootloader of 2021 starts the same partition in spite of `tryboot`; one of 2023 obeys. */
const oldest = Date.UTC(2023, 0, 1)

/**
 * Returns why the bootloader of this machine allows no updates; null when it allows them. A Raspberry Pi says in its device
 * tree when its bootloader was built, and other machines say nothing there.
 */
export function bootloaderRefusal(
  folder = '/sys/firmware/devicetree/base/chosen/bootloader',
): Message | null {
  const builtAt = readSeconds(join(folder, 'build-timestamp')) * 1_000
  if (Number.isNaN(builtAt) || builtAt >= oldest) return null
  return { code: 'update-old-bootloader', values: { date: new Date(builtAt).toISOString().slice(0, 10) } }
}

/** An integer of a device tree: 32 bits, the highest first. NaN without one. */
function readSeconds(file: string): number {
  try {
    return readFileSync(file).readUInt32BE()
  } catch {
    return Number.NaN
  }
}
