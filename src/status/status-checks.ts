import type { DeviceHealth } from '../access/controllers/device-health.ts'
import { doubtOf } from '../host/judged-clock.ts'
import { remedyOf } from '../store/disk/disk-trouble.ts'
import type { Check, Found, Health } from './check.ts'
import { inStep, isKeptInStep, pms } from './pms-checks.ts'
import { lockSystem, settings, units, unknownKeys } from './property-checks.ts'
import type { Facts } from './status-facts.ts'

/** Checks by component and measurement, such as `storage:freeBytes`. */
type Checks = Record<string, Check[]>

const megabyte = 1_000_000
const limits = {
  freeBytes: { warn: 500 * megabyte, fail: 50 * megabyte },
  walBytes: { warn: 256 * megabyte },
  writing: { warn: 1_000 },
  skewMs: { warn: 2_000, fail: 120_000 },
  /** Two nights, plus some hours for a box that was switched off. */
  backupAgeMs: { warn: 60 * 3_600_000 },
}

/** Returns the checks of all components. A component without checks is absent. */
export function checksOf(facts: Facts): Checks {
  const time = new Date(facts.now).toISOString()
  const one = (check: Omit<Check, 'time'>): Check[] => [{ ...check, time }]
  const each = <T>(them: T[], check: (it: T) => Omit<Check, 'time'>): Check[] =>
    them.map((it) => ({ ...check(it), time }))
  const devices = (kind: DeviceHealth['kind']) => facts.devices.filter((device) => device.kind === kind)
  const all: Checks = {
    'storage:freeBytes': one(free(facts)),
    'storage:walBytes': one(log(facts)),
    'storage:integrity': one(integrity(facts)),
    'storage:writes': one(writes(facts)),
    'storage:backup': one(backup(facts)),
    'property:settings': one(settings(facts)),
    'property:units': one(units(facts)),
    'property:lock-system': one(lockSystem(facts)),
    'keys:unknown': facts.unitsToCheck > 0 ? one(unknownKeys(facts)) : [],
    'writer:waiting': one(writing(facts)),
    'program:modules': facts.missingModules.length > 0 ? one(modules(facts)) : [],
    'clock:plausible': one(plausible(facts)),
    'clock:synced': one(synced(facts)),
    'clock:skew': one(skew(facts)),
    'dispenser:state': each(devices('dispenser'), device),
    'encoder:state': each(devices('encoder'), device),
    'lock-system:state': each(devices('lock-system'), device),
    'key-service:state': each(devices('key-service'), device),
    'pms:state': each(facts.pms, pms),
    'pms:in-step': each(facts.pms.filter(isKeptInStep), inStep),
  }
  return Object.fromEntries(Object.entries(all).filter(([, checks]) => checks.length > 0))
}

/** Returns the worst status of all checks. */
export function worstOf(checks: Checks): Health {
  const found = new Set(
    Object.values(checks)
      .flat()
      .map(({ status }) => status),
  )
  if (found.has('fail')) return 'fail'
  return found.has('warn') ? 'warn' : 'pass'
}

/** Returns the message for a supervisor or load balancer when the appliance cannot work; null when it can. */
export function obstacleOf({
  integrity,
  disk,
  storage,
}: Pick<Facts, 'integrity' | 'disk'> & Partial<Pick<Facts, 'storage'>>): string | null {
  const [, output] = integrities[integrity]
  const space = storage && free({ storage })
  return output ?? (disk && remedyOf(disk)) ?? (space?.status === 'fail' ? space.output : null)
}

function free({ storage: { freeBytes } }: Pick<Facts, 'storage'>): Found {
  const { warn, fail } = limits.freeBytes
  const status = freeBytes < fail ? 'fail' : freeBytes < warn ? 'warn' : 'pass'
  const output =
    status === 'pass'
      ? null
      : 'The disk of the data folder is almost full. When it is full, nothing can be written. Free some space.'
  return { componentType: 'datastore', observedValue: freeBytes, observedUnit: 'bytes', status, output }
}

function log({ storage: { walBytes } }: Facts): Found {
  const isLong = (walBytes ?? 0) > limits.walBytes.warn
  return {
    componentType: 'datastore',
    observedValue: walBytes,
    observedUnit: 'bytes',
    status: isLong ? 'warn' : 'pass',
    output: isLong
      ? 'The write-ahead log of the database is too long: another program may hold the database open. Close it, or restart the appliance.'
      : null,
  }
}

const integrities = {
  checking: ['warn', 'The database is being checked after the start. Wait until the check ends.'],
  ok: ['pass', null],
  failed: [
    'fail',
    'The database is damaged: stop the appliance, and restore the newest backup with "nightporter restore FILE".',
  ],
  'writer-lost': [
    'fail',
    'The database writer has stopped, so nothing can be written. Restart the appliance.',
  ],
} as const satisfies Record<Facts['integrity'], readonly [Health, string | null]>

function integrity(facts: Facts): Found {
  const [status, output] = integrities[facts.integrity]
  return { componentType: 'datastore', observedValue: facts.integrity, status, output }
}

function writes({ disk }: Facts): Found {
  return {
    componentType: 'datastore',
    observedValue: disk?.is ?? 'ok',
    status: disk ? 'fail' : 'pass',
    output: disk && remedyOf(disk),
  }
}

/** The sample property has no data to lose, so it needs no recovery key. */
function backup({ backups: { lastBackupAt, hasKey, problem }, simulated, now }: Facts): Found {
  const observedValue = lastBackupAt === null ? null : new Date(lastBackupAt).toISOString()
  const isOld = lastBackupAt === null || now - lastBackupAt > limits.backupAgeMs.warn
  const output = hasKey ? (problem ?? (isOld ? oldBackup : null)) : simulated ? null : noRecoveryKey
  return { componentType: 'datastore', observedValue, status: output ? 'warn' : 'pass', output }
}

const noRecoveryKey =
  'No backups are made, because there is no recovery key. If this disk fails, all data are lost. Run "nightporter backup key" on the box.'
const oldBackup =
  'No backup was made in the last two nights. Run "nightporter backup" on the box; its message says what is wrong.'

function modules({ missingModules }: Facts): Found {
  return {
    componentType: 'component',
    observedValue: missingModules.length,
    observedUnit: 'missing modules',
    status: 'warn',
    output: missingModules.join(' '),
  }
}

function writing(facts: Facts): Found {
  const isMuch = facts.writing > limits.writing.warn
  return {
    componentType: 'datastore',
    observedValue: facts.writing,
    observedUnit: 'changes',
    status: isMuch ? 'warn' : 'pass',
    output: isMuch
      ? 'Many changes wait to be written: the disk is slow, or a client sends too much. Check the disk and the clients.'
      : null,
  }
}

function plausible({ clock: { judgement, machine, floor } }: Facts): Found {
  return {
    componentType: 'system',
    observedValue: judgement,
    status: judgement === 'plausible' ? 'pass' : 'fail',
    output: judgement === 'plausible' ? null : doubtOf({ judgement, machine, floor }),
  }
}

function synced({ clock: { source, synced } }: Facts): Found {
  const check = (status: Health, output: string | null): Found => ({
    componentType: 'system',
    observedValue: synced,
    status,
    output,
  })
  if (synced === true) return check('pass', null)
  if (synced === false)
    return check(
      'warn',
      'The clock is not synchronised with a time server and may drift. Check the network, or set the clock by hand.',
    )
  return check(
    'pass',
    source
      ? `${source} did not report whether the clock is synchronised. Compare the clock with another one.`
      : 'No time synchronisation was found on this machine. Compare the clock with another one from time to time.',
  )
}

function skew({ clock: { skewMs } }: Facts): Found {
  const { warn, fail } = limits.skewMs
  const off = skewMs ?? 0
  const status = off > fail ? 'fail' : off > warn ? 'warn' : 'pass'
  const output = status === 'pass' ? null : 'The clock is wrong, so new keys get wrong times. Set the clock.'
  return { componentType: 'system', observedValue: skewMs, observedUnit: 'ms', status, output }
}

function device({ id, name, state, status, output }: DeviceHealth): Found {
  return {
    componentId: id,
    componentType: 'component',
    observedValue: state,
    status,
    // The fault texts of some drivers already begin with the name.
    output: output && (output.startsWith(`${name}: `) ? output : `${name}: ${output}`),
  }
}
