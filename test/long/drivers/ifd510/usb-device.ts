import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import type { FeatureReports } from '../../../../src/devices/hid/hid-reports.ts'

/** A device in a socket of this machine. */
export interface Plugged {
  unplug(): void
}

const lowSpeed = 1
const controller = '/sys/devices/platform/vhci_hcd.0'
const head = 48

const reportDescriptor = Buffer.from(
  '06a0ff0901a101150026ff0075088501' + '95ff0901b102' + '8502' + '95ff0901b102' + 'c0',
  'hex',
)

const deviceDescriptor = Buffer.from([
  18, 1, 0x10, 0x01, 0, 0, 0, 8, 0xff, 0xff, 0x35, 0x00, 0x00, 0x01, 0, 1, 0, 1,
])

const configuration = Buffer.from([
  ...[9, 2, 27, 0, 1, 1, 0, 0x80, 100],
  ...[9, 4, 0, 0, 0, 3, 0, 0, 0],
  ...[9, 0x21, 0x10, 0x01, 0, 1, 0x22, reportDescriptor.length, 0],
])

function text(words: string): Buffer {
  const body = Buffer.from(words, 'utf16le')
  return Buffer.concat([Buffer.from([2 + body.length, 3]), body])
}

const descriptors = new Map<number, Buffer>([
  [0x0100, deviceDescriptor],
  [0x0200, configuration],
  [0x2200, reportDescriptor],
  [0x0300, Buffer.from([4, 3, 0x09, 0x04])],
  [0x0301, text('USB Reader')],
])

/**
 * Plugs a USB device into this machine: the kernel's own USB/IP host controller (vhci_hcd) asks us over a socket what a
 * device on a cable would be asked. Descriptors are those dumped from a unit: FFFF:0035, "USB Reader", low speed, one
 * HID interface without any endpoint, two feature reports of 255 bytes. A report that is rejected stalls; one that stays
 * open is never answered. Resolves once the kernel was told; it asks for the descriptors a moment later.
 */
export async function plugIn(reports: FeatureReports, { port = 0, isMute = false } = {}): Promise<Plugged> {
  // Accepted paused: Node never reads from it, and its descriptor may become the kernel's.
  const server = createServer({ pauseOnConnect: true })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: tcp } = server.address() as { port: number }
  const device = connect(tcp, '127.0.0.1')
  const [host] = (await once(server, 'connection')) as [Socket]
  device.on('error', () => {})
  host.on('error', () => {})
  if (!isMute) play(device, reports)
  const { fd } = (host as unknown as { _handle: { fd: number } })._handle
  writeFileSync(`${controller}/attach`, `${port} ${fd} ${(1 << 16) | (port + 2)} ${lowSpeed}`)
  return {
    unplug() {
      if (host.destroyed) return
      writeFileSync(`${controller}/detach`, `${port}`)
      host.destroy()
      device.destroy()
      server.close()
    },
  }
}

function play(socket: Socket, reports: FeatureReports): void {
  let rest = Buffer.alloc(0)
  const unlinked = new Set<number>()
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= head) {
      const command = rest.readUInt32BE(0)
      const isOut = rest.readUInt32BE(12) === 0
      const size = head + (command === 1 && isOut ? rest.readUInt32BE(24) : 0)
      if (rest.length < size) return
      const message = rest.subarray(0, size)
      rest = rest.subarray(size)
      if (command === 1) void submit(message)
      else unlink(message)
    }
  })

  async function submit(message: Buffer): Promise<void> {
    const seq = message.readUInt32BE(4)
    const given = await control(message.subarray(40, 48), message.subarray(head), reports).catch(() => null)
    if (unlinked.delete(seq)) return
    const isOut = message.readUInt32BE(12) === 0
    const answer = Buffer.alloc(head)
    answer.writeUInt32BE(3, 0)
    answer.writeUInt32BE(seq, 4)
    answer.writeInt32BE(given ? 0 : -32, 20)
    answer.writeUInt32BE(given ? (isOut ? message.length - head : given.length) : 0, 24)
    socket.write(given && !isOut ? Buffer.concat([answer, given]) : answer)
  }

  function unlink(message: Buffer): void {
    unlinked.add(message.readUInt32BE(20))
    const answer = Buffer.alloc(head)
    answer.writeUInt32BE(4, 0)
    answer.writeUInt32BE(message.readUInt32BE(4), 4)
    answer.writeInt32BE(-104, 20)
    socket.write(answer)
  }
}

/** One control transfer; null is a stall. */
async function control(setup: Buffer, data: Buffer, reports: FeatureReports): Promise<Buffer | null> {
  const request = setup.readUInt16BE(0)
  const value = setup.readUInt16LE(2)
  const length = setup.readUInt16LE(6)
  switch (request) {
    case 0x8006:
    case 0x8106:
      return descriptors.get(value)?.subarray(0, length) ?? null
    case 0x8000:
      return Buffer.from([0, 0])
    case 0x0005:
    case 0x0009:
    case 0x010b:
    case 0x210a:
      return Buffer.alloc(0)
    case 0x2109:
      await reports.set(data)
      return Buffer.alloc(0)
    case 0xa101:
      return Buffer.from(await reports.get(value & 0xff, length)).subarray(0, length)
    default:
      return null
  }
}
