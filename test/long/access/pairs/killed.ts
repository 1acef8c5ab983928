import assert from 'node:assert/strict'
import fc, { seed } from '../../../seed.ts'
import { type AnyDeed, type Play, play, type World } from './play.ts'

/**
 * Plays in a world until its program was killed as often as wanted, and says how often that was. What fails names its seed;
 * with TEST_SEED the same is played again. `usual` kills are wanted, or NIGHTPORTER_KILLS.
 */
export async function playUntilKilled<Deed extends AnyDeed>(
  world: World<Deed>,
  plays: fc.Arbitrary<Play<Deed>>,
  killed: () => number,
  usual: number,
): Promise<void> {
  const kills = Number(process.env.NIGHTPORTER_KILLS ?? usual)
  let played = 0
  let struck = 0
  for (const each of fc.sample(plays, { numRuns: 4 * kills, seed })) {
    if (killed() >= kills) break
    struck += await play(world, each).catch((error) => {
      throw new Error(`seed ${seed}, play ${played}: ${JSON.stringify(each)}`, { cause: error })
    })
    played++
  }
  console.log(`seed ${seed}: ${played} plays, ${struck} faults struck, ${killed()} kills, nothing wrong`)
  assert.ok(killed() >= kills / 2, `the program was killed ${killed()} times`)
}
