import type { Clock } from '../../host/clock.ts'
import { type Misbehaviour, misbehaviourFor } from './misbehaviour.ts'
import type { SimulatedAntenna } from './simulated-card.ts'

/** A simulated reader. A test may change its fields at any time. */
export interface SimulatedReader {
  clock: Clock
  antenna: SimulatedAntenna
  /** `at` is a name of the command table. */
  misbehaviours: Misbehaviour[]
  /** How long each command takes, in ms. */
  pace: number
  /** The text with which it reports its firmware. */
  version: string
  /** The number of sounds. */
  beeps: number
}

/** What a reader can do with one command. */
interface Service<Answer> {
  /** Executes it. */
  carryOut(): Answer
  /** The answer of a `refuse` with this code; without a code, a refusal of the simulator's choice. */
  refusal(code: string | undefined): Answer
  answer(answer: Answer, isGarbled: boolean): void
  dropLine(): void
}

/**
 * Serves one command, and misbehaves when the list says so. `name` is the command's name in the table; undefined for
 * bytes that are no command.
 */
export async function serve<Answer>(
  reader: SimulatedReader,
  name: string | undefined,
  { carryOut, refusal, answer, dropLine }: Service<Answer>,
): Promise<void> {
  const { does = 'pass', code } = (name && misbehaviourFor(name, reader.misbehaviours)) || {}
  if (reader.pace > 0) await reader.clock.sleep(reader.pace)
  if (does === 'close') dropLine()
  if (does === 'close' || does === 'silence') return
  const given = does === 'refuse' ? refusal(code) : carryOut()
  if (does !== 'late') answer(given, does === 'garble')
}
