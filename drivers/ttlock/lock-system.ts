import { DeviceFault } from '../../src/devices/fault.ts'
import type {
  HeldKey,
  LockCall,
  LockSetup,
  LockTraits,
  OnlineGrant,
  OnlineKey,
  OnlineLockSystem,
} from '../../src/devices/lock-system.ts'
import { cloud as cloudOf } from './cloud.ts'
import { gatewayTurns } from './gateways.ts'
import { lockList, lockUnits } from './lock-list.ts'
import { everyRow, type Listed, listed } from './passcodes.ts'
import { type CallName, type Fields, nothingToDelete, period, throughGateway } from './protocol.ts'
import { grantProblem, lockCodeProblem, windowOf } from './rules.ts'
import { settingsOf } from './settings.ts'
import { watch } from './watch.ts'

const nameLength = 50
const unitList = {
  name: 'unit-list',
  description: 'The locks of the account, and whether each has a gateway',
}
/** One client's log of another command through a gateway; nobody has told of this one. */
const gatewayMs = 8_000

const traits: LockTraits = {
  vendor: 'TTLock',
  product: 'Open Platform',
  productVersion: 'v3',
  keyTypes: ['pinCode'],
  operations: {
    create: { requiresMedium: false, idempotent: false, typicalMs: gatewayMs },
    'update-dates': { requiresMedium: false, idempotent: true, typicalMs: gatewayMs },
    extend: { requiresMedium: false, idempotent: true, typicalMs: gatewayMs },
    revoke: { requiresMedium: false, idempotent: true, typicalMs: gatewayMs },
    'list-units': { requiresMedium: false, idempotent: true, typicalMs: null },
  },
  limits: {
    maxExtraUnits: 0,
    pinLength: { min: 4, max: 9 },
    dateGranularity: 'minute',
    maxValidityDays: null,
    nameLength,
    charset: 'utf-8',
  },
  extensions: [unitList],
}

/** PINs at the locks of one TTLock account. Looks at once whether the cloud is there; logs in when somebody asks. */
export function ttlock(setup: LockSetup): OnlineLockSystem {
  const { name, clock } = setup
  const { now } = clock
  const settings = settingsOf(setup.connection, setup.credentials)
  const closing = new AbortController()
  const heard = (fault: DeviceFault | null) => line.heard(fault)
  const record = (direction: 'out' | 'in', text: string) => setup.record?.(direction, text)
  const trusted = (fault: unknown) => line.trusted(fault)
  const cloud = cloudOf({ name, settings, clock, closing: closing.signal, heard, trusted, record })
  const line = watch({ name, look: cloud.look, clock, log: setup.log })
  const turns = gatewayTurns(name, settings.gateways)

  /** The call's own patience, on top of that of each exchange. */
  function patience({ signal, timeoutMs }: LockCall): AbortSignal {
    if (closing.signal.aborted) throw new DeviceFault('lock-system-unreachable', `${name}: is closed`)
    return AbortSignal.any([
      signal,
      closing.signal,
      clock.timeout(Math.max(0, Math.min(Math.round(timeoutMs), 2 ** 31 - 1))),
    ])
  }

  function expect(problem: string | null): void {
    if (problem !== null) throw new DeviceFault('lock-system-rejected', `${name}: ${problem}`)
  }

  /** What acknowledges nothing, with neither a number nor an `errcode`, proves nothing: the lock may have done it or not. */
  async function command(
    lock: string,
    call: CallName,
    fields: Fields,
    signal: AbortSignal,
    fine?: readonly number[],
  ): Promise<Record<string, unknown> | null> {
    const said = await turns(lock, signal, () => cloud.ask(call, { lockId: lock, ...fields }, signal, fine))
    if (said && said.errcode === undefined && referenceIn(said.keyboardPwdId) === null)
      throw new DeviceFault('vendor-error', `${name}: the cloud answered with neither a number nor an error`)
    return said
  }

  /** What the list says once a command that was lost on its way can no longer change it. */
  async function settled(grant: OnlineGrant, signal: AbortSignal): Promise<Listed> {
    const first = await listed(cloud, name, grant, signal)
    if (first.kind === 'ours') return first
    try {
      await clock.sleep(settings.settleMs, { signal })
    } catch {
      throw new DeviceFault('lock-system-retry', `${name}: a command may still be on its way to the lock`)
    }
    return listed(cloud, name, grant, signal)
  }

  async function create(grant: OnlineGrant, call: LockCall): Promise<OnlineKey> {
    expect(grantProblem(grant))
    const fields = {
      keyboardPwd: grant.pin ?? '',
      keyboardPwdName: nameOf(grant),
      keyboardPwdType: period,
      ...dates(grant),
      addType: throughGateway,
    }
    const said = await command(grant.lock, 'add', fields, patience(call))
    return { reference: referenceIn(said?.keyboardPwdId), uid: null }
  }

  async function find(grant: OnlineGrant, call: LockCall): Promise<OnlineKey | null> {
    expect(grantProblem(grant))
    const found = await settled(grant, patience(call))
    if (found.kind === 'unsettled')
      throw new DeviceFault('lock-system-retry', `${name}: the cloud is still at work on this PIN`)
    // With another window it is another's, or was not changed: the key that was asked about is not there.
    return found.kind === 'ours' ? { reference: found.reference, uid: null } : null
  }

  async function change(held: HeldKey, to: OnlineGrant, call: LockCall): Promise<OnlineKey> {
    expect(grantProblem(to))
    if (to.lock !== held.grant.lock) throw cannot('move a PIN to another lock')
    if (to.pin !== held.grant.pin) throw cannot('change the digits of a PIN')
    const signal = patience(call)
    const reference = held.reference ?? (await referenceOf(held.grant, signal))
    if (reference === null)
      throw new DeviceFault('lock-system-rejected', `${name}: the cloud does not list the PIN`)
    const fields = { keyboardPwdId: reference, ...dates(to), changeType: throughGateway }
    await command(to.lock, 'change', fields, signal)
    return { reference, uid: null }
  }

  async function referenceOf(grant: OnlineGrant, signal: AbortSignal): Promise<string | null> {
    const found = await listed(cloud, name, grant, signal)
    return found.kind === 'ours' ? found.reference : null
  }

  async function revoke({ reference, grant }: HeldKey, call: LockCall): Promise<void> {
    const signal = patience(call)
    const remove = (by: 'delete' | 'deleteByCode', fields: Fields) =>
      command(grant.lock, by, { ...fields, deleteType: throughGateway }, signal, nothingToDelete)
    if (reference !== null) return void (await remove('delete', { keyboardPwdId: reference }))
    if (grant.pin === null) throw cannot('take away a PIN that has neither number nor digits')
    const found = await listed(cloud, name, grant, signal)
    // The same digits with another window are somebody else's key, or one that was changed since.
    if (found.kind === 'another') return
    if (found.kind === 'ours') await remove('delete', { keyboardPwdId: found.reference })
    else await remove('deleteByCode', { keyboardPwd: grant.pin })
  }

  function locks(call: LockCall): Promise<Record<string, unknown>[]> {
    return everyRow(cloud, name, { call: 'listLocks', fields: {}, mostPages: 50 }, patience(call))
  }

  function cannot(what: string): DeviceFault {
    return new DeviceFault('unsupported-operation', `${name}: cannot ${what}`)
  }

  return {
    traits: () => traits,
    authorizations: [],
    revokes: 'key',
    revocationReaches: 'locks',
    lockCodeProblem,
    grantProblem,
    create,
    find,
    change,
    revoke,
    async clockSkew(call) {
      const before = now()
      const shown = await cloud.look(patience(call))
      // The header counts whole seconds.
      return shown === null ? null : Math.round(shown + 500 - (before + now()) / 2)
    },
    async extension(asked, call) {
      if (asked !== unitList.name) throw cannot(`answer ${JSON.stringify(asked)}`)
      return { contentType: 'application/json', body: lockList(await locks(call)) }
    },
    units: async (call) => lockUnits(await locks(call)),
    state: line.state,
    async close() {
      closing.abort()
      await line.close()
    },
  }
}

function dates(grant: OnlineGrant): Fields {
  const { from, until } = windowOf(grant)
  return { startDate: String(from), endDate: String(until) }
}

/** Names no guest, and not the PIN. */
function nameOf({ label, pin }: OnlineGrant): string {
  const named = pin === null ? label : label.replaceAll(pin, '')
  return [...named].slice(0, nameLength).join('')
}

function referenceIn(told: unknown): string | null {
  return (typeof told === 'number' && Number.isSafeInteger(told)) || (typeof told === 'string' && told !== '')
    ? String(told)
    : null
}
