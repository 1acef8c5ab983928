import type { CardPosition, Position } from '../capability.ts'
import type { Timing } from '../driver.ts'
import { DeviceFault, type FaultCode } from '../fault.ts'
import { deadline } from '../inbox.ts'
import { lookAfter, type MotionName, motions, unproved } from './dispenser.ts'

/** What a machine reports about itself at one moment. */
interface Sighting {
  card: CardPosition
  /** Whether any card moves: this one or the next one. */
  isBusy: boolean
  /** Whether the machine moves this card. */
  movesCard: boolean
  /** The fault that the machine reports, with its own code. */
  trouble: { code: FaultCode; vendorCode: string } | null
}

/** A motion without a reply: the machine's sensors are polled until they show the end. */
interface SensedMotion<Seen> extends Timing {
  to: Position
  from: CardPosition
  /** Sends the command, once. */
  begin(name: MotionName): Promise<void>
  look(): Promise<Seen>
  sight(seen: Seen): Sighting
  /** The polling interval, and the longest duration of the motion, in ms. */
  lookMs: number
  motionMs: number
  /** After this many polls that see a card at rest, the motion is known not to have started. */
  stillLooks: number
}

/** The position of the card at the end of a motion. */
const arrivals: Record<MotionName, CardPosition> = {
  'move-encoder': 'encoder',
  'move-chip': 'encoder',
  'move-front': 'gate',
  'move-eject': 'none',
  'move-capture': 'none',
  'move-stacker': 'none',
}

/**
 * Executes a motion, and returns the sensors once they confirm its end. Rejects with a DeviceFault: `dispenser-offline`
 * when no card has moved, `dispenser-timeout` when the outcome is unknown, or the fault that the machine reports.
 */
export async function sensedMotion<Seen>(motion: SensedMotion<Seen>): Promise<Seen> {
  const { to, from, begin, look, sight, clock, patience, lookMs, motionMs, stillLooks } = motion
  const name = motions[to]
  const progress: Progress = { name, to, from, hasMoved: false }
  await begin(name)
  const by = deadline(clock, motionMs * patience)
  for (let still = 0; still < stillLooks && by.left() > 0; ) {
    await clock.sleep(lookMs * patience)
    const seen = await lookAfter(name, look)
    const shown = judge(progress, sight(seen))
    if (shown === 'done') return seen
    if (shown === 'still' && ++still === stillLooks) expectBegun(progress, sight(seen))
  }
  throw unproved(name, 'its sensors do not show that it was done')
}

interface Progress {
  name: MotionName
  to: Position
  from: CardPosition
  hasMoved: boolean
}

/** Returns what one poll shows of a motion. Throws a fault when the motion has failed. */
function judge(progress: Progress, shown: Sighting): 'done' | 'moving' | 'still' {
  const { name, to, from } = progress
  const { card, isBusy, movesCard } = shown
  expectNoTrouble(progress, shown)
  // A machine that prepares its next card moves too, which proves nothing about this card.
  progress.hasMoved ||= movesCard || card === 'unknown'
  // A card that moves back from the mouth covers a sensor all the way. If no sensor sees it, a guest pulled it out.
  if (to === 'hold' && from === 'gate' && card === 'none')
    throw unproved(name, 'the card has left the gate, and the machine may have fed another')
  if (isBusy || card === 'unknown') return 'moving'
  return card === arrivals[name] && (progress.hasMoved || provesItself(progress)) ? 'done' : 'still'
}

/**
 * Whether the end position alone proves the motion. An empty path does not prove a capture from the mouth: a guest may
 * have pulled the card out.
 */
function provesItself({ name, from }: Progress): boolean {
  return from !== 'gate' || arrivals[name] !== 'none' || name === 'move-eject'
}

function expectBegun({ name, from, hasMoved }: Progress, { card }: Sighting): void {
  if (card === from && !hasMoved)
    throw new DeviceFault('dispenser-offline', `${name}: the machine did not begin; nothing moved`)
}

function expectNoTrouble({ name, from }: Progress, { trouble, card }: Sighting): void {
  if (!trouble) return
  const { code, vendorCode } = trouble
  const wasPulled = name === 'move-capture' && from === 'gate' && card === 'none'
  if (wasPulled) throw unproved(name, `the machine shows ${vendorCode}, and the card is gone`)
  const outcomeUnknown = from !== 'none'
  throw new DeviceFault(code, `${name}: the machine shows ${vendorCode}`, { outcomeUnknown, vendorCode })
}
