import { blocks, first, joined, type KeptBytes } from '../../src/devices/driving/kept-bytes.ts'
import type { Direction, WireMask } from '../../src/devices/mask.ts'
import { antennaCommands } from './antenna-protocol.ts'
import { withPayloads } from './framing.ts'
import { profiles } from './protocol.ts'

/** CM of the commands for a card, and CM and PM of all that is asked of the antenna without one. */
const { cm: antenna, pm: forCard } = antennaCommands['rf-read']
const onCard = Object.values(antennaCommands).filter((row) => 'ins' in row)
const plain = Object.values(antennaCommands).flatMap((row) => ('ins' in row ? [] : [row.pm as number]))
/** CM of commands that work the machine itself: none has a secret. */
const machineCommands: ReadonlySet<number> = new Set(
  Object.values(profiles).flatMap(({ commands }) => Object.values(commands).map(({ cm }) => cm)),
)

/** Head CM PM before the data of a command; three status characters more before that of an answer. */
const dataAt = 3
const answerAt = 6
/** 00 INS P1 P2 LENGTH before what a command brings a card. */
const header = first(5)

/**
 * What may be kept of a machine's line, as the tables say it: keys are zeros, and so is all that follows CM and PM of a command
 * that is in none, and of its answer.
 */
export function mask(): WireMask {
  let isRead = false

  return (direction, bytes) =>
    withPayloads(bytes, ({ address, payload }) => {
      if (address === null) return payload
      if (direction === 'out' && payload.length > dataAt + 1)
        isRead = payload[1] === antenna && payload[dataAt + 1] === antennaCommands['rf-read'].ins
      return kept(direction, payload, isRead)
    })
}

function kept(direction: Direction, text: Uint8Array, isRead: boolean): Uint8Array {
  const [, cm = 0, pm = 0] = text
  const isPlain = cm === antenna ? plain.includes(pm) : machineCommands.has(cm)
  if (isPlain) return text
  if (cm !== antenna || pm !== forCard) return first(dataAt)(text)
  return direction === 'out' ? behind(text, dataAt, rowOf(text)?.keeps ?? header) : answer(text, isRead)
}

/** Behind the data stands what came of it, which is kept. */
function answer(text: Uint8Array, isRead: boolean): Uint8Array {
  if (text.length < answerAt + 2) return text
  const word = text.length - 2
  return joined(behind(text.subarray(0, word), answerAt, isRead ? blocks : first(0)), text.subarray(word))
}

function behind(text: Uint8Array, from: number, keep: KeptBytes): Uint8Array {
  return joined(text.subarray(0, from), keep(text.subarray(from)))
}

function rowOf(text: Uint8Array) {
  return onCard.find(({ ins }) => ins === text[dataAt + 1])
}
