import { type WireMask, withoutKeys, withoutPassword } from '../../src/devices/mask.ts'
import { decode, encode } from './framing.ts'
import { commands } from './protocol.ts'

/** Stands for what nobody may keep: EE is no ERR, so what was unreadable stays so. */
const unreadable = 0xee
const lastError = 0x06
const longestFrame = 259

/**
 * What may be kept of what a reader is asked and answers, in the mode of its options: keys and passwords are zeros, and so are
 * all parameters of commands that are not known here, and the answers to them. What is no line of the reader's is made
 * unreadable.
 */
export function mask({ crc = false, binary = false }: Record<string, unknown>): WireMask {
  const hasCrc = crc === true
  let answersAreKnown = true

  return (direction, bytes) => {
    const keep = direction === 'out' ? asked : answered
    return binary === true ? inFrames(bytes, hasCrc, keep) : inLines(bytes, hasCrc, keep)
  }

  function asked(command: Buffer): Uint8Array {
    const name = command.length < 2 ? null : commandNamed(command.readUInt16BE())
    answersAreKnown = name !== null
    const keep = name === null ? zeros : (careful[name] ?? whole)
    return Buffer.concat([command.subarray(0, 2), keep(command.subarray(2))])
  }

  function answered(answer: Buffer): Uint8Array | null {
    if (answer[0]! > lastError) return null
    // Behind ERR there is a Bool where data follow; it is no secret.
    const head = answer[1]! <= 1 && answer.length !== 17 ? 2 : 1
    const rest = answer.subarray(head)
    return Buffer.concat([answer.subarray(0, head), answersAreKnown ? withoutKeys(rest) : zeros(rest)])
  }
}

/** What may be kept of the bytes of one line; null for what is none. */
type KeepLine = (bytes: Buffer) => Uint8Array | null

function inLines(bytes: Uint8Array, crc: boolean, keep: KeepLine): Uint8Array {
  const lines = Buffer.from(bytes).toString('latin1').split('\r')
  const kept = lines.map((line) => {
    const body = decode(line, crc)
    const of = body && keep(body)
    if (of) return body.equals(of) ? line : encode(of, crc).subarray(0, -1).toString('latin1')
    return line.replaceAll(/[0-9a-f]/gi, 'E')
  })
  return Buffer.from(kept.join('\r'), 'latin1')
}

function inFrames(bytes: Uint8Array, crc: boolean, keep: KeepLine): Uint8Array {
  const kept = Buffer.from(bytes)
  for (let at = 0; at < kept.length; ) {
    const size = kept.length - at < 2 ? 0 : kept.readUInt16LE(at)
    const end = at + 2 + size
    const isWhole = size > 0 && size <= longestFrame && end <= kept.length
    const body = isWhole ? decode(kept.toString('hex', at + 2, end), crc) : null
    const of = body && keep(body)
    // Bytes that are no frame may be the rest of one; where the next begins nobody knows.
    if (!isWhole) return kept.fill(unreadable, at + Math.min(2, kept.length - at))
    if (of) kept.set(encode(of, crc, true), at)
    else kept.fill(unreadable, at + 2, end)
    at = end
  }
  return kept
}

type Keep = (parameters: Buffer) => Uint8Array

const whole: Keep = (parameters) => parameters
const zeros: Keep = (parameters) => Buffer.alloc(parameters.length)

/** Of the commands that are given a secret, what is kept of their parameters. */
const careful: Record<string, Keep> = {
  login: (parameters) => hidden(parameters, [0, 6]),
  writeBlock: (parameters) => behind(parameters, withoutKeys(parameters.subarray(1), parameters[0])),
  writePage: (parameters) => behind(parameters, withoutPassword(parameters[0] ?? 0, parameters.subarray(1))),
  writeNtag: (parameters) => behind(parameters, withoutPassword(parameters[0] ?? 0, parameters.subarray(1))),
  unlockEv1: zeros,
  unlockNtag: zeros,
  authenticate: (parameters) => hidden(parameters, [3, 3 + (parameters[2] ?? 0)]),
  changeKey: (parameters) => hidden(parameters, [3, 19], [20, 36]),
}

function hidden(parameters: Buffer, ...ranges: [from: number, until: number][]): Uint8Array {
  return parameters.map((byte, index) =>
    ranges.some(([from, until]) => index >= from && index < until) ? 0 : byte,
  )
}

/** The first parameter, which is an address, and what is kept of the others. */
function behind(parameters: Buffer, kept: Uint8Array): Uint8Array {
  return Buffer.concat([parameters.subarray(0, 1), kept])
}

/** Commands that hold no secret, and those that are looked into. */
const looked: readonly string[] = [
  ...[
    'version',
    'usbType',
    'deviceUid',
    'lastError',
    'configureOutputs',
    'setOutputs',
    'clearOutputs',
    'beep',
  ],
  ...['initLights', 'lightsOn', 'lightsOff', 'beepOn', 'beepOff', 'searchTag', 'rfOff', 'setTagTypes'],
  ...['readBlock', 'readPages', 'readNtag', 'pageVersion', 'atqa', 'sak', 'createApplication'],
  ...[
    'selectApplication',
    'keySettings',
    'fileSettings',
    'readFile',
    'writeFile',
    'formatCard',
    'createFile',
  ],
  ...Object.keys(careful),
]

function commandNamed(code: number): string | null {
  const [name] = Object.entries(commands).find(([, each]) => each.code === code) ?? []
  return name !== undefined && looked.includes(name) ? name : null
}
