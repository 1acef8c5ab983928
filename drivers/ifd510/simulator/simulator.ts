import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { nameOf } from '../../../src/devices/driving/reader-link.ts'
import { type FeatureReports, reportWire } from '../../../src/devices/hid/hid-reports.ts'
import { type SimulatedReader, serve } from '../../../src/simulators/devices/simulated-reader.ts'
import { answerReport, encode, ends, type Packet, reportIds, reportLength, requestIn } from '../framing.ts'
import { commands, type Ifd510CommandName, status, unknownCommand } from '../protocol.ts'
import { done, type Ifd510Handler, radio } from './simulated-radio.ts'

/** A simulated reader. The code of a `refuse` is a reason in hex, 8F by default. While a command runs, the answer report is empty. */
export interface SimulatedIfd510 extends SimulatedReader {
  /** The number of polls that find the answer report empty after the command is done. */
  emptyFirst: number
  /** Whether an answer fills its report, or ends with its packet. */
  answers: 'whole' | 'short'
  /** The id of the answer report, and the end byte of the packet in it: 03, or BB as in reports to the device. */
  answerId: number
  answerEnd: number
  station: number
  /** 8 bytes in hex. */
  serialNumber: string
  /** The number of times that a light was lit. */
  lights: number
}

/** A reader that behaves well by default. */
export function reader(
  options: Partial<SimulatedIfd510> & Pick<SimulatedIfd510, 'clock' | 'antenna'>,
): SimulatedIfd510 {
  return {
    misbehaviours: [],
    pace: 0,
    emptyFirst: 0,
    answers: 'whole',
    answerId: reportIds.answered,
    answerEnd: ends.device[1],
    station: 0,
    version: 'RDM500_0407_1000',
    serialNumber: 'AABBCCDDEEFF0011',
    lights: 0,
    beeps: 0,
    ...options,
  }
}

/** The reader as a device of feature reports. A misbehaviour that drops the line calls `unplug`. */
export function simulatedReports(reader: SimulatedIfd510, unplug: () => void): FeatureReports {
  const carryOut = { ...periphery(reader), ...radio(reader.antenna) } satisfies Record<
    Ifd510CommandName,
    Ifd510Handler
  >
  const empty = Buffer.alloc(reportLength)
  /** Returned at each poll until the next command: a repeated answer looks like a new one. */
  let answer: Uint8Array = empty
  let emptyLeft = 0
  let atWork = Promise.resolve()

  return {
    async set(bytes) {
      answer = empty
      atWork = atWork.then(() => work(requestIn(bytes)))
    },
    async get(id, length) {
      if (id !== reportIds.answer) throw new Error(`there is no report ${id}`)
      const shown = emptyLeft > 0 ? empty : answer
      emptyLeft--
      return Uint8Array.from(shown.subarray(0, length))
    },
    async close() {},
  }

  async function work(request: Packet | null): Promise<void> {
    if (!request) return
    const name = nameOf(commands, request.code)
    await serve<ReturnType<Ifd510Handler>>(reader, name, {
      carryOut: () => (name ? outcomeOf(name, request.data) : { reason: unknownCommand }),
      refusal: (code = '8F') => ({ reason: Number.parseInt(code, 16) }),
      answer: show,
      dropLine: unplug,
    })
  }

  function outcomeOf(name: Ifd510CommandName, data: Uint8Array): ReturnType<Ifd510Handler> {
    return data.length < commands[name].takes ? { reason: 0x85 } : carryOut[name](data)
  }

  function show(outcome: ReturnType<Ifd510Handler>, isGarbled: boolean): void {
    const packetEnds = [ends.device[0], reader.answerEnd] as const
    const packet =
      'reason' in outcome
        ? encode(packetEnds, status.failed, [outcome.reason], reader.station)
        : encode(packetEnds, status.done, outcome, reader.station)
    if (isGarbled) packet[packet.length - 2]! ^= 0xff
    const short = answerReport(packet, reader.answerId)
    answer = reader.answers === 'short' ? short : Buffer.concat([short, empty], reportLength)
    emptyLeft = reader.emptyFirst
  }
}

/**
 * Simulates the reader at the far end of a wire that carries its reports in the form of `reportLine`. Resolves once the
 * wire has closed.
 */
export async function simulateIfd510(wire: Duplex, reader: SimulatedIfd510): Promise<void> {
  const played = reportWire(simulatedReports(reader, () => played.destroy()))
  await pipeline(wire, played, wire).catch(() => {})
  wire.destroy()
}

function periphery(reader: SimulatedIfd510) {
  return {
    readerSerial: () => [reader.station, ...Buffer.from(reader.serialNumber, 'hex')],
    version: () => Buffer.from(reader.version, 'latin1'),
    light: () => {
      reader.lights++
      return done
    },
    buzzer: () => {
      reader.beeps++
      return done
    },
  } satisfies Partial<Record<Ifd510CommandName, Ifd510Handler>>
}
