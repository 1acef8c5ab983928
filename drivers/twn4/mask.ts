import { type WireMask, withoutKeys, withoutPassword } from '../../src/devices/mask.ts'
import { decode, encode } from './framing.ts'
import { commands } from './protocol.ts'

/** Stands for digits that nobody may keep: EE is no ERR, so a line of it stays as unreadable as it was. */
const unreadable = 'E'
const lastError = 0x06

/**
 * What may be kept of a reader's line: keys and passwords are zeros, of commands that are not known here all parameters
 * and the answers to them, and of what is no line of the reader's every digit.
 */
export function mask(): WireMask {
  let answersAreKnown = true

  return (direction, bytes) => {
    const text = Buffer.from(bytes).toString('latin1')
    const kept = text
      .split(/(\r)/)
      .map((line) =>
        line === '\r' || line === '' ? line : direction === 'out' ? asked(line) : answered(line),
      )
    return Buffer.from(kept.join(''), 'latin1')
  }

  function asked(line: string): string {
    const name = commandIn(line)
    answersAreKnown = name !== null
    return masked(line, (command) => {
      const keep = name === null ? null : (careful[name] ?? whole)
      return Buffer.concat([
        command.subarray(0, 2),
        keep ? keep(command.subarray(2)) : zeros(command.subarray(2)),
      ])
    })
  }

  function answered(line: string): string {
    return masked(line, (answer) => {
      if (answer[0]! > lastError) return null
      // Behind ERR there is a Bool where data follow; it is no secret.
      const head = answer[1]! <= 1 && answer.length !== 17 ? 2 : 1
      const rest = answer.subarray(head)
      return Buffer.concat([answer.subarray(0, head), answersAreKnown ? withoutKeys(rest) : zeros(rest)])
    })
  }
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

function commandIn(line: string): string | null {
  const code = /^[0-9a-f]{4}/i.test(line) ? Number.parseInt(line.slice(0, 4), 16) : -1
  const [name] = Object.entries(commands).find(([, each]) => each.code === code) ?? []
  return name !== undefined && looked.includes(name) ? name : null
}

/** A line by what may be kept of its bytes, its CRC put right where it has one. */
function masked(line: string, keep: (bytes: Buffer) => Uint8Array | null): string {
  const body = decode(line, true)
  const bytes = body ?? decode(line, false)
  const kept = bytes && keep(bytes)
  if (!kept) return line.replaceAll(/[^\r]/g, unreadable)
  const same = Buffer.from(kept).equals(bytes)
  return same
    ? line
    : encode(kept, body !== null)
        .subarray(0, -1)
        .toString('latin1')
}
