import type { BoxHealth } from '../pms/contract.ts'
import { checksOf, worstOf } from './status-checks.ts'
import { type Facts, type StatusOptions, statusFacts } from './status-facts.ts'

/**
 * Keeps what a fleet is told of the health of this box. `now` answers at once with what was found last, and looks again for
 * the next time; it is empty before the first look.
 */
export function fleetState() {
  let all: (() => Promise<Facts>) | null = null
  let latest: Partial<BoxHealth> = {}
  let isLooking = false

  async function look(find: () => Promise<Facts>): Promise<void> {
    isLooking = true
    try {
      latest = healthOf(await find())
    } catch {
      // What cannot be read now is read the next time.
    } finally {
      isLooking = false
    }
  }

  return {
    /** Takes the sources of the facts, which are there once all modules are open, and returns them. */
    follow(options: StatusOptions): StatusOptions {
      all = statusFacts(options).all
      return options
    },
    now(): Partial<BoxHealth> {
      if (all && !isLooking) void look(all)
      return latest
    },
  }
}

/** The health of a box, without the names of its devices and systems. */
export function healthOf(facts: Facts): BoxHealth {
  const checks = checksOf(facts)
  const failing = Object.entries(checks).filter(([, found]) => found.some(({ status }) => status !== 'pass'))
  const count = (wanted: string) => facts.devices.filter(({ status }) => status === wanted).length
  return {
    health: { status: worstOf(checks), failing: failing.map(([name]) => name).sort() },
    clock: { judgement: facts.clock.judgement, synced: facts.clock.synced },
    backupVerifiedAt: momentOf(facts.backups.lastBackupAt),
    certificateEnds: momentOf(facts.certificate.certificate?.validToDate.getTime()),
    supportEnds: facts.supportEnds,
    devices: { pass: count('pass'), warn: count('warn'), fail: count('fail') },
  }
}

function momentOf(instant: number | null | undefined): string | null {
  return instant === null || instant === undefined ? null : new Date(instant).toISOString()
}
