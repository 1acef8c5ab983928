import { connect } from 'node:net'
import { join } from 'node:path'
import type { Machine } from './machine.ts'

const from = { mac: [0x52, 0x54, 0, 0x12, 0x34, 0x99], address: [10, 0, 2, 99] }
/** Where multicast DNS is asked and answered. */
const group = { mac: [1, 0, 0x5e, 0, 0, 0xfb], address: [224, 0, 0, 251], port: 5_353 }
const askEveryMs = 3_000

/**
 * Asks for the address of a name by multicast DNS, as another computer in the network of a machine that was started with
 * `hasNeighbour`. Resolves with the first IPv4 address in an answer. Rejects when there is none in ten minutes.
 */
export async function addressOfName(box: Machine, name: string): Promise<string> {
  const socket = connect(join(box.folder, 'neighbour'))
  const frame = question(name)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(frame.length)
  const ask = () => socket.write(Buffer.concat([length, frame]))
  const found = Promise.withResolvers<string>()
  const asking = setInterval(ask, askEveryMs)
  const ending = setTimeout(() => found.reject(new Error(`No answer for ${name}.`)), 600_000)
  let got = Buffer.alloc(0)
  socket.on('connect', ask).on('error', found.reject)
  socket.on('data', (data: Buffer) => {
    got = Buffer.concat([got, data])
    for (
      ;
      got.length >= 4 && got.length >= 4 + got.readUInt32BE();
      got = got.subarray(4 + got.readUInt32BE())
    ) {
      const address = answerIn(got.subarray(4, 4 + got.readUInt32BE()), name)
      if (address) found.resolve(address)
    }
  })
  return found.promise.finally(() => {
    clearInterval(asking)
    clearTimeout(ending)
    socket.destroy()
  })
}

/** The labels of a name, each after its length. */
const labels = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((each) => Buffer.from(String.fromCharCode(each.length) + each)),
    Buffer.of(0),
  ])

/** An Ethernet frame with the question for the IPv4 address of a name. */
function question(name: string): Buffer {
  const dns = Buffer.concat([
    Buffer.of(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0),
    labels(name),
    Buffer.of(0, 1, 0, 1),
  ])
  const udp = Buffer.alloc(8)
  for (const [at, value] of [group.port, group.port, 8 + dns.length, 0].entries())
    udp.writeUInt16BE(value, 2 * at)
  const ip = Buffer.from([0x45, 0, 0, 0, 0, 0, 0, 0, 255, 17, 0, 0, ...from.address, ...group.address])
  ip.writeUInt16BE(ip.length + udp.length + dns.length, 2)
  ip.writeUInt16BE(checksum(ip), 10)
  return Buffer.concat([Buffer.from([...group.mac, ...from.mac, 8, 0]), ip, udp, dns])
}

function checksum(header: Buffer): number {
  let sum = 0
  for (let at = 0; at < header.length; at += 2) sum += header.readUInt16BE(at)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16)
  return ~sum & 0xffff
}

/** The address in a frame that answers a question for a name; null in any other frame. */
function answerIn(frame: Buffer, name: string): string | null {
  // Ethernet, IPv4 without options, UDP.
  const isAnswer = frame.length > 54 && frame.readUInt16BE(34) === group.port && (frame[44]! & 0x80) !== 0
  if (!isAnswer) return null
  const record = Buffer.concat([labels(name), Buffer.of(0, 1)])
  const at = frame.indexOf(record, 54)
  // Then class, time to live and length.
  const address = at + record.length + 8
  return at < 0 || frame.length < address + 4 ? null : frame.subarray(address, address + 4).join('.')
}
