import { createHash, randomBytes } from 'node:crypto'
import { type LockPc, lockPc, type PcCard } from './lock-pc.ts'

const floors = [1, 2, 3, 4]
const roomsOnFloor = 20
const encoders = 9

/**
 * The lock PC of a house with the rooms 101 to 420 and nine encoders, on each of which lies a blank card whenever one is
 * asked for, as long as there are `cards`; its clock is that of this machine. The same seed gives the same serial
 * numbers each time; null gives random ones.
 */
export function simulatedHouse(options: { cards: number; seed: string | null; pace: number }): LockPc {
  const { cards, seed, pace } = options
  let given = 0
  const nextCard = (): PcCard | null => {
    if (given >= cards) return null
    given++
    const noise = seed === null ? randomBytes(6) : createHash('sha256').update(`${seed} ${given}`).digest()
    return { uid: `04${noise.subarray(0, 6).toString('hex').toUpperCase()}`, holds: null }
  }
  return lockPc({
    rooms: floors.flatMap((floor) =>
      Array.from({ length: roomsOnFloor }, (_, index) => roomName(floor, index)),
    ),
    encoders: Array.from({ length: encoders }, (_, index) => index + 1),
    clock: shownHere,
    options: { nextCard, pace },
  })
}

function roomName(floor: number, index: number): string {
  return `${floor}${String(index + 1).padStart(2, '0')}`
}

/** What the clock of this machine shows, YYYYMMDDHHmm. */
function shownHere(): string {
  return Temporal.Now.plainDateTimeISO().toString({ smallestUnit: 'minute' }).replaceAll(/[-T:]/g, '')
}
