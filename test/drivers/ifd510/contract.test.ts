import { type AddressInfo, connect, createServer } from 'node:net'
import { type Duplex, duplexPair } from 'node:stream'
import driver from '../../../drivers/ifd510/driver.ts'
import {
  reader,
  type SimulatedIfd510,
  simulatedReports,
  simulateIfd510,
} from '../../../drivers/ifd510/simulator/simulator.ts'
import { reportWire } from '../../../src/devices/hid/hid-reports.ts'
import type { Clock } from '../../../src/host/clock.ts'
import { encoderContract } from '../encoder-contract.ts'

const commands = {
  identify: 'version',
  find: 'serialOf',
  authenticate: 'readBlock',
  readBlock: 'readBlock',
  writeBlock: 'writeBlock',
  readPages: 'readPages',
  writePage: 'writePage',
  off: 'halt',
  signal: 'buzzer',
}

const open = (wire: Duplex, clock: Clock, patience: number) =>
  driver.open(wire, { model: 'ifd510', patience, options: {}, clock })

function bench(play: (played: SimulatedIfd510) => Duplex, options: Partial<SimulatedIfd510> = {}) {
  return (clock: Clock, patience: number) => {
    const cards: ReturnType<SimulatedIfd510['antenna']['cards']>[number][] = []
    const played = reader({ clock, antenna: { cards: () => cards }, ...options })
    return { encoder: open(play(played), clock, patience), cards, misbehaviours: played.misbehaviours }
  }
}

/** As a HID device is opened: the wire is ours, and its reports are the reader's. */
function inProcess(played: SimulatedIfd510): Duplex {
  const wire: Duplex = reportWire(simulatedReports(played, () => wire.destroy()))
  return wire
}

encoderContract('ifd510 as a report device', {
  commands,
  wire: () => duplexPair(),
  open,
  setUp: bench(inProcess),
})

encoderContract('ifd510 with short answers that come late and close with BB', {
  commands,
  wire: () => duplexPair(),
  open,
  setUp: bench(inProcess, { answers: 'short', answerEnd: 0xbb, emptyFirst: 2, station: 2, answerId: 2 }),
})

/** At the far end of a connection, so that a line that is cut in the middle of a command really is. */
function overTcp(played: SimulatedIfd510): Duplex {
  const server = createServer({ noDelay: true }, (socket) => {
    server.close()
    socket.on('error', () => {})
    void simulateIfd510(socket, played)
  })
  // Without a host it listens, and has its port, at once.
  server.listen(0).unref()
  const socket = connect({ port: (server.address() as AddressInfo).port, noDelay: true })
  socket.on('error', () => {})
  return socket
}

encoderContract('ifd510 over TCP', {
  commands,
  overSocket: true,
  wire: () => duplexPair(),
  open,
  setUp: bench(overTcp),
})
