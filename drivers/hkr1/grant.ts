import type { Grant } from '../../src/devices/capability.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { KeyRecord } from './record.ts'
import type { Hkr1Settings } from './settings.ts'

const greatest = 0xffff_ffff

/** Null for a lock code of this format; otherwise a description of a valid one. */
export function lockCodeProblem(code: string): string | null {
  if (/^[1-9][0-9]{0,9}$/.test(code) && Number(code) <= greatest) return null
  return `A lock code is a whole number from 1 to ${greatest}, without leading zeros`
}

/** Null for a grant that a record can express; otherwise the part that it cannot express. */
export function grantProblem({ usage, validUntil }: Pick<Grant, 'usage' | 'validUntil'>): string | null {
  return (
    usageProblem(usage) ??
    (Math.ceil(validUntil / 1000) > greatest ? 'A record counts seconds until February 2106' : null)
  )
}

function usageProblem(usage: Grant['usage']): string | null {
  return usage === 'Spare' ? 'The format has no mark for a spare key' : null
}

/**
 * Converts a grant to a record; instants are widened to whole seconds. Throws a DeviceFault for a grant that a record
 * cannot express.
 */
export function recordOf(grant: Grant, settings: Hkr1Settings): KeyRecord {
  const lockProblem = lockCodeProblem(grant.lock)
  if (lockProblem) throw new DeviceFault('unit-unknown', lockProblem)
  const problem = usageProblem(grant.usage)
  if (problem) throw new DeviceFault('unsupported-operation', problem)
  const validFrom = Math.floor(grant.validFrom / 1000)
  const validUntil = Math.ceil(grant.validUntil / 1000)
  if (validUntil <= validFrom) throw new DeviceFault('lock-system-rejected', 'The key would never be valid')
  return {
    duplicate: grant.copy,
    oneShot: grant.usage === 'OneShot',
    privacyOverride: false,
    staff: grant.usage === 'Staff',
    site: settings.site,
    keyId: settings.keyId,
    sequence: fitting('issue number', grant.sequence, 0),
    validFrom: fitting('start', validFrom, 0),
    validUntil: fitting('end', validUntil, 0),
    lock: Number(grant.lock),
    doors: doorMask(grant.authorizations, settings.commonDoors),
    credential: fitting('key number', grant.credential, 1),
  }
}

/** Converts a record to a grant. Null for an authentic record that this lock system never writes. */
export function grantOf(record: KeyRecord, settings: Hkr1Settings): Grant | null {
  const { privacyOverride, oneShot, staff, lock, credential } = record
  if (privacyOverride || (oneShot && staff) || lock === 0 || credential === 0) return null
  return {
    lock: String(lock),
    sequence: record.sequence,
    copy: record.duplicate,
    usage: oneShot ? 'OneShot' : staff ? 'Staff' : 'Guest',
    authorizations: doorNames(record.doors, settings.commonDoors),
    validFrom: record.validFrom * 1000,
    validUntil: record.validUntil * 1000,
    credential,
  }
}

function fitting(what: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least && value <= greatest) return value
  throw new DeviceFault('lock-system-rejected', `The ${what} does not fit the record`)
}

function doorMask(names: readonly string[], commonDoors: Hkr1Settings['commonDoors']): number {
  let mask = 0
  for (const name of names) {
    const bit = commonDoors.get(name)
    if (bit === undefined) throw new DeviceFault('authorization-unknown', `There is no common door "${name}"`)
    const sharing = [...commonDoors].filter(([, each]) => each === bit)
    if (sharing.length > 1) {
      throw new DeviceFault('authorization-unknown', `Bit ${bit} is configured for more than one common door`)
    }
    mask = (mask | (1 << bit)) >>> 0
  }
  return mask
}

/** A bit without a name is shown as `#7`: the display of a card must name every door that it opens. */
function doorNames(mask: number, commonDoors: Hkr1Settings['commonDoors']): string[] {
  const bits = Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => ((mask >>> bit) & 1) === 1)
  const named = (bit: number) => [...commonDoors].filter(([, each]) => each === bit).map(([name]) => name)
  return bits.flatMap((bit) => (named(bit).length > 0 ? named(bit) : [`#${bit}`])).sort()
}
