import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import type { DeviceHealth } from '../src/access/controllers/device-health.ts'
import { judgedClock } from '../src/host/judged-clock.ts'
import { nothingKnown } from '../src/host/time-sync.ts'
import { virtualClock } from '../src/host/virtual-clock.ts'
import { languages } from '../src/jsonapi/locales/language.ts'
import type { Request } from '../src/jsonapi/route.ts'
import { houseStateSchema } from '../src/pms/adapters/cloudevents/mqtt/state.ts'
import type { PmsContact } from '../src/pms/contacts.ts'
import type { SyncNumbers } from '../src/pms/sync/numbers.ts'
import { type Found, type Health, shownCheck } from '../src/status/check.ts'
import { healthOf } from '../src/status/fleet-state.ts'
import { statusRoutes } from '../src/status/status.ts'
import { checksOf, obstacleOf, worstOf } from '../src/status/status-checks.ts'
import { shortStatus } from '../src/status/status-document.ts'
import type { Facts } from '../src/status/status-facts.ts'
import fc from './seed.ts'

const storage = { databaseBytes: 1, walBytes: 1, freeBytes: 10_000_000_000, lastCheckpoint: null }
const clock = {
  source: 'chrony',
  skewMs: 3,
  synced: true,
  syncedAt: 0,
  judgement: 'plausible',
  machine: 0,
  floor: 0,
  stated: false,
  confirmed: true,
  boot: null,
  rtcAt: null,
} as const
const well: Facts = {
  now: 0,
  simulated: false,
  supportEnds: '9999-12-31',
  missingModules: [],
  clock,
  integrity: 'ok',
  disk: null,
  isDiskSlow: false,
  soundAt: null,
  newBlocks: false,
  storage,
  writing: 0,
  work: [],
  devices: [],
  pms: [],
  backups: {
    lastBackupAt: 0,
    ahead: null,
    hasKey: true,
    problem: null,
    keys: { media: 1, verifiedAt: 0, problem: null },
    elsewhere: { places: 1, verifiedAt: 0 },
  },
  unitsToCheck: 0,
  rightsToConfirm: 0,
  isFenced: false,
  isCopy: false,
  paymentsInDoubt: 0,
  silentKiosks: [],
  unansweredCalls: [],
  webhooks: [],
  property: {
    hasUnits: true,
    hasLockSystem: true,
    hasController: true,
    lockClashes: [],
    lacksDeskPhone: false,
    assumption: [],
  },
  certificate: { source: 'none', certificate: null, authority: null, missingNames: [], foreignNames: [] },
  updates: { slot: null, offer: null, job: null, last: null },
  notForgotten: [],
  firewall: null,
}
const property = (more: Partial<Facts['property']>) => ({ property: { ...well.property, ...more } })
const ending = (source: 'own' | 'uploaded', days: number, more: Partial<Facts['certificate']> = {}) => ({
  certificate: {
    ...well.certificate,
    source,
    certificate: { validToDate: new Date(days * 86_400_000) },
    ...more,
  },
})
const backups = (more: Partial<Facts['backups']>) => ({ backups: { ...well.backups, ...more } })
const webhook = (more: Partial<Facts['webhooks'][number]>) => ({
  webhooks: [
    {
      ...{ id: 'w', host: 'hook', isPhone: false, waitsSince: null, lastError: null, dead: 0 },
      switchedOffBecause: null,
      ...more,
    },
  ],
})
const encoder: DeviceHealth = {
  kind: 'encoder',
  id: 'e',
  name: 'Desk',
  status: 'fail',
  state: 'offline',
  messages: [{ code: 'device-offline' }],
  waiting: 0,
}
const lettersNote = {
  code: 'pms-line-letters',
  values: { codePage: 'windows-1252', reservation: '4711' },
} as const
const inStep: SyncNumbers = { outbox: 0, inboxLag: 0, conflicts: 0, quarantined: 0, trouble: null, notes: [] }
const contact = (state: PmsContact['state'], numbers: Partial<SyncNumbers> = {}) => ({
  configurationId: state,
  name: 'PMS',
  state,
  lastContactAt: null,
  fault: null,
  ...inStep,
  ...numbers,
})

const rows: [facts: Partial<Facts>, check: string, status: Health][] = [
  [{}, 'storage:commits', 'pass'],
  [{}, 'storage:writes', 'pass'],
  [{ isDiskSlow: true }, 'storage:writes', 'warn'],
  [{ isDiskSlow: true, disk: { is: 'hanging', code: 'no answer' } }, 'storage:writes', 'fail'],
  [{ disk: { is: 'failing', code: 'SQLITE_IOERR_WRITE' } }, 'storage:writes', 'fail'],
  [{}, 'storage:freeBytes', 'pass'],
  [{ storage: { ...storage, freeBytes: 499_999_999 } }, 'storage:freeBytes', 'warn'],
  [{ storage: { ...storage, freeBytes: 49_999_999 } }, 'storage:freeBytes', 'fail'],
  [{ storage: { ...storage, walBytes: null } }, 'storage:walBytes', 'pass'],
  [{ storage: { ...storage, walBytes: 300_000_000 } }, 'storage:walBytes', 'warn'],
  [{}, 'storage:integrity', 'pass'],
  [{ integrity: 'checking' }, 'storage:integrity', 'warn'],
  [{ integrity: 'failed' }, 'storage:integrity', 'fail'],
  [{ integrity: 'writer-lost' }, 'storage:integrity', 'fail'],
  [{}, 'storage:backup', 'pass'],
  [{ now: 60 * 3_600_000 }, 'storage:backup', 'pass'],
  [{ now: 60 * 3_600_000 + 1 }, 'storage:backup', 'warn'],
  [backups({ lastBackupAt: null }), 'storage:backup', 'warn'],
  [backups({ ahead: { count: 1, latest: 1 } }), 'storage:backup', 'warn'],
  [backups({ problem: 'The stick is full. Take another.' }), 'storage:backup', 'warn'],
  [backups({ lastBackupAt: null, hasKey: false }), 'storage:backup', 'warn'],
  [{ simulated: true, ...backups({ lastBackupAt: null, hasKey: false }) }, 'storage:backup', 'pass'],
  [{}, 'storage:elsewhere', 'pass'],
  [backups({ elsewhere: { places: 0, verifiedAt: null } }), 'storage:elsewhere', 'warn'],
  [backups({ elsewhere: { places: 0, verifiedAt: 0 } }), 'storage:elsewhere', 'warn'],
  [backups({ elsewhere: { places: 1, verifiedAt: null } }), 'storage:elsewhere', 'warn'],
  [
    backups({ hasKey: false, lastBackupAt: null, elsewhere: { places: 0, verifiedAt: null } }),
    'storage:elsewhere',
    'warn',
  ],
  [backups({ elsewhere: { places: 2, verifiedAt: 7 } }), 'storage:elsewhere', 'pass'],
  [{}, 'storage:keys', 'pass'],
  [backups({ keys: { media: 0, verifiedAt: null, problem: null } }), 'storage:keys', 'pass'],
  [backups({ keys: { media: 1, verifiedAt: 0, problem: 'The stick is full.' } }), 'storage:keys', 'warn'],
  [{ unitsToCheck: 1 }, 'keys:unknown', 'warn'],
  [{ rightsToConfirm: 1 }, 'rights:to-confirm', 'warn'],
  [{ isFenced: true }, 'keys:fenced', 'fail'],
  [{ isFenced: true, isCopy: true }, 'keys:fenced', 'fail'],
  [{ paymentsInDoubt: 1 }, 'payment:in-doubt', 'warn'],
  [{ silentKiosks: ['Lobby'] }, 'kiosk:page', 'warn'],
  [property({ lacksDeskPhone: true }), 'kiosk:desk-phone', 'warn'],
  [{ unansweredCalls: [{ kiosk: 'Lobby', minutes: 3 }] }, 'kiosk:help', 'warn'],
  [
    { notForgotten: [{ by: 'retention/keys', rows: 2, example: 'key/1: resource-referenced' }] },
    'storage:retention',
    'warn',
  ],
  [
    { notForgotten: [{ by: 'retention/keys', rows: 0, example: 'storage-full' }] },
    'storage:retention',
    'warn',
  ],
  [{ firewall: { isOn: false } }, 'firewall:rules', 'pass'],
  [{ firewall: { isOn: true, problem: null, refused: [] } }, 'firewall:rules', 'pass'],
  [{ firewall: { isOn: true, problem: 'syntax error', refused: [] } }, 'firewall:rules', 'warn'],
  [{ firewall: { isOn: true, problem: null, refused: ['10.0.0.9:8080'] } }, 'firewall:refused', 'warn'],
  [webhook({}), 'webhook:deliveries', 'pass'],
  [webhook({ waitsSince: -3_600_000 }), 'webhook:deliveries', 'pass'],
  [webhook({ waitsSince: -3_600_001 }), 'webhook:deliveries', 'warn'],
  [webhook({ isPhone: true, waitsSince: -180_000 }), 'webhook:deliveries', 'pass'],
  [webhook({ isPhone: true, waitsSince: -180_001, lastError: 'ECONNREFUSED' }), 'webhook:deliveries', 'warn'],
  [webhook({ dead: 1 }), 'webhook:deliveries', 'warn'],
  [
    webhook({ switchedOffBecause: 'The token or the account that made it is gone.' }),
    'webhook:deliveries',
    'warn',
  ],
  [{}, 'property:settings', 'pass'],
  [
    property({ assumption: [{ code: 'country-assumed', values: { country: 'PT' } }] }),
    'property:settings',
    'warn',
  ],
  [property({ hasUnits: false }), 'property:units', 'warn'],
  [ending('own', 22), 'certificate:end', 'pass'],
  [ending('own', 20), 'certificate:end', 'warn'],
  [ending('uploaded', 31), 'certificate:end', 'pass'],
  [ending('uploaded', 29), 'certificate:end', 'warn'],
  [ending('uploaded', 0), 'certificate:end', 'fail'],
  [ending('own', 90, { missingNames: ['front'] }), 'certificate:end', 'warn'],
  [ending('own', 90, { foreignNames: ['com'] }), 'certificate:end', 'warn'],
  [ending('uploaded', 90, { foreignNames: ['com'] }), 'certificate:end', 'warn'],
  [ending('own', 90, { authority: { validToDate: new Date(179 * 86_400_000) } }), 'certificate:end', 'warn'],
  [property({ hasLockSystem: false }), 'property:lock-system', 'warn'],
  [property({ hasController: false }), 'property:lock-system', 'warn'],
  [
    property({ lockClashes: [{ units: ['201', '215'], lock: '201', place: 1 }] }),
    'property:lock-system',
    'warn',
  ],
  [{ supportEnds: '1969-12-31' }, 'program:support', 'warn'],
  [{ missingModules: ['The module serialport is missing.'] }, 'program:modules', 'warn'],
  [{ writing: 1_000 }, 'writer:waiting', 'pass'],
  [{ writing: 1_001 }, 'writer:waiting', 'warn'],
  [{}, 'clock:plausible', 'pass'],
  [{ clock: { ...clock, judgement: 'behind' } }, 'clock:plausible', 'fail'],
  [{ clock: { ...clock, judgement: 'ahead' } }, 'clock:plausible', 'fail'],
  [{}, 'clock:confirmed', 'pass'],
  [{ clock: { ...clock, confirmed: false } }, 'clock:confirmed', 'warn'],
  [{}, 'clock:synced', 'pass'],
  [{ clock: { ...clock, source: 'systemd-timesyncd', skewMs: null, synced: false } }, 'clock:synced', 'warn'],
  [{ clock: { ...clock, source: null, skewMs: null, synced: null } }, 'clock:synced', 'pass'],
  [{ clock: { ...clock, skewMs: 2_001 } }, 'clock:skew', 'warn'],
  [{ clock: { ...clock, skewMs: 120_001 } }, 'clock:skew', 'fail'],
  [{ devices: [encoder] }, 'encoder:state', 'fail'],
  [{ pms: [contact('connected')] }, 'pms:state', 'pass'],
  [{ pms: [contact('unknown')] }, 'pms:state', 'pass'],
  [{ pms: [contact('disabled')] }, 'pms:state', 'pass'],
  [{ pms: [contact('disconnected')] }, 'pms:state', 'warn'],
  [{ pms: [contact('connected')] }, 'pms:in-step', 'pass'],
  [{ pms: [contact('connected', { conflicts: 1 })] }, 'pms:in-step', 'warn'],
  [{ pms: [contact('connected', { notes: [lettersNote] })] }, 'pms:in-step', 'warn'],
  [{ pms: [contact('connected', { quarantined: 1 })] }, 'pms:in-step', 'warn'],
]

describe('a check', () => {
  for (const [changed, name, expected] of rows) {
    it(`${name} is ${expected} with ${JSON.stringify(changed)}`, () => {
      const checks = checksOf({ ...well, ...changed })
      const [found = assert.fail(`${name} is not there`)] = checks[name] ?? []
      assert.equal(found.status, expected)
      assert.equal(worstOf(checks), expected)
      if (expected === 'pass') return
      for (const language of languages) {
        const { output, messages } = shownCheck(found, '', language)
        assert.match(output ?? '', /^.{20,}\.$/, 'it says what to do')
        assert.doesNotMatch(output ?? '', /[{}]|undefined/, `${language} has every value`)
        assert.deepEqual(
          messages.map(({ code }) => code),
          found.messages.map(({ code }) => code),
        )
      }
    })
  }

  it('names the device or PMS that it is about', () => {
    const { 'encoder:state': [about] = [], 'pms:state': [line] = [] } = checksOf({
      ...well,
      devices: [encoder],
      pms: [contact('connected')],
    })
    const nameOf = (found: Found) => shownCheck(found, '', 'en').componentName
    assert.deepEqual(
      [about, line].map((each) => nameOf(each!)),
      [encoder.name, 'PMS'],
    )
    assert.ok(!('componentName' in shownCheck(checksOf(well)['storage:keys']![0]!, '', 'en')))
  })

  it('is missing for devices and systems that the property does not have', () => {
    const names = Object.keys(checksOf(well))
    for (const name of ['dispenser:state', 'encoder:state', 'pms:state']) assert.ok(!names.includes(name))
  })
})

describe('what a fleet is told', () => {
  const ajv = formats.default(new Ajv({ strict: false }))
  const valid = ajv.compile(houseStateSchema)

  it('is the sum of the checks, in the form of the message, without the name of a device', () => {
    const told = healthOf({ ...well, devices: [encoder], supportEnds: '1969-12-31' })
    assert.deepEqual(told.health, { status: 'fail', failing: ['encoder:state', 'program:support'] })
    assert.deepEqual(told.devices, { pass: 0, warn: 0, fail: 1 })
    assert.deepEqual(told.clock, { judgement: well.clock.judgement, synced: well.clock.synced })
    assert.ok(valid({ state: 'online', clientId: 'c', ...told }), JSON.stringify(valid.errors))
    assert.ok(!valid({ state: 'online', clientId: 'c', ...told, guest: 'x' }))
    assert.ok(!JSON.stringify(told).includes(encoder.name))
  })
})

describe('the mode', () => {
  const of = { version: '', releaseId: '', serviceId: '', timeZone: '', startedAt: 0 }
  const modes: [facts: Partial<Facts>, mode: string][] = [
    [{}, 'offline'],
    [{ pms: [contact('connected')] }, 'online'],
    [{ pms: [contact('connected'), contact('disabled')] }, 'online'],
    [{ pms: [contact('connected'), contact('disconnected')] }, 'degraded'],
    [{ pms: [contact('connected'), contact('unknown')] }, 'degraded'],
    [{ pms: [contact('connected')], devices: [encoder] }, 'degraded'],
    [{ pms: [contact('disconnected')], devices: [encoder] }, 'offline'],
    [{ pms: [contact('connected')], simulated: true }, 'simulator'],
  ]
  for (const [facts, mode] of modes) {
    it(`is ${mode} with ${JSON.stringify(facts)}`, () => {
      assert.equal(shortStatus(of, { ...well, ...facts }).mode, mode)
    })
  }
})

describe('what keeps the appliance from its work', () => {
  const obstacles: [facts: Partial<Facts>, obstacle: RegExp | null][] = [
    [{}, null],
    [{ integrity: 'checking' }, /being checked/],
    [{ integrity: 'failed' }, /newest backup/],
    [{ integrity: 'writer-lost' }, /Restart/],
    [{ storage: { ...storage, freeBytes: 400_000_000 } }, null],
    [{ storage: { ...storage, freeBytes: 1 } }, /Free some space/],
    [{ devices: [encoder] }, null],
  ]
  for (const [facts, obstacle] of obstacles) {
    it(`is ${obstacle} with ${JSON.stringify(facts)}`, () => {
      const found = obstacleOf({ ...well, ...facts })
      if (obstacle === null) assert.equal(found, null)
      else assert.match(String(found), obstacle)
    })
  }
})

describe('readiness', () => {
  const data = mkdtempSync(join(tmpdir(), 'ready-'))
  after(() => rmSync(data, { recursive: true }))

  function readyz() {
    const ready = Promise.withResolvers<void>()
    const lost = Promise.withResolvers<never>()
    const options = {
      clock: judgedClock(virtualClock(0), 0),
      timeSync: () => nothingKnown,
      version: '',
      releaseId: '',
      startedAt: 0,
      store: {
        ready: ready.promise,
        lost: lost.promise,
        waiting: () => 0,
        disk: { trouble: () => null, problem: () => null, isSlow: () => false },
        soundAt: () => null,
        beginsInNewBlocks: () => null,
      },
      data,
      simulated: false,
      devices: () => [],
      pms: () => [],
      backups: async () => well.backups,
      unitsToCheck: () => 0,
      rightsToConfirm: () => 0,
      isFenced: () => false,
      isCopy: () => false,
      paymentsInDoubt: () => 0,
      silentKiosks: () => [],
      unansweredCalls: () => [],
      webhooks: () => [],
      property: () => well.property,
      supportEnds: '9999-12-31',
      missingModules: [],
      work: () => [],
      certificate: () => well.certificate,
      updates: () => well.updates,
      notForgotten: () => [],
      firewall: () => null,
    }
    const reader = {} as Parameters<typeof statusRoutes>[0]['reader']
    const route = statusRoutes({ reader }, options).find((each) => each.path === 'readyz')!
    return { ready, lost, ask: async () => route.handle({} as Request) }
  }

  it('begins when the database was checked, and ends when the writer is lost', async () => {
    const { ready, lost, ask } = readyz()
    const early = await ask()
    assert.deepEqual(
      [early.status, early.headers, early.type],
      [503, { 'Retry-After': '5' }, 'application/health+json'],
    )
    assert.equal(JSON.parse(early.text ?? '').status, 'fail')
    ready.resolve()
    await ready.promise
    assert.deepEqual([(await ask()).status, (await ask()).text], [200, '{"status":"pass"}'])
    lost.reject(new Error('the writer is gone'))
    await lost.promise.catch(() => {})
    assert.match((await ask()).text ?? '', /The database writer has stopped/)
  })

  it('does not begin after a check that has failed, and calls nothing damaged yet', async () => {
    const { ready, ask } = readyz()
    ready.reject(new Error('database disk image is malformed'))
    await ready.promise.catch(() => {})
    const answer = await ask()
    assert.deepEqual([answer.status, /is being checked/.test(answer.text ?? '')], [503, true])
  })
})

describe('a sentence of the status', () => {
  const codeOf = (facts: Partial<Facts>, check: string) =>
    (checksOf({ ...well, ...facts })[check] ?? []).flatMap(({ messages }) => messages.map(({ code }) => code))

  it('calls a disk almost full only while something fits on it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 600_000_000 }), (freeBytes) => {
        const expected =
          freeBytes < 1_000_000 ? ['disk-no-space'] : freeBytes < 500_000_000 ? ['disk-almost-full'] : []
        assert.deepEqual(codeOf({ storage: { ...storage, freeBytes } }, 'storage:freeBytes'), expected)
      }),
    )
    for (const freeBytes of [0, 1, 4_096, 999_999])
      assert.deepEqual(codeOf({ storage: { ...storage, freeBytes } }, 'storage:freeBytes'), ['disk-no-space'])
  })

  it('speaks of nights without a backup only where there was one', () => {
    fc.assert(
      fc.property(fc.option(fc.nat(100 * 3_600_000)), fc.nat(200 * 3_600_000), (lastBackupAt, more) => {
        const now = (lastBackupAt ?? 0) + more
        const codes = codeOf({ now, ...backups({ lastBackupAt }) }, 'storage:backup')
        const isOld = more > 60 * 3_600_000
        assert.deepEqual(codes, lastBackupAt === null ? ['backup-none'] : isOld ? ['backup-old'] : [])
      }),
    )
  })
})
