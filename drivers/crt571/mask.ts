import { blocks, first, joined, type KeptBytes } from '../../src/devices/driving/kept-bytes.ts'
import type { Direction, WireMask } from '../../src/devices/mask.ts'
import { antennaCommands } from './antenna-protocol.ts'
import { withPayloads } from './framing.ts'
import { profiles } from './protocol.ts'

/** CM of the commands for a card, and CM and PM of the antenna commands that concern no card. */
const { cm: antenna, pm: forCard } = antennaCommands['rf-read']
const onCard = Object.values(antennaCommands).filter((row) => 'ins' in row)
const plain = Object.values(antennaCommands).flatMap((row) => ('ins' in row ? [] : [row.pm as number]))
/** CM of commands for the machine itself: none contains a secret. */
const machineCommands: ReadonlySet<number> = new Set(
  Object.values(profiles).flatMap(({ commands }) => Object.values(commands).map(({ cm }) => cm)),
)

/** The header CM PM before the data of a command. An answer has three more status characters there. */
const dataAt = 3
const answerAt = 6
/** 00 INS P1 P2 LENGTH before the data that a command brings to a card. */
const header = first(5)

/**
 * The mask of a machine's line, built from the command tables: keys become zeros. For a command in no table, and for
 * its answer, all bytes after CM and PM become zeros.
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

/** The result after the data is kept. */
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
