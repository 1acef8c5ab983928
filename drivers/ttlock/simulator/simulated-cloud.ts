import type { Misbehaviour } from '../../../src/devices/simulator/misbehaviour.ts'
import type { Clock } from '../../../src/host/clock.ts'
import type { CallName, Fields } from '../protocol.ts'

/** A passcode in the cloud's list. */
export interface SimulatedPasscode {
  keyboardPwdId: number
  keyboardPwd: string
  keyboardPwdName: string
  keyboardPwdType: number
  startDate: number
  endDate: number
  status: number
}

export interface SimulatedLock {
  lockId: number
  lockAlias: string
  /** The name of the gateway near it; null for none. */
  gateway: string | null
  frozen: boolean
  /** What the cloud lists. */
  list: SimulatedPasscode[]
  /** What the lock itself knows, by its digits: this opens. */
  memory: Map<string, { from: number; until: number }>
}

interface SimulatedGateway {
  online: boolean
  /** Somebody else keeps it busy. */
  busy: boolean
  /** One of our own commands is under way. */
  atWork: boolean
}

/** The cloud with its locks. Told what to do by changing it. */
export interface SimulatedCloud {
  clientId: string
  clientSecret: string
  username: string
  password: string
  locks: SimulatedLock[]
  gateways: Map<string, SimulatedGateway>
  clock: Clock
  /** How long a gateway takes. */
  commandMs: number
  /** The most PINs a lock takes. */
  capacity: number
  /** Valid access tokens; a test that clears them lets them be over. */
  tokens: Set<string>
  refreshTokens: Set<string>
  /** Numbers given out so far, for passcodes and tokens. */
  given: number
  /**
   * `at` is a name of the call table. The `code` says how it answers instead: an errcode, `html`, `cut`, `drop`,
   * `empty`, `huge`, `redirect`, `http` with a status (`http502`). For `pass` it says when: `slow` with milliseconds (`slow300`), or
   * `held`, which waits until what then stands in `held` is called.
   */
  misbehaviours: Misbehaviour[]
  held: (() => void)[]
  /** Every request that was understood, in order. */
  asked: { call: CallName; fields: Fields }[]
}

/** Two gateways, and a lock behind each and one behind none, unless `options` say otherwise. */
export function simulatedCloud(
  options: Partial<SimulatedCloud> & Pick<SimulatedCloud, 'clock'>,
): SimulatedCloud {
  return {
    clientId: 'nightporter-client',
    clientSecret: 'nightporter-secret',
    username: 'house@example.com',
    password: 'letmein',
    locks: [simulatedLock(1001, 'first'), simulatedLock(1002, 'second'), simulatedLock(1003, null)],
    gateways: new Map([
      ['first', gateway()],
      ['second', gateway()],
    ]),
    commandMs: 0,
    capacity: 250,
    tokens: new Set(),
    refreshTokens: new Set(),
    given: 7_000,
    misbehaviours: [],
    held: [],
    asked: [],
    ...options,
  }
}

export function simulatedLock(lockId: number, near: string | null): SimulatedLock {
  return { lockId, lockAlias: `Room ${lockId}`, gateway: near, frozen: false, list: [], memory: new Map() }
}

function gateway(): SimulatedGateway {
  return { online: true, busy: false, atWork: false }
}

/** Whether a guest who types these digits at the lock at that moment gets in. What the cloud lists does not matter. */
export function opens(cloud: SimulatedCloud, lockId: number, digits: string, at: number): boolean {
  const known = cloud.locks.find((lock) => lock.lockId === lockId)?.memory.get(digits)
  return known !== undefined && known.from <= at && at < known.until
}
