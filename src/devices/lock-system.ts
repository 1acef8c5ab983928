import type { Duplex } from 'node:stream'
import type { Clock } from '../host/clock.ts'
import type { BayEvent } from './bay/bay-event.ts'
import type { Grant } from './capability.ts'
import type { Direction } from './mask.ts'
import type { Refusals } from './network/visitors.ts'

/** The operations of a lock system. */
export const lockOperations = [
  'create',
  'copy',
  'read',
  'erase',
  'update-dates',
  'update-unit',
  'revoke',
  'block',
  'one-shot',
  'move',
  'extend',
  'reencode',
  'list-units',
  'list-encoders',
  'remote-open',
] as const
export type LockOperation = (typeof lockOperations)[number]

/** The properties of one operation. */
export interface OperationTraits {
  /** Whether a card must lie on an encoder. */
  requiresMedium: boolean
  /** Whether a repeated request has the effect of one. */
  idempotent: boolean
  /** Milliseconds; null where it is not known. */
  typicalMs: number | null
}

/** The capabilities of a lock system, as its driver knows them. An operation that is absent is not supported. */
export interface LockTraits {
  vendor: string
  product: string | null
  productVersion: string | null
  keyTypes: readonly OnlineKeyType[]
  operations: Partial<Record<LockOperation, OperationTraits>>
  limits: {
    maxExtraUnits: number
    /** The number of digits of a PIN; null where there are no PINs. */
    pinLength: { min: number; max: number } | null
    /** The unit to which a validity window is rounded, outwards. */
    dateGranularity: 'second' | 'minute' | 'hour'
    maxValidityDays: number | null
    /** The maximum length of a name, in characters. */
    nameLength: number | null
    charset: 'ascii' | 'latin1' | 'utf-8'
  }
  extensions: readonly { name: string; description: string }[]
}

export type OnlineKeyType = 'keyCard' | 'pinCode'

/** How far the end of a key is rounded up at most, in milliseconds: to the end of a day, which has an hour twice once a year. */
export const longestRoundingMs = 25 * 3_600_000

/** A key that a lock system with its own database is to make. */
export interface OnlineGrant extends Grant {
  keyType: OnlineKeyType
  /** The lock system's own name for the encoder that makes the card; null where none is needed. */
  encoder: string | null
  /** The codes of further locks. */
  extraLocks: readonly string[]
  /** The digits; null for a card. Never part of a fault's text. */
  pin: string | null
  /**
   * The appliance's own number for the original and its copies together, 1..2^32-1: the lock system stores it as the
   * reservation number.
   */
  family: number
  /** A label for the list that the lock system shows to a clerk. It names no guest. */
  label: string
}

/** What the lock system reported about a key that it has. */
export interface OnlineKey {
  /** Its own number or word for the key; null when it has none. */
  reference: string | null
  /** The card's serial number, upper-case hex; null when it was not reported. */
  uid: string | null
}

/** A key that was requested from the lock system before. */
export interface HeldKey extends OnlineKey {
  grant: OnlineGrant
}

/** The content that a lock system found on a card. */
export interface ReadKey {
  uid: string | null
  blank: boolean
  /**
   * The locks and the window as far as the lock system reports them; null for a card that is not one of its guest
   * cards.
   */
  found: { locks: readonly string[]; validFrom: number | null; validUntil: number | null } | null
  /** Further remarks of the lock system, in words for the front desk. */
  remarks: readonly string[]
}

export interface LockCall {
  /** Aborted when the caller no longer waits. A request that was sent is not recalled. */
  signal: AbortSignal
  /** How long the caller waits for the answer, in ms; the driver may pass it on to the lock system. */
  timeoutMs: number
  /**
   * Called immediately before a request is sent that may end every key of a unit. Throws when it must not be sent: a key may have been made
   * there while the request waited.
   */
  expectNoOther?(): void
}

/**
 * A lock system that keeps the rights itself, at a server or behind a gateway, and drives its own encoders. Methods
 * reject with a DeviceFault and nothing else; `outcomeUnknown` is true exactly when the request may have been executed.
 * The driver never repeats a request that may have been executed.
 */
export interface OnlineLockSystem {
  traits(): LockTraits
  /** The authorizations that can be given, by name; null when the lock system takes any. */
  readonly authorizations: readonly string[] | null
  /**
   * Whether the first use of an original at an extra unit ends the older cards there. Where it is left open, such a use proves
   * nothing.
   */
  readonly endsAtExtraUnits: boolean
  /** What one revocation removes: that key, the original with all its copies, or every key of the unit. */
  readonly revokes: 'key' | 'family' | 'unit'
  /**
   * How far a confirmed revocation reaches: to the locks themselves, or only to the database of the lock system. In the
   * second case a lock that is not connected still opens for the key.
   */
  readonly revocationReaches: 'locks' | 'system'
  /** Whether a revocation names the extra locks of a key, too; yes by default. Otherwise it proves nothing about them. */
  readonly revokesExtraLocks?: boolean
  /** Null when the lock system can make the key; otherwise the reason why it cannot. */
  grantProblem(grant: OnlineGrant): string | null
  /**
   * The instant from which no lock accepts the key any more, by a lock clock that is right: the end that the lock system receives,
   * which is rounded up to what it can express. At most `longestRoundingMs` after `validUntil`. Null when it is not known.
   */
  endsAt(grant: Pick<OnlineGrant, 'usage' | 'validUntil'>): number | null
  /** Makes a key. Resolves once the lock system has confirmed it. */
  create(grant: OnlineGrant, call: LockCall): Promise<OnlineKey>
  /**
   * Looks up the key at the lock system after an unknown outcome. Null when the lock system provably does not have it.
   * The method is absent where the lock system has no such lookup.
   */
  find?(grant: OnlineGrant, call: LockCall): Promise<OnlineKey | null>
  /**
   * Changes the window, unit or authorizations of a key without a card. Absent where that needs a card. This method and
   * `read` may appear and disappear: some lock systems report their capabilities when they connect.
   */
  change?: ((held: HeldKey, to: OnlineGrant, call: LockCall) => Promise<OnlineKey>) | undefined
  /** Resolves once the lock system confirms that the key no longer opens anything, or that it has no such key. */
  revoke?(held: HeldKey, call: LockCall): Promise<void>
  /** Reads the card on an encoder. */
  read?: ((encoder: string | null, call: LockCall) => Promise<ReadKey>) | undefined
  /** How far the lock system's clock is ahead of the appliance's, in milliseconds; null when it is not known. */
  clockSkew?(call: LockCall): Promise<number | null>
  /**
   * Resolves when the request for this key could be sent now. Rejects with a DeviceFault when the lock system cannot be
   * reached, is busy or does not accept the request, and when the encoder has not yet answered an earlier request. Called
   * before a card is fed. Absent where no encoder makes keys.
   */
  expectReady?(grant: OnlineGrant, call: LockCall): Promise<void>
  /** Its locks, 5,000 at most, for the assignment to units. Absent where the lock system has no such list. */
  units?(call: LockCall): Promise<{ name: string; code: string }[]>
  /** The response of one of the extensions of `traits`, as the lock system returns it. */
  extension?(name: string, call: LockCall): Promise<{ contentType: string; body: string }>
  state(): {
    line: 'offline' | 'starting' | 'online'
    since: number
    fault: Error | null
    /** The connections that were refused within the last hour, for a line that listens. */
    refusals?: readonly Refusals[]
  }
  close(): Promise<void>
}

/** A date (YYYY-MM-DD) and a time (HH:MM:SS) in the lock system's local time. */
export interface WallTime {
  date: string
  time: string
}

/** A request for a key before the program started, or to another driver, whose answer may still come. */
export interface Unanswered {
  grant: OnlineGrant
  /** How long ago it was sent, at least, in milliseconds. */
  agoMs: number
}

/** The settings and services that a lock system is opened with. */
export interface LockSetup {
  /** Begins the text of its faults. */
  name: string
  /** Validated against the driver's schemas, like `credentials`. */
  connection: Record<string, unknown>
  credentials: Record<string, unknown>
  /**
   * Opens a wire by its address (a serial line, `tcp://host:port`); rejects with an Error whose message is a sentence.
   */
  openWire(path: string, options: { baudRate: number; signal: AbortSignal }): Promise<Duplex>
  /** The local time of the lock system at an instant, by its zone and its clock policy. */
  wallTime(instant: number): WallTime
  /**
   * The instant of a local time. For a local time that occurs twice, the earlier instant as a start and the later as an
   * end.
   */
  instantOf(wall: WallTime, edge: 'start' | 'end'): number
  clock: Clock
  log(event: BayEvent): void
  /**
   * What the driver remembers of this lock system; `begin` makes it when it is opened for the first time, from the requests before the
   * program started. It outlives a change of the connection: an encoder may still carry out, and answer, what was requested before.
   */
  remembered<Memory>(begin: (unanswered: readonly Unanswered[]) => Memory): Memory
  /** Records an exchange that has no wire, such as one over HTTP. The text must contain no secrets. */
  record?(direction: Direction, text: string): void
}
