import type { LockCall, LockSetup, LockTraits, OnlineLockSystem } from '../../src/devices/lock-system.ts'
import { cloud as cloudOf } from './cloud.ts'
import { gatewayTurns } from './gateways.ts'
import { lockList, lockUnits } from './lock-list.ts'
import { everyRow, nameLength } from './passcodes.ts'
import { type Account, cannot, change, create, find, revoke, signalOf } from './pins.ts'
import { grantProblem, windowOf } from './rules.ts'
import { settingsOf } from './settings.ts'
import { watch } from './watch.ts'

const unitList = {
  name: 'unit-list',
  description: 'The locks of the account, and whether each has a gateway',
}
/** Measured by one client for another command through a gateway; no measurement of these commands is known. */
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

/** PINs at the locks of one TTLock account. Checks at once whether the cloud is reachable; logs in at the first call. */
export function ttlock(setup: LockSetup): OnlineLockSystem {
  const { name, clock } = setup
  const settings = settingsOf(setup.connection, setup.credentials)
  const closing = new AbortController()
  const cloud = cloudOf({
    name,
    settings,
    clock,
    closing: closing.signal,
    exchanged: (fault) => line.exchanged(fault),
    loggedIn: (fault) => line.loggedIn(fault),
    record: (direction, text) => setup.record?.(direction, text),
  })
  const line = watch({ name, look: cloud.look, clock, log: setup.log })
  const turns = gatewayTurns(name, settings.gateways)
  const account: Account = {
    name,
    clock,
    cloud,
    turns,
    closing: closing.signal,
    settleMs: settings.settleMs,
  }

  return {
    traits: () => traits,
    authorizations: [],
    endsAtExtraUnits: false,
    revokes: 'key',
    revocationReaches: 'locks',
    grantProblem,
    endsAt: ({ validUntil }) => windowOf({ validFrom: 0, validUntil }).until,
    create: (grant, call) => create(account, grant, call),
    find: (grant, call) => find(account, grant, call),
    change: (held, to, call) => change(account, held, to, call),
    revoke: (held, call) => revoke(account, held, call),
    clockSkew: (call) => clockSkew(account, call),
    async extension(request, call) {
      if (request !== unitList.name) throw cannot(account, `answer ${JSON.stringify(request)}`)
      return { contentType: 'application/json', body: lockList(await locks(account, call)) }
    },
    units: async (call) => lockUnits(await locks(account, call)),
    state: line.state,
    async close() {
      closing.abort()
      await line.close()
    },
  }
}

/** The cloud's clock minus this one, in ms; null when the answer has no date. */
async function clockSkew(account: Account, call: LockCall): Promise<number | null> {
  const { cloud, clock } = account
  const before = clock.now()
  const shown = await cloud.look(signalOf(account, call))
  // The header counts whole seconds.
  return shown === null ? null : Math.round(shown + 500 - (before + clock.now()) / 2)
}

async function locks(account: Account, call: LockCall): Promise<Record<string, unknown>[]> {
  const list = { call: 'listLocks', fields: {}, mostPages: 50 } as const
  return everyRow(account.cloud, account.name, list, signalOf(account, call))
}
