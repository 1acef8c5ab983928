import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { simulatedLobby } from '../../src/demo/simulated-lobby.ts'
import { cardImage } from '../../src/simulators/devices/simulated-card.ts'
import { guestComes, take } from '../../src/simulators/devices/simulated-card-path.ts'
import { beginMove } from '../../src/simulators/devices/simulated-machine.ts'
import { folderFor } from '../backup/recovery.ts'
import { testClock } from '../test-clock.ts'

it('a guest of the simulated lobby leaves the card at the gate while the disk is full, and takes it later', async (test) => {
  const clock = testClock()
  const pocket = join(folderFor(test), 'pocket')
  const { dispenser } = simulatedLobby({ clock, pocket, cards: 2, takenAfterMs: 1_000, pace: 0 })
  const file = join(pocket, `${cardImage(dispenser.stack[0]!).uid}.json`)
  mkdirSync(pocket)
  // Each write to it ends with ENOSPC.
  symlinkSync('/dev/full', file)
  const move = beginMove(dispenser, 'move-front')
  assert.ok(typeof move === 'function')
  move()
  guestComes(dispenser)
  await clock.sleep(2_000)
  assert.deepEqual([dispenser.at, dispenser.taken.length], ['gate', 0])
  const eject = beginMove(dispenser, 'move-eject')
  assert.ok(typeof eject === 'function')
  eject()
  assert.deepEqual([take(dispenser), dispenser.at, dispenser.taken.length], [false, 'gate', 0])
  rmSync(file)
  assert.deepEqual([take(dispenser), dispenser.at, dispenser.taken.length], [true, 'none', 1])
  assert.ok(existsSync(file) && JSON.parse(readFileSync(file, 'utf8')))
})
