import { first, joined, type KeptBytes } from '../../src/devices/driving/kept-bytes.ts'
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
const dataAt = { out: 3, in: 6 } as const
/** Keeps 00 INS P1 P2 LENGTH of a command for a card that is in no row, and hides what it brings to the card. */
const unknownToCard = { keeps: first(5), gives: first(0) }

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
  if (cm !== antenna) return machineCommands.has(cm) ? text : first(dataAt.out)(text)
  const ins = text[dataAt.out + 1]
  // The answers of all commands for a card have the same shape.
  const row = antennaRows.find(
    (each) => each.pm === pm && (direction === 'in' || !('ins' in each) || each.ins === ins),
  )
  const rules = row ?? (pm === forCard ? unknownToCard : null)
  if (!rules) return first(dataAt.out)(text)
  return behind(text, dataAt[direction], direction === 'out' ? rules.keeps : rules.gives)
}

function behind(text: Uint8Array, from: number, keep: KeptBytes): Uint8Array {
  return joined(text.subarray(0, from), keep(text.subarray(from)))
}
