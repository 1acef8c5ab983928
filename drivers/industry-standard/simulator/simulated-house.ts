import type { Clock } from '../../../src/host/clock.ts'
import { localTime } from '../../../src/simulators/devices/local-time.ts'
import { noiseFor } from '../../../src/simulators/devices/simulated-card.ts'
import { type LockPc, lockPc, type PcCard } from './lock-pc.ts'

const floors = [1, 2, 3, 4]
const roomsOnFloor = 20
const encoders = 9

/**
 * The lock PC of a site with the rooms 101 to 420 and nine encoders. A blank card lies on an encoder whenever one is
 * needed, as long as there are `cards`; its clock shows the local time of this machine. The same seed gives the same
 * serial numbers each time; null gives random ones.
 */
export function simulatedHouse(options: {
  clock: Clock
  cards: number
  seed: string | null
  pace: number
}): LockPc {
  const { clock, cards, seed, pace } = options
  let issued = 0
  const nextCard = (): PcCard | null => {
    if (issued >= cards) return null
    issued++
    const noise = noiseFor(seed, issued)
    return { uid: `04${noise.subarray(0, 6).toString('hex').toUpperCase()}`, holds: null }
  }
  return lockPc({
    rooms: floors.flatMap((floor) =>
      Array.from({ length: roomsOnFloor }, (_, index) => `${floor}${String(index + 1).padStart(2, '0')}`),
    ),
    encoders: Array.from({ length: encoders }, (_, index) => index + 1),
    clock,
    shown: () => shownHere(clock),
    options: { nextCard, pace },
  })
}

/** The local time of this machine, YYYYMMDDHHmm. */
function shownHere(clock: Clock): string {
  const { date, time } = localTime(clock)
  return `${date}${time.slice(0, 5)}`.replaceAll(/[-:]/g, '')
}
