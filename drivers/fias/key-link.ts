import { atMost } from '../../src/devices/at-most.ts'
import { bay } from '../../src/devices/bay.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { LockCall, LockSetup, OnlineLockSystem } from '../../src/devices/lock-system.ts'
import { codePage } from './code-page.ts'
import { readDate, readTime } from './moments.ts'
import { type PmsLink, pmsLink, type Wanted } from './pms-link.ts'
import type { FiasRecord } from './record.ts'
import type { LineSettings } from './settings.ts'
import { wires } from './wires.ts'

/** How long a caller waits for a link that is not there. */
const linkMs = 5_000

interface KeyLinkEvents {
  /** An answer to a request. */
  answered(record: FiasRecord): void
  /** The line is gone, and with it every answer. */
  lost(): void
}

/** The link to a key system, ourselves being the PMS. It is kept open for ever, and is of use once the key system has described itself. */
export interface KeyLink {
  /** The link, once it is of use. Rejects with a DeviceFault. */
  linked(call: LockCall): Promise<PmsLink>
  /** What the key system takes, as it said last; null before it was ever heard. */
  readonly wanted: Wanted | null
  /** The same while the link is of use, otherwise null. */
  readonly wantedNow: Wanted | null
  /** How far its clock is before ours in milliseconds; null when it has not told. */
  readonly skewMs: number | null
  state: OnlineLockSystem['state']
  close(): Promise<void>
}

/** Never throws; what cannot be reached is looked for. */
export function keyLink(
  setup: LockSetup,
  settings: LineSettings,
  { answered, lost }: KeyLinkEvents,
): KeyLink {
  const { name, clock, wallTime } = setup
  const page = codePage(settings.codePage)
  const source = wires(settings, { ...setup, isThere: async () => (await newest?.isThere()) ?? false })
  let newest: PmsLink | null = null
  let active: PmsLink | null = null
  let wanted: Wanted | null = null
  let skewMs: number | null = null
  let isClosed = false

  const line = bay<PmsLink>({
    name,
    clock,
    log: setup.log,
    offlineCode: 'lock-system-unreachable',
    startTimeoutMs: source.startTimeoutMs,
    backoff: source.backoff,
    async open(signal) {
      const wire = await source.open(signal)
      const device: PmsLink = pmsLink(wire, {
        ...settings,
        clock,
        page,
        wallTime: () => wallTime(clock.now()),
        answered,
        stamped(fields) {
          skewMs = skewOf(fields, setup) ?? skewMs
        },
        active: (isActive) => use(device, isActive),
        gone() {
          // A wire that is slow to close may be outlived by its successor.
          if (active === null) lost()
        },
      })
      newest = device
      return { device, wire }
    },
    started: (device) => device.start(),
  })

  function use(device: PmsLink, isActive: boolean): void {
    if (isActive) {
      active = device
      wanted = device.wanted
    } else if (active === device) active = null
  }

  return {
    async linked({ timeoutMs }) {
      const there = async () => line.use(async () => {}).catch(() => {})
      if (!active && !isClosed) await atMost(clock, Math.min(timeoutMs, linkMs), there())
      if (active && !isClosed) return active
      const why = isClosed ? 'is closed' : (line.lastFault?.message ?? 'is not connected')
      throw new DeviceFault('lock-system-unreachable', `${name}: ${why}`)
    },
    get wanted() {
      return wanted
    },
    get wantedNow() {
      return active?.wanted ?? null
    },
    get skewMs() {
      return skewMs
    },
    state() {
      const isDescribed = active !== null || line.state() !== 'online'
      return {
        line: isDescribed ? line.state() : 'starting',
        since: line.since,
        fault: line.lastFault,
        refusals: source.refusals(),
      }
    },
    async close() {
      isClosed = true
      active?.close()
      lost()
      await Promise.all([line.close(), source.close()])
    },
  }
}

/** How far a clock that shows this is before ours; null where it shows no time. */
function skewOf({ DA, TI }: FiasRecord['fields'], { instantOf, clock }: LockSetup): number | null {
  const [date, time] = [readDate(DA), readTime(TI)]
  if (!date || !time) return null
  // Of a time that is shown twice the one that is nearer.
  const skews = (['start', 'end'] as const).map((edge) => instantOf({ date, time }, edge) - clock.now())
  return skews.reduce((one, other) => (Math.abs(other) < Math.abs(one) ? other : one))
}
