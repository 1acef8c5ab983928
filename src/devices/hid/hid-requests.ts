import type { HidAddress } from './hid-address.ts'

/** What the process of a device is asked, each after the answer to the one before. */
export type HidRequest =
  | { does: 'open'; address: HidAddress }
  | { does: 'set'; report: Uint8Array }
  | { does: 'get'; id: number; length: number }

/** `open` gives the path under which the kernel knows the device, `get` the report. */
export type HidReply = { given: string | Uint8Array | null } | { error: string }

/** A device as the process of it sees it. What it throws is told in the Error's words. */
export interface DeviceInProcess {
  /** Bus and ports, then `:configuration.interface`, such as `1-1.4:1.0`. */
  path: string
  set(report: Uint8Array): Promise<void> | void
  get(id: number, length: number): Promise<Uint8Array> | Uint8Array
  close(): void
}

/**
 * Answers what this process is asked over its channel, for as long as it lives. It lives as long as the channel: when
 * the other end closes it, or is no more, the device is let go and the process ends.
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
      (given) => ({ given }),
      (error) => ({ error: error instanceof Error ? error.message : String(error) }),
    )
    // Whoever went away meanwhile has no use for it.
    process.send?.(reply, () => {})
  })
  process.once('disconnect', () => {
    try {
      device?.close()
    } finally {
      // An orderly end would wait for the native part to end in order, which it may never do.
      process.kill(process.pid, 'SIGKILL')
    }
  })
}
