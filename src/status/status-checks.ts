import type { DeviceHealth } from '../access/controllers/device-health.ts'
import { type Message, messagesText } from '../jsonapi/locales/message.ts'
import { backup, elsewhere, keysElsewhere } from './backup-checks.ts'
import { certificate } from './certificate-check.ts'
import type { Found, Health } from './check.ts'
import { firewallRefused, firewallRules } from './firewall-checks.ts'
import { inStep, isKeptInStep, pms } from './pms-checks.ts'
import {
  deskPhone,
  doubtfulPayments,
  fenced,
  helpCalls,
  kioskPages,
  lockSystem,
  retention,
  rightsToConfirm,
  settings,
  units,
  unknownKeys,
} from './property-checks.ts'
import type { Facts, KnownFacts } from './status-facts.ts'
import { updateResult } from './update-check.ts'
import { webhookDeliveries } from './webhook-check.ts'
import { work } from './work-check.ts'

/** Checks by component and measurement, such as `storage:freeBytes`. */
export type Checks = Record<string, Found[]>

const megabyte = 1_000_000
const limits = {
  freeBytes: { warn: 500 * megabyte, fail: 50 * megabyte },
  walBytes: { warn: 256 * megabyte },
  writing: { warn: 1_000 },
  skewMs: { warn: 2_000, fail: 120_000 },
}

/** Returns the checks of all components. A component without checks is absent. */
export function checksOf(facts: Facts): Checks {
  const devices = (kind: DeviceHealth['kind']) => facts.devices.filter((device) => device.kind === kind)
  const all: Checks = {
    'storage:freeBytes': [free(facts)],
    'storage:walBytes': [log(facts)],
    ...checksOfDatabase(facts),
    'storage:commits': facts.newBlocks === null ? [] : [commits(facts)],
    'storage:backup': [backup(facts)],
    'storage:elsewhere': facts.simulated ? [] : [elsewhere(facts)],
    'storage:keys': facts.backups.hasKey ? [keysElsewhere(facts)] : [],
    'storage:retention': facts.notForgotten.map(retention),
    'property:settings': [settings(facts)],
    'property:units': [units(facts)],
    'property:lock-system': [lockSystem(facts)],
    'certificate:end': facts.certificate.certificate ? [certificate(facts)] : [],
    'keys:fenced': facts.isFenced ? [fenced(facts)] : [],
    'keys:unknown': facts.unitsToCheck > 0 ? [unknownKeys(facts)] : [],
    'rights:to-confirm': facts.rightsToConfirm > 0 ? [rightsToConfirm(facts)] : [],
    'payment:in-doubt': facts.paymentsInDoubt > 0 ? [doubtfulPayments(facts)] : [],
    'kiosk:page': facts.silentKiosks.length > 0 ? [kioskPages(facts)] : [],
    // In the sample property each visitor is a kiosk.
    'kiosk:desk-phone': facts.property.lacksDeskPhone && !facts.simulated ? [deskPhone()] : [],
    'kiosk:help': facts.unansweredCalls.length > 0 ? [helpCalls(facts)] : [],
    'webhook:deliveries': facts.webhooks.map((each) => webhookDeliveries(each, facts.now)),
    'update:result': updateResult(facts),
    'firewall:rules': firewallRules(facts.firewall),
    'firewall:refused': firewallRefused(facts.firewall),
    'writer:waiting': [writing(facts)],
    'program:modules': facts.missingModules.length > 0 ? [modules(facts)] : [],
    'program:work': facts.work.map(work),
    'program:support': isSupported(facts) ? [] : [unsupported(facts)],
    'clock:plausible': [plausible(facts)],
    'clock:confirmed': [confirmed(facts)],
    'clock:synced': [synced(facts)],
    'clock:skew': [skew(facts)],
    'dispenser:state': devices('dispenser').map(device),
    'encoder:state': devices('encoder').map(device),
    'lock-system:state': devices('lock-system').map(device),
    'key-service:state': devices('key-service').map(device),
    'pms:state': facts.pms.map(pms),
    'pms:in-step': facts.pms.filter(isKeptInStep).map(inStep),
  }
  return Object.fromEntries(Object.entries(all).filter(([, checks]) => checks.length > 0))
}

/** Returns the checks that need no access to the disk. */
export function checksOfDatabase(facts: KnownFacts): Checks {
  return { 'storage:integrity': [integrity(facts)], 'storage:writes': [writes(facts)] }
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
  const [, ...messages] = integrities[integrity]
  const space = storage && free({ storage })
  const found = [
    ...messages.slice(0, 1),
    ...troubleOf(disk),
    ...(space?.status === 'fail' ? space.messages : []),
  ]
  return messagesText('en', found.slice(0, 1))
}

/** With less, one change of the database may not fit: the disk is full for all that a person notices. */
const noSpaceBytes = megabyte

function free({ storage: { freeBytes } }: Pick<Facts, 'storage'>): Found {
  const { warn, fail } = limits.freeBytes
  const status = freeBytes < fail ? 'fail' : freeBytes < warn ? 'warn' : 'pass'
  const code = freeBytes < noSpaceBytes ? 'disk-no-space' : 'disk-almost-full'
  const messages: Message[] = status === 'pass' ? [] : [{ code }]
  return { componentType: 'datastore', observedValue: freeBytes, observedUnit: 'bytes', status, messages }
}

function log({ storage: { walBytes } }: Facts): Found {
  const isLong = (walBytes ?? 0) > limits.walBytes.warn
  return {
    componentType: 'datastore',
    observedValue: walBytes,
    observedUnit: 'bytes',
    status: isLong ? 'warn' : 'pass',
    messages: isLong ? [{ code: 'log-too-long' }] : [],
  }
}

const integrities: Record<Facts['integrity'], readonly [Health, ...Message[]]> = {
  checking: ['warn', { code: 'database-checking' }],
  ok: ['pass'],
  failed: ['fail', { code: 'disk-damaged' }],
  'writer-lost': ['fail', { code: 'writer-stopped' }],
}

function integrity(facts: KnownFacts): Found {
  const [status, ...messages] = integrities[facts.integrity]
  return { componentType: 'datastore', observedValue: facts.integrity, status, messages }
}

function writes({ disk, isDiskSlow }: KnownFacts): Found {
  const slow = { observedValue: 'slow', status: 'warn', messages: [{ code: 'disk-slow' }] } as const
  const ok = { observedValue: 'ok', status: 'pass', messages: [] } as const
  const failing = disk && ({ observedValue: disk.is, status: 'fail', messages: troubleOf(disk) } as const)
  return { componentType: 'datastore', ...(failing ?? (isDiskSlow ? slow : ok)) }
}

/** No fault of the box, and on most disks no danger. */
function commits({ newBlocks }: Facts): Found {
  return {
    componentType: 'datastore',
    observedValue: newBlocks ? 'new blocks' : 'shared blocks',
    status: 'pass',
    messages: newBlocks ? [] : [{ code: 'commits-share-blocks' }],
  }
}

function troubleOf(disk: Facts['disk']): Message[] {
  return disk ? [{ code: `disk-${disk.is}` }] : []
}

function modules({ missingModules }: Facts): Found {
  return {
    componentType: 'component',
    observedValue: missingModules.length,
    observedUnit: 'missing modules',
    status: 'warn',
    messages: missingModules.map((detail) => ({ code: 'module-missing', values: { detail } })),
  }
}

function isSupported({ now, supportEnds }: Facts): boolean {
  return new Date(now).toISOString().slice(0, 10) <= supportEnds
}

function unsupported({ supportEnds }: Facts): Found {
  return {
    componentType: 'component',
    observedValue: supportEnds,
    status: 'warn',
    messages: [{ code: 'support-over', values: { end: supportEnds } }],
  }
}

function writing(facts: Facts): Found {
  const isMuch = facts.writing > limits.writing.warn
  return {
    componentType: 'datastore',
    observedValue: facts.writing,
    observedUnit: 'changes',
    status: isMuch ? 'warn' : 'pass',
    messages: isMuch ? [{ code: 'writes-wait' }] : [],
  }
}

function plausible({ clock: { judgement, machine, floor } }: Facts): Found {
  const [shown = '', known = ''] = [machine, floor].map(minuteText)
  const messages: Message[] =
    judgement === 'plausible' ? [] : [{ code: `clock-${judgement}`, values: { shown, known } }]
  return {
    componentType: 'system',
    observedValue: judgement,
    status: judgement === 'plausible' ? 'pass' : 'fail',
    messages,
  }
}

function confirmed({ clock: { judgement, machine, confirmed } }: Facts): Found {
  // A clock that is known to be wrong is not to be confirmed.
  const isDoubtful = !confirmed && judgement === 'plausible'
  return {
    componentType: 'system',
    observedValue: confirmed,
    status: isDoubtful ? 'warn' : 'pass',
    messages: isDoubtful ? [{ code: 'clock-unconfirmed', values: { shown: minuteText(machine) } }] : [],
  }
}

function minuteText(instant: number): string {
  return new Date(instant).toISOString().slice(0, 16).replace('T', ' ')
}

function synced({ clock: { source, synced } }: Facts): Found {
  const found = { componentType: 'system', observedValue: synced } as const
  if (synced === true) return { ...found, status: 'pass', messages: [] }
  if (synced === false) return { ...found, status: 'warn', messages: [{ code: 'clock-not-synced' }] }
  const message: Message = source
    ? { code: 'clock-source-silent', values: { source } }
    : { code: 'clock-no-source' }
  return { ...found, status: 'pass', messages: [message] }
}

function skew({ clock: { skewMs } }: Facts): Found {
  const { warn, fail } = limits.skewMs
  const off = skewMs ?? 0
  const status = off > fail ? 'fail' : off > warn ? 'warn' : 'pass'
  const messages: Message[] = status === 'pass' ? [] : [{ code: 'clock-wrong' }]
  return { componentType: 'system', observedValue: skewMs, observedUnit: 'ms', status, messages }
}

function device({ id, name, state, status, messages }: DeviceHealth): Found {
  return { componentId: id, componentType: 'component', observedValue: state, status, messages, about: name }
}
