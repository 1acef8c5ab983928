import { ModuleMissing } from '../native-modules.ts'
import type { HidAddress } from './hid-address.ts'

/** The requests to the process of a device. Each follows the answer to the one before. */
export type HidRequest =
  | { does: 'open'; address: HidAddress }
  | { does: 'set'; report: Uint8Array }
  | { does: 'get'; id: number; length: number }

/**
 * The answers. `open` returns the path under which the kernel knows the device, `get` returns the report.
 * `isModuleMissing`: the error is a ModuleMissing.
 */
export type HidReply = { result: string | Uint8Array | null } | { error: string; isModuleMissing?: boolean }

/** A device as its own process sees it. The message of a thrown Error is passed to the appliance. */
export interface DeviceInProcess {
  /** Bus and ports, then `:configuration.interface`, such as `1-1.4:1.0`. */
  path: string
  set(report: Uint8Array): Promise<void> | void
  get(id: number, length: number): Promise<Uint8Array> | Uint8Array
  close(): void
}

/**
 * Answers the requests that this process receives over its channel. When the other end closes the channel or has died,
 * it releases the device and ends the process.
 */
export function answerRequests(open: (address: HidAddress) => DeviceInProcess): void {
  let device: DeviceInProcess | null = null

  async function carryOut(request: HidRequest): Promise<string | Uint8Array | null> {
    if (request.does === 'open') {
      device = open(request.address)
      return device.path
    }
    if (!device) throw new Error('is not open')
    if (request.does === 'get') return device.get(request.id, request.length)
    await device.set(request.report)
    return null
  }

  process.on('message', async (request: HidRequest) => {
    const reply: HidReply = await carryOut(request).then(
      (result) => ({ result }),
      (error) => ({
        error: error instanceof Error ? error.message : String(error),
        isModuleMissing: error instanceof ModuleMissing,
      }),
    )
    // An error of the sending is ignored: the appliance has closed the channel and does not need the answer.
    process.send?.(reply, () => {})
  })
  process.once('disconnect', () => {
    try {
      device?.close()
    } finally {
      // An orderly exit waits for the native code to end, which may never happen.
      process.kill(process.pid, 'SIGKILL')
    }
  })
}
