import type { Duplex } from 'node:stream'
import type { Clock } from '../host/clock.ts'
import type { BayEvent } from './bay-event.ts'
import type { Grant } from './capability.ts'
import type { Direction } from './mask.ts'
import type { Refusals } from './network/visitors.ts'

/** What can be asked of a lock system. */
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

/** How one operation is done. */
export interface OperationTraits {
  /** A card must lie on an encoder. */
  requiresMedium: boolean
  /** Asked twice for the same, it is done once. */
  idempotent: boolean
  /** Milliseconds; null where nobody knows. */
  typicalMs: number | null
}

/** What a lock system can do, as its driver knows it. An operation that is not named cannot be done. */
export interface LockTraits {
  vendor: string
  product: string | null
  productVersion: string | null
  keyTypes: readonly OnlineKeyType[]
  operations: Partial<Record<LockOperation, OperationTraits>>
  limits: {
    maxExtraUnits: number
    /** How many digits a PIN may have; null where there are none. */
    pinLength: { min: number; max: number } | null
    /** To what a window is rounded, outwards. */
    dateGranularity: 'second' | 'minute' | 'hour'
    maxValidityDays: number | null
    /** Characters of a name. */
    nameLength: number | null
    charset: 'ascii' | 'latin1' | 'utf-8'
  }
  extensions: readonly { name: string; description: string }[]
}

export type OnlineKeyType = 'keyCard' | 'pinCode'

/** A key as a lock system that keeps the rights itself is asked for it. */
export interface OnlineGrant extends Grant {
  keyType: OnlineKeyType
  /** The lock system's own word for the encoder that makes the card; null where none is needed. */
  encoder: string | null
  /** The codes of further locks. */
  extraLocks: readonly string[]
  /** The digits; null for a card. Never part of a fault's text. */
  pin: string | null
  /** Our number for the original and its copies together, 1..2^32-1: what a lock system calls the reservation. */
  family: number
  /** For the list that the lock system shows to a clerk. Names no guest. */
  label: string
}

/** What the lock system told of a key that it has. */
export interface OnlineKey {
  /** Its own number or word for the key; null when it has none. */
  reference: string | null
  /** The card's serial number, hex in upper case, where it was told. */
  uid: string | null
}

/** A key that the lock system was asked for before. */
export interface HeldKey extends OnlineKey {
  grant: OnlineGrant
}

/** What a lock system found on a card. */
export interface ReadKey {
  uid: string | null
  blank: boolean
  /** Locks and window as far as it tells them; null for a card that is not one of its guest cards. */
  found: { locks: readonly string[]; validFrom: number | null; validUntil: number | null } | null
  /** What else it says, in words for the desk. */
  remarks: readonly string[]
}

export interface LockCall {
  /** Fires when nobody waits any more. What has left is not called back by it. */
  signal: AbortSignal
  /** How long the answer is waited for; the lock system may be asked to hurry by it. */
  timeoutMs: number
}

/**
 * A lock system that keeps the rights itself, at a server or behind a gateway, and drives its own encoders. Methods
 * reject with a DeviceFault and nothing else; `outcomeUnknown` is true exactly when the request may have been carried
 * out. Nothing is repeated by the driver itself once it may have been.
 */
export interface OnlineLockSystem {
  traits(): LockTraits
  /** The authorizations that can be given, by name; null when the lock system takes any. */
  readonly authorizations: readonly string[] | null
  /** What one revocation takes away: that key, the original with all its copies, or every key of the unit. */
  readonly revokes: 'key' | 'family' | 'unit'
  /**
   * How far a confirmed revocation reaches: to the locks themselves, or to the books of the lock system alone, while a
   * lock that is not connected goes on opening.
   */
  readonly revocationReaches: 'locks' | 'system'
  /** Null when this can be a lock's code; otherwise what one looks like. */
  lockCodeProblem(code: string): string | null
  /** Null when the lock system can make such a key; otherwise what stands in the way. */
  grantProblem(grant: OnlineGrant): string | null
  /** Makes a key. Resolves once the lock system has confirmed it. */
  create(grant: OnlineGrant, call: LockCall): Promise<OnlineKey>
  /**
   * Whether the lock system has the key, asked after an outcome that is not known. Null when it is proven that it has
   * not; absent where it cannot be asked.
   */
  find?(grant: OnlineGrant, call: LockCall): Promise<OnlineKey | null>
  /**
   * The same key with another window, unit or authorizations, without a card. Absent where that needs a card. Like
   * `read` it may come and go: some lock systems say when they connect what they can do.
   */
  change?: ((held: HeldKey, to: OnlineGrant, call: LockCall) => Promise<OnlineKey>) | undefined
  /** Resolves once the lock system confirms that the key opens nothing any more, or that it has no such key. */
  revoke?(held: HeldKey, call: LockCall): Promise<void>
  /** What lies on an encoder. */
  read?: ((encoder: string | null, call: LockCall) => Promise<ReadKey>) | undefined
  /** How far the lock system's clock is before ours, in milliseconds; null when it does not tell. */
  clockSkew?(call: LockCall): Promise<number | null>
  /**
   * Whether an encoder owes the answer to an earlier request, so that nothing may be asked of it now. Asked before a card is
   * fed for it; absent where that cannot be.
   */
  owes?(encoder: string | null): boolean
  /** Its locks, at most 5,000 of them, for the units that keys are made for. Absent where it cannot be asked. */
  units?(call: LockCall): Promise<{ name: string; code: string }[]>
  /** The answer to one of the extensions of `traits`, as the lock system gives it. */
  extension?(name: string, call: LockCall): Promise<{ contentType: string; body: string }>
  state(): {
    line: 'offline' | 'starting' | 'online'
    since: number
    fault: Error | null
    /** The connections that were refused within the last hour, where it is listened for. */
    refusals?: readonly Refusals[]
  }
  close(): Promise<void>
}

/** A date (YYYY-MM-DD) and a time (HH:MM:SS) as a clock on the wall of the lock system shows them. */
export interface WallTime {
  date: string
  time: string
}

/** What a lock system is opened with. */
export interface LockSetup {
  /** Begins the text of its faults. */
  name: string
  /** Both checked against the driver's schemas. */
  connection: Record<string, unknown>
  credentials: Record<string, unknown>
  /** Opens a wire by its address (a serial line, `tcp://host:port`); rejects with an Error in words. */
  openWire(path: string, options: { baudRate: number; signal: AbortSignal }): Promise<Duplex>
  /** What the lock system's clock shows at a moment, by its zone and its clock policy. */
  wallTime(instant: number): WallTime
  /** The moment at which it shows this; of a time it shows twice the earlier as a start and the later as an end. */
  instantOf(wall: WallTime, edge: 'start' | 'end'): number
  clock: Clock
  log(event: BayEvent): void
  /** Keeps what was said where there is no wire, such as over HTTP. The text must hold no secrets any more. */
  record?(direction: Direction, text: string): void
}
