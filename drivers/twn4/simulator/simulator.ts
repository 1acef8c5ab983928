import type { Duplex } from 'node:stream'
import { nameOf } from '../../../src/devices/driving/reader-link.ts'
import { type SimulatedReader, serve } from '../../../src/simulators/devices/simulated-reader.ts'
import { decode, encode, receiver } from '../framing.ts'
import { type Command, commands, type Twn4CommandName } from '../protocol.ts'
import { radio, type Twn4Handler } from './simulated-radio.ts'

/** A simulated reader. The code of a `refuse` is the whole answer in hex, ERR 04 by default. */
export interface SimulatedTwn4 extends SimulatedReader {
  /** 12 bytes in hex. */
  deviceUid: string
  crc: boolean
  binary: boolean
  /** The commands that its firmware does not know. */
  lacks: readonly Twn4CommandName[]
  /** The output pins that are high, as bits. */
  lights: number
}

/** The commands that the firmware of the default version does not know. */
export const ofNewerFirmware = ['initLights', 'lightsOn', 'lightsOff', 'beepOn', 'beepOff'] as const

/** A reader with Simple Protocol firmware, which behaves well by default. */
export function reader(
  options: Partial<SimulatedTwn4> & Pick<SimulatedTwn4, 'clock' | 'antenna'>,
): SimulatedTwn4 {
  return {
    misbehaviours: [],
    pace: 0,
    version: 'TWN4/B1.03/CCF1.57/PRS1.03/PI',
    deviceUid: '0102030405060708090A0B0C',
    crc: false,
    binary: false,
    lacks: ofNewerFirmware,
    lights: 0,
    beeps: 0,
    ...options,
  }
}

/** Simulates the reader at the other end of a wire, one command at a time. Resolves once the wire has closed. */
export async function simulateTwn4(wire: Duplex, reader: SimulatedTwn4): Promise<void> {
  const carryOut = { ...periphery(reader), ...radio(reader.antenna) } satisfies Record<
    Twn4CommandName,
    Twn4Handler
  >

  for await (const line of receiver(wire, reader.binary).lines) {
    const request = decode(line, reader.crc)
    const code = request && request.length > 1 ? request.readUInt16BE() : -1
    const named = nameOf(commands, code)
    const name = named && !reader.lacks.includes(named) ? named : undefined
    await serve<Iterable<number>>(reader, name, {
      carryOut: () => answerTo(request, name),
      refusal: (whole = '04') => Buffer.from(whole, 'hex'),
      answer: (answer, isGarbled) => {
        const bytes = encode(answer, reader.crc, reader.binary)
        wire.write(isGarbled ? garbled(bytes) : bytes)
      },
      dropLine: () => wire.destroy(),
    })
  }

  function answerTo(request: Buffer | null, name: Twn4CommandName | undefined): Iterable<number> {
    if (!request) return [0x05]
    if (!name) return [0x01]
    const parameters = request.subarray(2)
    const { takes, lengthAt }: Command = commands[name]
    const spare = parameters.length - takes - (lengthAt === undefined ? 0 : (parameters[lengthAt] ?? 0))
    if (spare !== 0) return [spare < 0 ? 0x02 : 0x03]
    return [0x00, ...carryOut[name](parameters)]
  }

  /** Damages the first byte; in binary mode the first byte after the number of bytes. */
  function garbled(bytes: Buffer): Buffer {
    const at = reader.binary ? 2 : 0
    return bytes.fill('?', at, at + 1)
  }
}

function periphery(reader: SimulatedTwn4) {
  const on: Twn4Handler = ([pins = 0]) => {
    reader.lights |= pins
    return []
  }
  const off: Twn4Handler = ([pins = 0]) => {
    reader.lights &= ~pins
    return []
  }
  const sound: Twn4Handler = () => {
    reader.beeps++
    return []
  }
  return {
    version: ([most = 0]) => {
      const text = Buffer.from(reader.version, 'latin1').subarray(0, most)
      return [text.length, ...text]
    },
    usbType: () => [0x01],
    deviceUid: () => Buffer.from(reader.deviceUid, 'hex'),
    configureOutputs: () => [],
    setOutputs: on,
    clearOutputs: off,
    beep: sound,
    initLights: () => [],
    lightsOn: on,
    lightsOff: off,
    beepOn: sound,
    beepOff: () => [],
  } satisfies Partial<Record<Twn4CommandName, Twn4Handler>>
}
