import { first, joined, type KeptBytes, none } from '../../src/devices/driving/kept-bytes.ts'
import type { Direction, WireMask } from '../../src/devices/mask.ts'
import { antennaCommands } from './antenna-protocol.ts'
import { withPayloads } from './framing.ts'
import { profiles } from './protocol.ts'

const antennaRows = Object.values(antennaCommands)
/** CM and PM of the commands for a card. */
const { cm: antenna, pm: forCard } = antennaCommands['rf-read']
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
 * The mask of a machine's line, built from the command tables: keys and the contents of cards become zeros. For a command
 * in no table, and for its answer, all bytes after CM and PM become zeros.
 */
export function mask(): WireMask {
  return (direction, bytes) =>
    withPayloads(bytes, ({ address, payload }) => (address === null ? payload : kept(direction, payload)))
}

function kept(direction: Direction, text: Uint8Array): Uint8Array {
  const [, cm = 0, pm = 0] = text
  if (cm !== antenna) return machineCommands.has(cm) ? text : first(dataAt)(text)
  const ins = text[dataAt + 1]
  // The answers of all commands for a card have the same shape.
  const row = antennaRows.find(
    (each) => each.pm === pm && (direction === 'in' || !('ins' in each) || each.ins === ins),
  )
  if (direction === 'in') return row ? behind(text, answerAt, row.gives) : first(dataAt)(text)
  return behind(text, dataAt, row?.keeps ?? (pm === forCard ? header : none))
}

function behind(text: Uint8Array, from: number, keep: KeptBytes): Uint8Array {
  return joined(text.subarray(0, from), keep(text.subarray(from)))
}
