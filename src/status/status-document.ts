import type { Language } from '../jsonapi/locales/language.ts'
import type { PmsContact } from '../pms/contacts.ts'
import type { SyncNumbers } from '../pms/sync/numbers.ts'
import { shortUpdate } from '../update/update-document.ts'
import { type Check, type Health, shownCheck } from './check.ts'
import { type Checks, checksOf, checksOfDatabase, worstOf } from './status-checks.ts'
import type { Facts, KnownFacts } from './status-facts.ts'

/** The facts about the box that do not change while it runs. */
interface StatusOf {
  version: string
  releaseId: string
  serviceId: string
  timeZone: string
  /** Unix milliseconds. */
  startedAt: number
}

/** Returns the part of the status for callers without the scope diagnostics.read. */
export function shortStatus({ version }: StatusOf, facts: Facts) {
  const status = worstOf(checksOf(facts))
  const { judgement, confirmed } = facts.clock
  const timeConfirmed = judgement === 'plausible' && confirmed
  return { status, version, mode: modeOf(facts, status), time: text(facts.now), timeConfirmed }
}

/** Returns the status of a database that cannot be read, with its checks only. */
export function unreadableStatus(version: string, facts: KnownFacts, language: Language) {
  const mode = facts.simulated ? 'simulator' : 'degraded'
  const checks = shownChecks(checksOfDatabase(facts), facts.now, language)
  return { status: 'fail', version, mode, time: text(facts.now), checks }
}

/** Returns the whole status, for callers with the scope diagnostics.read. */
export function wholeStatus(of: StatusOf, facts: Facts, language: Language) {
  const { storage, backups, devices, pms, clock, now } = facts
  return {
    ...shortStatus(of, facts),
    releaseId: of.releaseId,
    supportEnds: facts.supportEnds,
    serviceId: of.serviceId,
    startedAt: text(of.startedAt),
    uptimeSeconds: Math.round((now - of.startedAt) / 1_000),
    timeZone: of.timeZone,
    timeZoneRules: process.versions.tz,
    clock: {
      source: clock.source,
      skewMs: clock.skewMs,
      synced: clock.synced,
      judgement: clock.judgement,
      stated: clock.stated,
      machineTime: text(clock.machine),
    },
    pms: pms.map(pmsAttributes),
    devices: {
      total: devices.length,
      pass: count(facts, 'pass'),
      warn: count(facts, 'warn'),
      fail: count(facts, 'fail'),
    },
    storage: {
      databaseBytes: storage.databaseBytes,
      freeBytes: storage.freeBytes,
      walBytes: storage.walBytes,
      lastCheckpoint: storage.lastCheckpoint === null ? null : text(storage.lastCheckpoint),
      lastBackupAt: backups.lastBackupAt === null ? null : text(backups.lastBackupAt),
      integrity: facts.integrity,
      integrityCheckedAt: facts.soundAt === null ? null : text(facts.soundAt),
    },
    queues: {
      writer: { waiting: facts.writing },
      encoders: devices
        .filter(({ kind }) => kind === 'encoder')
        .map(({ id, waiting }) => ({ controllerId: id, waiting })),
    },
    update: shortUpdate(facts.updates),
    checks: shownChecks(checksOf(facts), now, language),
  }
}

function shownChecks(checks: Checks, now: number, language: Language): Record<string, Check[]> {
  const time = text(now)
  return Object.fromEntries(
    Object.entries(checks).map(([name, found]) => [
      name,
      found.map((each) => shownCheck(each, time, language)),
    ]),
  )
}

/**
 * Returns the mode. `simulator`: the property is the sample property. `offline`: no PMS is connected. `degraded`: a PMS
 * is connected, and another is not or a check fails. `online`: every enabled PMS is connected, and no check fails.
 */
function modeOf({ simulated, pms }: Facts, status: Health): 'online' | 'offline' | 'degraded' | 'simulator' {
  if (simulated) return 'simulator'
  const wanted = pms.filter(({ state }) => state !== 'disabled')
  const connected = wanted.filter(({ state }) => state === 'connected')
  if (connected.length === 0) return 'offline'
  return connected.length < wanted.length || status === 'fail' ? 'degraded' : 'online'
}

/** The attributes of one PMS. The counts are null when the property does not synchronise with it. */
function pmsAttributes(pms: PmsContact & SyncNumbers) {
  const { configurationId, state, lastContactAt, outbox, inboxLag, conflicts, quarantined } = pms
  return {
    configurationId,
    state,
    lastContactAt: lastContactAt === null ? null : text(lastContactAt),
    outbox,
    inboxLag,
    conflicts,
    quarantined,
  }
}

function count({ devices }: Facts, wanted: Health): number {
  return devices.filter(({ status }) => status === wanted).length
}

function text(instant: number): string {
  return new Date(instant).toISOString()
}
