import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Duplex, duplexPair } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import crt571 from '../../drivers/crt571/driver.ts'
import { machine, simulateCrt571 } from '../../drivers/crt571/simulator/simulator.ts'
import twn4 from '../../drivers/twn4/driver.ts'
import { reader, simulateTwn4 } from '../../drivers/twn4/simulator/simulator.ts'
import type { DeviceCapabilities, Driver } from '../../src/devices/driver.ts'
import { backgroundWork } from '../../src/host/background-work.ts'
import { flightRecorder, type RecorderOptions } from '../../src/recorder/recorder.ts'
import { blankCards } from '../../src/simulators/devices/simulated-card.ts'
import { testClock } from '../test-clock.ts'

const patience = 0.1

/** A dispenser and an encoder on recorded wires, as the appliance opens them, and what may be done to them. */
export async function recordedLobby(options: Partial<RecorderOptions> = {}) {
  const clock = testClock()
  const data = mkdtempSync(join(tmpdir(), 'flight-'))
  const recorder = await flightRecorder({
    data,
    bytes: 1 << 20,
    clock,
    background: backgroundWork({ clock, failed: () => {} }),
    stopped: () => {},
    resumed: () => {},
    ...options,
  })
  const lobby = machine({ clock, stack: blankCards(5, 'flight', 'classic') })
  const desk = reader({ clock, antenna: lobby })

  function open<Kind extends keyof DeviceCapabilities>(
    driver: Driver<Kind>,
    bay: string,
    play: (wire: Duplex) => unknown,
  ): DeviceCapabilities[Kind] {
    const [near, far] = duplexPair()
    void play(far)
    const told = { model: driver.name, patience, options: {} }
    const about = { bay, capability: driver.capability, driver: driver.name, path: 'simulated', ...told }
    const { wire, calls } = recorder.line(about, driver.mask, near)
    return calls(driver.open(wire, { ...told, clock }))
  }

  return {
    data,
    recorder,
    lobby,
    desk,
    dispenser: () => open(crt571, 'Lobby', (wire) => simulateCrt571(wire, lobby)),
    encoder: () => open(twn4, 'Desk', (wire) => simulateTwn4(wire, desk)),
    text: async () => (await buffer(recorder.read())).toString(),
    remove: () => rmSync(data, { recursive: true, force: true }),
  }
}

export type RecordedLobby = Awaited<ReturnType<typeof recordedLobby>>
