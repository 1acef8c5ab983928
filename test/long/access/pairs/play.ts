import type { Misbehaviour } from '../../../../src/simulators/devices/misbehaviour.ts'
import fc from '../../../seed.ts'

/** How something goes wrong. `kill`: the program dies as the command is heard. `down`: nobody answers from then on. */
export type Wrong = { does: Misbehaviour['does'] | 'kill' | 'down'; code?: string }

/** Something that goes wrong from a deed on. */
export interface Fault extends Wrong {
  /** The deed before which it is set up. */
  before: number
  /** The name of a wire of the world. */
  wire: string
  /** Which command of the wire, as a number that is taken modulo how many there are; null is any. */
  command: number | null
  /** How many of these pass before. */
  skip: number
}

/** What people do, one thing after the other. */
export interface AnyDeed {
  do: string
}

export interface Play<Deed> {
  /** Each with whether it is begun together with the next. */
  deeds: { deed: Deed; together: boolean }[]
  faults: [Fault, Fault]
}

/** A simulated device or lock system at the other end of a wire. */
export interface Wired {
  commands: readonly string[]
  misbehaviours: Misbehaviour[]
}

/** Lets time go by: some looks of a watcher, or longer than whatever is waited for; or some days. */
export type Pass = (how: 'short' | 'long' | 'days') => Promise<void>

/** The program, whichever way it runs. */
export interface Running {
  pass: Pass
  restart(): Promise<void>
  /** Ends the program where it stands. */
  kill(): void
  /** Starts it again if it was killed. */
  revive(): Promise<void>
}

/** A place in which plays are played, one after the other. */
export interface World<Deed> extends Running {
  wires: Record<string, Wired>
  /** Everything is ready for a play whose stays have names that begin so. */
  begin(name: string): Scene<Deed>
}

/** The place during one play. */
export interface Scene<Deed> {
  carryOut(deed: Deed): Promise<void>
  /** Nothing goes wrong any more: resolves when all that was under way has come to its end. */
  settled(): Promise<void>
  /** Holds the cards and the locks themselves against what the store says of them. */
  expectTrue(): Promise<void>
  /** Whoever comes next is served. Nothing of this play is left for the next. */
  expectServed(): Promise<void>
}

/** What plays are made of. */
export interface Material<Deed> {
  first: fc.Arbitrary<Deed>
  deed: fc.Arbitrary<Deed>
  wires: readonly string[]
  wrongs: fc.Arbitrary<Wrong>
  /** How many commands a wire carries in a deed, about. */
  reach: number
}

/** Some deeds, of which the first makes a key, and in which two things go wrong. */
export function playsOf<Deed>({
  first,
  deed,
  wires,
  wrongs,
  reach,
}: Material<Deed>): fc.Arbitrary<Play<Deed>> {
  const fault = (length: number): fc.Arbitrary<Fault> => {
    const named = fc.record({ command: fc.nat({ max: 1_000 }), skip: fc.nat({ max: 2 }) })
    const any = fc.record({ command: fc.constant(null), skip: fc.nat({ max: reach - 1 }) })
    const which = fc.oneof({ weight: 3, arbitrary: any }, named)
    const where = { before: fc.nat({ max: length - 1 }), wire: fc.constantFrom(...wires) }
    return fc
      .tuple(fc.record(where), which, wrongs)
      .map(([at, command, wrong]) => ({ ...at, ...command, ...wrong }))
  }
  const some = fc.array(fc.record({ deed, together: fc.boolean() }), { minLength: 1, maxLength: 5 })
  return fc
    .tuple(fc.record({ deed: first, together: fc.boolean() }), some)
    .map(([begun, then]) => [begun, ...then])
    .chain((deeds) =>
      fc.record({
        deeds: fc.constant(deeds),
        faults: fc.tuple(fault(1), fault(Math.min(3, deeds.length))),
      }),
    )
}

/** A play whose faults are certain to strike: neither of the wire's first two commands is answered. */
export function certain<Deed>(deed: Deed, wire: string): Play<Deed> {
  const fault: Fault = { before: 0, wire, command: null, skip: 0, does: 'close' }
  return { deeds: [{ deed, together: false }], faults: [fault, fault] }
}

let plays = 0

/** Plays it, and answers how many of its faults have struck. Rejects for what is not true afterwards. */
export async function play<Deed extends AnyDeed>(
  world: World<Deed>,
  { deeds, faults }: Play<Deed>,
): Promise<number> {
  const scene = world.begin(`PLAY-${++plays}`)
  let struck = 0
  const begun: Promise<void>[] = []
  for (const [index, { deed, together }] of deeds.entries()) {
    // Whatever is still to go wrong may go wrong as it recovers.
    await world.revive()
    for (const fault of faults) if (fault.before === index) strike(world, fault, () => struck++)
    const done = scene.carryOut(deed)
    // What it rejects with is told below.
    done.catch(() => {})
    begun.push(done)
    // One program at a time.
    if (!together || deed.do === 'restart') await done
  }
  await Promise.all(begun)
  for (const { misbehaviours } of Object.values(world.wires)) misbehaviours.length = 0
  await world.revive()
  await scene.settled()
  await scene.expectTrue()
  await scene.expectServed()
  return struck
}

/** So many commands at least are not answered while something is down. */
const downFor = 100

function strike(world: World<never>, fault: Fault, struck: () => void): void {
  const { wire, command, skip, does, code } = fault
  const { commands, misbehaviours } = world.wires[wire]!
  const at = command === null ? '*' : commands[command % commands.length]!
  const silent = Array.from({ length: downFor }, () => ({ at: '*', does: 'close' as const }))
  const then = () => {
    struck()
    if (does === 'kill') world.kill()
    if (does === 'down') misbehaviours.push(...silent)
  }
  const shown = does === 'kill' ? 'pass' : does === 'down' ? 'close' : does
  misbehaviours.push({ at, skip, does: shown, then, ...(code !== undefined && { code }) })
}
