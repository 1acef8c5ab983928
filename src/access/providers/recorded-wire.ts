import type { Duplex } from 'node:stream'
import type { MaskOf } from '../../recorder/recorded-line.ts'
import type { Workshop } from '../controllers/workshop.ts'

/** Whose wire it is: a name for people, and the driver. */
interface WireOwner {
  name: string
  driver: { name: string; mask?: MaskOf | undefined }
}

/** What is recorded of a lock system, or of a PMS that orders keys. */
export function recordedAs({ name, driver }: WireOwner) {
  return { bay: name, capability: 'lock-system', driver: driver.name, model: driver.name } as const
}

/** Opens a wire, and records what passes on it where anything is recorded. Rejects with an Error in words. */
export async function recordedWire(
  { openWire, recorder }: Workshop,
  owner: WireOwner,
  path: string,
  options: { baudRate: number; signal: AbortSignal },
): Promise<Duplex> {
  const wire = await openWire(path, options)
  const about = { ...recordedAs(owner), path, baudRate: options.baudRate }
  return recorder?.line(about, owner.driver.mask, wire).wire ?? wire
}
