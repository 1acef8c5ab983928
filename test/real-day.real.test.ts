import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { simulateCrt571 } from '../drivers/crt571/simulator/simulator.ts'
import { simulateTwn4 } from '../drivers/twn4/simulator/simulator.ts'
import { openWire } from '../src/devices/wires/wire.ts'
import { systemClock } from '../src/host/clock.ts'
import { programMissing } from './programs.ts'
import { firstArrival, realDay, withoutBookings } from './real-day.ts'
import { settableClock } from './test-clock.ts'

const folder = mkdtempSync(join(tmpdir(), 'nightporter-lines-'))
const lines: ChildProcess[] = []

realDay(
  'serial lines',
  withoutBookings || programMissing('socat'),
  settableClock(firstArrival),
  async ({ lobby }) => ({
    dispenser: await serialLine('dispenser', (wire) => simulateCrt571(wire, lobby.dispenser)),
    encoder: await serialLine('encoder', (wire) => simulateTwn4(wire, lobby.encoder)),
  }),
)

after(() => {
  for (const line of lines) line.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** The path of one end of a pty pair whose other end is played by a simulator. */
async function serialLine(
  name: string,
  play: (wire: Awaited<ReturnType<typeof openWire>>) => Promise<void>,
): Promise<string> {
  const [near, far] = [join(folder, name), join(folder, `${name}-device`)]
  lines.push(spawn('socat', [`pty,raw,echo=0,link=${near}`, `pty,raw,echo=0,link=${far}`]))
  for (let tries = 0; !existsSync(near) || !existsSync(far); tries++) {
    assert.ok(tries < 1_000, `socat has not made ${near}`)
    await systemClock.sleep(50)
  }
  void play(await openWire({ transport: 'serial', path: far }, { clock: systemClock }))
  return near
}
