import type { Clock } from '../../../src/host/clock.ts'
import type { Misbehaviour } from '../../../src/simulators/devices/misbehaviour.ts'
import type { CallName, FormFields } from '../protocol.ts'

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
  /** The name of its gateway; null for none. */
  gateway: string | null
  frozen: boolean
  /** The passcodes in the cloud's list. */
  list: SimulatedPasscode[]
  /** The memory of the lock itself: the windows in which digits open it. */
  memory: Map<string, { from: number; until: number }>
}

interface SimulatedGateway {
  online: boolean
  /** True while it executes commands of another client. */
  busy: boolean
  /** True while it executes a command of the driver. */
  atWork: boolean
}

/** The simulated cloud with its locks. A test may change its fields at any time. */
export interface SimulatedCloud {
  clientId: string
  clientSecret: string
  username: string
  password: string
  locks: SimulatedLock[]
  gateways: Map<string, SimulatedGateway>
  clock: Clock
  /** The duration of a command through a gateway, in ms. */
  commandMs: number
  /** The maximum number of PINs of a lock. */
  capacity: number
  /** The valid access tokens; a test clears them to let them expire. */
  tokens: Set<string>
  refreshTokens: Set<string>
  /** The last number that was issued, for passcodes and tokens. */
  issued: number
  /**
   * `at` is a name of the call table. For `refuse` and `garble`, `code` is the kind of answer: an errcode, `html`, `cut`,
   * `drop`, `empty`, `huge`, `redirect`, or `http` with a status (`http502`). For `pass`, `code` delays the answer: `slow`
   * with milliseconds (`slow300`), or `held` until the test calls the function that is then in `held`.
   */
  misbehaviours: Misbehaviour[]
  held: (() => void)[]
  /** All known requests that were received, in order. */
  requests: { call: CallName; fields: FormFields }[]
}

/** A cloud with two gateways; by default with one lock behind each and one lock without a gateway. */
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
    issued: 7_000,
    misbehaviours: [],
    held: [],
    requests: [],
    ...options,
  }
}

/** A lock without passcodes, near a gateway or (null) near none. */
export function simulatedLock(lockId: number, near: string | null): SimulatedLock {
  return { lockId, lockAlias: `Room ${lockId}`, gateway: near, frozen: false, list: [], memory: new Map() }
}

function gateway(): SimulatedGateway {
  return { online: true, busy: false, atWork: false }
}

/** Whether these digits open the lock at that moment. Only the memory of the lock decides, not the cloud's list. */
export function opens(cloud: SimulatedCloud, lockId: number, digits: string, at: number): boolean {
  const known = cloud.locks.find((lock) => lock.lockId === lockId)?.memory.get(digits)
  return known !== undefined && known.from <= at && at < known.until
}
