import { DeviceFault } from '../../../src/devices/fault.ts'
import type {
  HeldKey,
  LockCall,
  LockSetup,
  OnlineGrant,
  OnlineKey,
  OnlineLockSystem,
  ReadKey,
} from '../../../src/devices/lock-system.ts'
import { type CodePage, codePage } from '../code-page.ts'
import { changeRequest, deleteRequest, endOf, keyRequest, readKey, uidOf } from '../key-records.ts'
import { lineSettings, requestSettings } from '../settings.ts'
import { grantProblem, revokesOf, takesTime, traitsOf } from './grant.ts'
import { type KeyRequests, keyRequests } from './key-requests.ts'
import type { PmsLink } from './pms-link.ts'
import { expectDone, goneToo } from './statuses.ts'

/** A key system over FIAS; the appliance acts as the PMS. */
export function fiasLockSystem(setup: LockSetup): OnlineLockSystem {
  const { workstation, options } = requestSettings(setup.connection)
  const settings = lineSettings(setup.connection)
  const page = codePage(settings.codePage)
  const requests = keyRequests(setup, settings, workstation)
  const { link } = requests
  const keys: KeySystem = { ...requests, setup, options, page }
  const takes = (id: string) => link.wanted?.has(id) ?? false

  return {
    traits: () => traitsOf(link.wanted),
    authorizations: [...options.keys()].sort(),
    endsAtExtraUnits: false,
    get revokes() {
      return revokesOf(link.wanted)
    },
    revocationReaches: setup.connection.onlineLocks === true ? 'locks' : 'system',
    get revokesExtraLocks() {
      return link.wanted?.get('KD')?.has('SI') === true
    },
    grantProblem: (grant) => grantProblem(grant, options, page),
    endsAt: (grant) => endOf(grant, takesTime(link.wanted), setup),
    create: (grant, call) => create(keys, grant, call),
    revoke: (held, call) => revoke(keys, held, call),
    expectReady: (grant, call) => expectReady(keys, grant, call),
    get change() {
      return takes('KM') ? (...[held, to, call]: Changed) => change(keys, held, to, call) : undefined
    },
    get read() {
      return takes('KZ') ? (...[encoder, call]: Read) => read(keys, encoder, call) : undefined
    },
    async clockSkew(call) {
      await link.linked(call)
      return link.skewMs
    },
    state: link.state,
    close: link.close,
  }
}

interface KeySystem extends KeyRequests {
  setup: LockSetup
  options: ReadonlyMap<string, number>
  page: CodePage
}

type Changed = Parameters<NonNullable<OnlineLockSystem['change']>>
type Read = Parameters<NonNullable<OnlineLockSystem['read']>>

async function create(keys: KeySystem, grant: OnlineGrant, call: LockCall): Promise<OnlineKey> {
  const { ask, options, setup } = keys
  expectPossible(keys, grant)
  const answer = await ask('KR', keyRequest(grant, options, setup), call)
  expectDone(answer, setup.name)
  return { reference: null, uid: uidOf(answer) }
}

async function expectReady(keys: KeySystem, grant: OnlineGrant, call: LockCall): Promise<void> {
  const { options, setup } = keys
  expectPossible(keys, grant)
  await keys.expectReady('KR', keyRequest(grant, options, setup), call)
}

async function revoke({ ask, link, setup }: KeySystem, { grant }: HeldKey, call: LockCall): Promise<void> {
  const { name } = setup
  const taken = revokesOf(link.wanted)
  const expectSame = ({ wanted }: PmsLink) => {
    call.expectNoOther?.()
    if (taken === 'unit' || revokesOf(wanted) === taken) return
    throw new DeviceFault(
      'lock-system-busy',
      `${name}: the key system has just reported that it cancels all keys of a room`,
    )
  }
  expectDone(await ask('KD', deleteRequest(grant), call, expectSame), name, goneToo)
}

async function change(keys: KeySystem, held: HeldKey, to: OnlineGrant, call: LockCall): Promise<OnlineKey> {
  const { ask, setup } = keys
  const { grant: from, uid } = held
  expectPossible(keys, to)
  if (String(from.authorizations) !== String(to.authorizations))
    throw new DeviceFault(
      'unsupported-operation',
      `${setup.name}: options can only be changed with a new card`,
    )
  expectDone(await ask('KM', changeRequest(from, to, setup), call), setup.name)
  return { reference: null, uid }
}

async function read({ ask, setup }: KeySystem, encoder: string | null, call: LockCall): Promise<ReadKey> {
  const answer = await ask('KZ', { KC: encoder }, call)
  expectDone(answer, setup.name)
  return readKey(answer, setup)
}

function expectPossible({ options, setup, page }: KeySystem, grant: OnlineGrant): void {
  const problem = grantProblem(grant, options, page)
  if (problem) throw new DeviceFault('unsupported-operation', `${setup.name}: ${problem}`)
}
