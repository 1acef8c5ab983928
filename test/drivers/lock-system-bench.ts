import type { OnlineLockDriver } from '../../src/devices/driver.ts'
import type { FaultCode } from '../../src/devices/fault.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type {
  HeldKey,
  LockCall,
  LockSetup,
  OnlineGrant,
  OnlineKey,
  OnlineLockSystem,
} from '../../src/devices/lock-system.ts'
import type { Clock } from '../../src/host/clock.ts'

/** What a simulated lock system does with the next request that makes, changes or takes a key. */
export type LockDeed =
  /** Says that it is busy, and does nothing. */
  | 'busy'
  /** Refuses with a code of its own that the driver knows, and does nothing. */
  | 'refuse'
  /** Answers with a code that nobody knows. */
  | 'strange'
  /** Does nothing and answers nothing. */
  | 'lose-request'
  /** Carries it out and answers nothing. */
  | 'lose-answer'
  /** Carries it out, and answers when it is told to `release`. */
  | 'late'
  /** Has read the request, does nothing, and drops the line. It can be reached again. */
  | 'cut-before'
  /** Carries it out, and drops the line instead of answering. It can be reached again. */
  | 'cut-after'

/** A key that opens a lock now, by the simulated lock system's own books. */
export interface KeyAtLock {
  /** What `create` told of it: its `reference`, or its `uid` where the lock system has no reference. */
  told: string | null
  /** Unix milliseconds, as the lock's clock means them: of a time that is shown twice the earlier. */
  validFrom: number
  /** Unix milliseconds; of a time that is shown twice the later. */
  validUntil: number
}

/** A driver and what it is connected to. */
export interface LockBench {
  system: OnlineLockSystem
  /** What the simulator does with the next request; one deed a request, in the order told. */
  next(deed: LockDeed): void
  /** Lets an answer go that was `late`. */
  release(): void
  /** How many requests that make, change or take a key have reached the simulator. */
  requests(): number
  keysAt(lock: string): readonly KeyAtLock[]
  /** Whether any key opens the lock when its clock shows this moment, Unix milliseconds. */
  opensAt(lock: string, moment: number): boolean
  /** Nobody is at the other end any more. Resolves once the driver can have seen it. */
  unplug(): Promise<void>
  /** Somebody is there again. Resolves once the driver may be asked. */
  plug(): Promise<void>
  close(): Promise<void>
}

export interface LockUnderTest {
  driver: OnlineLockDriver
  clock: Clock
  /** A driver and its simulator, connected and ready; their clock is that of `setup`. */
  setUp(setup: SetupBasics): Promise<LockBench>
  /** Two locks that the simulator has, and something that cannot be a lock's code. */
  locks: readonly [string, string]
  notALock: string
  /** The driver's words for two encoders; null where none is needed. */
  encoders: readonly [string | null, string | null]
  /** What a grant has beside the usual. */
  grant?: Partial<OnlineGrant>
  /** An authorization that it does not know; null where it takes any. */
  unknownAuthorization: string | null
  /** The deeds that its protocol has no way for. */
  cannot?: readonly LockDeed[]
  /** What a busy and a refusing lock system is told as. */
  codes?: { busy?: FaultCode; refuse?: FaultCode }
  /** The number or word with which `strange` answers. */
  strangeCode: string
  /** How much longer than asked a key may open, at its start and its end: what its fields can say. */
  slackMs: { start: number; end: number }
  /** Whether a new original ends the keys that the lock had. */
  originalReplaces: boolean
  /** Long enough for a healthy exchange under load, and waited out by the tests of silence; 800 unless said otherwise. */
  shortMs?: number
}

/** What a driver is opened with but for where and with what credentials: a lock system in Berlin. */
export type SetupBasics = Pick<LockSetup, 'name' | 'wallTime' | 'instantOf' | 'clock' | 'log' | 'remembered'>

const zone = 'Europe/Berlin'

/** All of it but the clock. */
export const setupBasics: Omit<SetupBasics, 'clock'> = {
  name: 'Doors',
  wallTime(instant) {
    const shown = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
    return {
      date: shown.toPlainDate().toString(),
      time: shown.toPlainTime().toString({ smallestUnit: 'second' }),
    }
  },
  instantOf: ({ date, time }, edge) => berlin(`${date}T${time}`, edge),
  log: () => {},
  remembered: (begin) => begin([]),
}

/** The moment at which a clock in Berlin shows this: of a time it shows twice the earlier as a start, else the later. */
export function berlin(local: string, edge: 'start' | 'end'): number {
  const disambiguation = edge === 'start' ? 'compatible' : 'later'
  return Temporal.PlainDateTime.from(local).toZonedDateTime(zone, { disambiguation }).epochMilliseconds
}

let family = 1_000

/** A guest's original for the first lock, two days from today's noon on, of a family of its own. */
export function grantFor(under: LockUnderTest, over: Partial<OnlineGrant> = {}): OnlineGrant {
  family++
  const now = Temporal.Instant.fromEpochMilliseconds(under.clock.now())
  const today = now.toZonedDateTimeISO(zone).toPlainDate()
  return {
    lock: under.locks[0],
    sequence: family,
    copy: false,
    usage: 'Guest',
    authorizations: [],
    validFrom: berlin(`${today}T12:00`, 'start'),
    validUntil: berlin(`${today.add({ days: 2 })}T11:00`, 'end'),
    credential: family,
    keyType: 'keyCard',
    encoder: under.encoders[0],
    extraLocks: [],
    pin: null,
    family,
    label: `Key ${family}`,
    ...under.grant,
    ...over,
  }
}

export function call(timeoutMs = 20_000, signal = new AbortController().signal): LockCall {
  return { timeoutMs, signal }
}

/** How `KeyAtLock.told` names this key. */
export function toldOf({ reference, uid }: OnlineKey): string | null {
  return reference ?? uid
}

export function held(grant: OnlineGrant, key: OnlineKey): HeldKey {
  return { ...key, grant }
}

/** For `assert.rejects`: a fault with this code and this doubt. */
export function fault(code: FaultCode, outcomeUnknown: boolean): (error: unknown) => boolean {
  return (error) => {
    if (!(error instanceof DeviceFault)) return false
    const heard = `${error.code} ${error.outcomeUnknown}`
    if (heard === `${code} ${outcomeUnknown}`) return true
    throw new Error(`expected ${code} ${outcomeUnknown}, not ${heard}: ${error.message}`)
  }
}
