import type { Duplex } from 'node:stream'
import type { TestContext } from 'node:test'
import { openLine, openPort } from '../../src/cli/simulate/simulated-wire.ts'
import { openWire, parseAddress } from '../../src/devices/wires/wire.ts'
import { systemClock } from '../../src/host/clock.ts'
import { programMissing } from '../programs.ts'

/** The ways to a device that go through the system: each with why it cannot be taken here, if so. */
export const transports = [
  { name: 'TCP', at: 'tcp', skip: false },
  {
    name: 'a pseudo-terminal',
    at: 'pty',
    skip: programMissing('socat'),
  },
] as const

/** A device at the other end of a real wire, whose cable can be pulled and plugged in again. */
export interface Pluggable {
  /** A wire to the device, as soon as there is one. */
  plugIn(): Promise<Duplex>
  /** Pulls the cable at the device's end. */
  pull(): void
}

/** Plays a device behind a real wire until the test is over. */
export async function pluggable(
  test: TestContext,
  at: (typeof transports)[number]['at'],
  play: (wire: Duplex) => Promise<void>,
): Promise<Pluggable> {
  let far: Duplex | null = null
  const played = (wire: Duplex) => {
    far = wire
    return play(wire)
  }
  const open = await (at === 'tcp' ? openPort('127.0.0.1', 0, played) : openLine(undefined, played))
  test.after(() => open.close())
  const parsed = parseAddress(open.path)
  if ('problem' in parsed) throw new Error(parsed.problem)
  const { address } = parsed
  return {
    async plugIn() {
      for (let tries = 1; ; tries++) {
        try {
          const wire = await openWire(address, { clock: systemClock, checkMs: 50 })
          wire.on('error', () => {})
          test.after(() => wire.destroy())
          return wire
        } catch (error) {
          // A line that was pulled is away for a moment.
          if (tries === 300) throw error
          await systemClock.sleep(50)
        }
      }
    },
    pull: () => void far?.destroy(),
  }
}
