import type { Duplex } from 'node:stream'
import type { MaskOf } from '../../recorder/recorded-line.ts'
import type { Workshop } from '../controllers/workshop.ts'

/** The owner of a wire: its name for people, and its driver. */
interface WireOwner {
  name: string
  driver: { name: string; mask?: MaskOf | undefined }
}

/** The description of a lock system or a key service in a recording. */
export function recordedAs({ name, driver }: WireOwner) {
  return { bay: name, capability: 'lock-system', driver: driver.name, model: driver.name } as const
}

/** Opens a wire, through the recorder if there is one. Rejects with an Error whose message is for people. */
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
