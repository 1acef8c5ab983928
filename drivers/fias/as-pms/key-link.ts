import { atMost } from '../../../src/devices/at-most.ts'
import { DeviceFault } from '../../../src/devices/fault.ts'
import type { LockCall, LockSetup, OnlineLockSystem } from '../../../src/devices/lock-system.ts'
import { codePage } from '../code-page.ts'
import { linkBay } from '../link-bay.ts'
import { readDate, readTime } from '../moments.ts'
import type { FiasRecord } from '../record.ts'
import type { LineSettings } from '../settings.ts'
import { type AcceptedFields, type PmsLink, pmsLink } from './pms-link.ts'

/** How long a caller waits for a link that is down, in ms. */
const linkMs = 5_000

interface KeyLinkEvents {
  /** Called with an answer to a request. */
  answered(record: FiasRecord): void
  /** Called when the line is lost, and with it every pending answer. */
  lost(): void
}

/**
 * The link to a key system; the appliance acts as the PMS. The link reconnects without end, and is active once the key
 * system has described itself.
 */
export type KeyLink = ReturnType<typeof keyLink>

/** Never throws; it reconnects without end. */
export function keyLink(setup: LockSetup, settings: LineSettings, { answered, lost }: KeyLinkEvents) {
  const { name, clock, wallTime } = setup
  const page = codePage(settings.codePage)
  let active: PmsLink | null = null
  let wanted: AcceptedFields | null = null
  let skewMs: number | null = null
  let isClosed = false

  const link = linkBay(settings, { ...setup, offlineCode: 'lock-system-unreachable' }, (wire) => {
    const device: PmsLink = pmsLink(wire, {
      ...settings,
      clock,
      page,
      wallTime: () => wallTime(clock.now()),
      answered,
      stamped(fields) {
        skewMs = skewOf(fields, setup) ?? skewMs
      },
      active(isActive) {
        if (isActive) [active, wanted] = [device, device.wanted]
        else if (active === device) active = null
      },
      gone() {
        // A wire that is slow to close may report its end after its successor has opened.
        if (active === null) lost()
      },
    })
    return device
  })
  const { line } = link

  return {
    /** The link, once it is active. Rejects with a DeviceFault. */
    async linked({ timeoutMs }: LockCall): Promise<PmsLink> {
      const there = async () => line.use(async () => {}).catch(() => {})
      if (!active && !isClosed) await atMost(clock, Math.min(timeoutMs, linkMs), there())
      if (active && !isClosed) return active
      throw notLinked(name, isClosed ? 'is closed' : line.lastFault?.message)
    },
    /** The records that the key system accepts, as last announced; null before its first announcement. */
    get wanted(): AcceptedFields | null {
      return wanted
    },
    /** The same while the link is active, otherwise null. */
    get wantedNow(): AcceptedFields | null {
      return active?.wanted ?? null
    },
    /** How far its clock is ahead of the appliance's in milliseconds; null when it is unknown. */
    get skewMs(): number | null {
      return skewMs
    },
    state: (): ReturnType<OnlineLockSystem['state']> => stateOf(link.state(), active !== null),
    async close(): Promise<void> {
      isClosed = true
      active?.close()
      lost()
      await link.close()
    },
  }
}

/** The line is online once it is open; the link begins when the key system has described itself. */
function stateOf(state: ReturnType<KeyLink['state']>, isActive: boolean): ReturnType<KeyLink['state']> {
  return state.line === 'online' && !isActive ? { ...state, line: 'starting' } : state
}

function notLinked(name: string, why = 'is not connected'): DeviceFault {
  return new DeviceFault('lock-system-unreachable', `${name}: ${why}`)
}

/** How far a clock with this time is ahead of the appliance's; null when the record has no time. */
function skewOf({ DA, TI }: FiasRecord['fields'], { instantOf, clock }: LockSetup): number | null {
  const [date, time] = [readDate(DA), readTime(TI)]
  if (!date || !time) return null
  // For a local time that occurs twice, the nearer instant counts.
  const skews = (['start', 'end'] as const).map((edge) => instantOf({ date, time }, edge) - clock.now())
  return skews.reduce((one, other) => (Math.abs(other) < Math.abs(one) ? other : one))
}
