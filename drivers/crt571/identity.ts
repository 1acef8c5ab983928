import type { Identity } from '../../src/devices/capability.ts'
import { whereSupported } from '../../src/devices/driving/demand.ts'
import type { Crt571CommandName } from './protocol.ts'
import { printable } from './text.ts'

/** What a machine reports about itself. `firmware` is its version, with its configuration letters. */
export async function identity(
  ask: (name: Crt571CommandName) => Promise<{ data: Uint8Array }>,
  model: string,
): Promise<Identity & { version: string }> {
  const version = printable(await answerTo('version')) || printable(await answerTo('firmware')) || model
  const [length = 0, ...serial] = await answerTo('serial')
  const configuration = printable(await answerTo('configuration'))
  return {
    model,
    firmware: configuration ? `${version} (${configuration})` : version,
    serialNumber: printable(Uint8Array.from(serial.slice(0, length))),
    version,
  }

  /** Empty when the model does not know the question. */
  async function answerTo(name: Crt571CommandName): Promise<Uint8Array> {
    return (await whereSupported(() => ask(name)))?.data ?? new Uint8Array()
  }
}
