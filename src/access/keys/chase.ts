import type { Timer } from '../../host/clock.ts'
import type { Actor } from '../../resource/change.ts'
import type { Filter } from '../../resource/query.ts'
import type { Access } from '../access.ts'
import { accessProvider } from '../resources/access-provider.ts'
import { type KeyStatus, key } from '../resources/key.ts'
import { chaseAtProvider } from './chase-at-provider.ts'
import { pauses } from './pauses.ts'
import {
  endableStatuses,
  expireKeys,
  forgetPins,
  forgettable,
  overStatuses,
  reviveKeys,
  tellDue,
} from './revoke-changes.ts'
import { type Turns, turns } from './turns.ts'

const actor: Actor = { by: 'key-chase', requestId: null }
const turnEveryMs = 2_000
/** How far the clock of a lock may be behind ours, together with what it lets pass by itself. */
const lockClockMs = 15 * 60_000
const pinsKeptMs = 30 * 86_400_000
/** How often PINs are looked for that are forgotten after a month. */
const forgetsEveryMs = 3_600_000
/** How many due keys are looked at in a turn. */
const atOnce = 1_000

/** Goes after the keys that are not what they should be, for ever. */
interface Chase {
  start(): void
  /** Begins a turn at once, or another one when the present one has ended. */
  nudge(): void
  stop(): Promise<void>
}

/**
 * Ends keys whose window is over, says which virtual keys are due, and has each lock system asked for what only it can
 * do. What fails is tried again later.
 */
export function chase(room: Access): Chase {
  const { reader, door, clock, now, failed } = room
  const pausing = pauses(clock, failed)
  const ofHouse = turns(turn, failed)
  /** Each lock system is asked at its own pace: a silent one holds up nobody else's keys. */
  const ofProviders = new Map<string, Turns>()
  let timer: Timer | null = null
  let forgot = Number.NEGATIVE_INFINITY

  async function turn(): Promise<void> {
    await endExpired()
    await forgetOldPins()
    await tellWhatIsDue()
    for (const { id } of reader.rows(accessProvider, { filters: [], sort: [], page: { size: 100 } }))
      turnsAt(id).begin()
    pausing.tidy()
  }

  function turnsAt(providerId: string): Turns {
    const known = ofProviders.get(providerId)
    if (known) return known
    const begun = turns(() => chaseAtProvider(room, providerId, pausing), failed)
    ofProviders.set(providerId, begun)
    return begun
  }

  async function endExpired(): Promise<void> {
    const before = now() - lockClockMs
    // Looked for before anything is written: an empty turn costs the disk nothing.
    if (some([over(before), { path: 'proof', operator: 'isnull', value: null }], endableStatuses))
      await door.write(expireKeys, { before }, { actor })
    // A clock that was ahead has been set back.
    const lasts: Filter = { path: 'validUntil', operator: 'gt', value: now() }
    if (some([lasts, { path: 'proof', operator: 'eq', value: 'validity-over' }], overStatuses))
      await door.write(reviveKeys, { now: now() }, { actor })
  }

  async function forgetOldPins(): Promise<void> {
    if (!clock.mayForget() || clock.monotonic() - forgot < forgetsEveryMs) return
    const before = now() - pinsKeptMs
    if (forgettable(before).some(isThere)) await door.write(forgetPins, { before }, { actor })
    else forgot = clock.monotonic()
  }

  async function tellWhatIsDue(): Promise<void> {
    const filters: Filter[] = [is('virtual'), { path: 'opensAt', operator: 'lte', value: now() }]
    const due = reader.rows(key, { filters, sort: [], page: { size: atOnce } })
    for (const { id, dueTold } of due) if (!dueTold) await door.write(tellDue, { keyId: id }, { actor })
  }

  function some(filters: Filter[], statuses: readonly KeyStatus[]): boolean {
    return statuses.some((status) => isThere([is(status), ...filters]))
  }

  function isThere(filters: Filter[]): boolean {
    return reader.rows(key, { filters, sort: [], page: { size: 1 } }).length > 0
  }

  return {
    start() {
      timer = clock.setInterval(ofHouse.begin, turnEveryMs)
      timer.unref()
      ofHouse.begin()
    },
    nudge: ofHouse.begin,
    async stop() {
      pausing.end()
      timer?.cancel()
      await ofHouse.end()
      await Promise.all([...ofProviders.values()].map((each) => each.end()))
    },
  }
}

const is = (status: KeyStatus): Filter => ({ path: 'status', operator: 'eq', value: status })
const over = (before: number): Filter => ({ path: 'validUntil', operator: 'lt', value: before })
