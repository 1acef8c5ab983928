import { createHash } from 'node:crypto'
import type { CallName, FormFields } from '../protocol.ts'
import type { SimulatedCloud, SimulatedLock, SimulatedPasscode } from './simulated-cloud.ts'

type Reply = Record<string, unknown>

const done = { errcode: 0, errmsg: 'none error message or means yes', description: '' }

/** Thrown by a call that is refused. */
class Refused extends Error {
  errcode: number
  constructor(errcode: number) {
    super(`errcode ${errcode}`)
    this.errcode = errcode
  }
}

/** Executes a call by the rules of the cloud and its locks. A refused call changes nothing. */
export async function answer(cloud: SimulatedCloud, call: CallName, fields: FormFields): Promise<Reply> {
  try {
    if (call === 'token') return token(cloud, fields)
    admit(cloud, fields)
    if (call === 'listLocks') return page(cloud.locks.map(lockRow), fields, 1_000)
    const lock = cloud.locks.find(({ lockId }) => String(lockId) === fields.lockId) ?? refuse(-1003)
    return await atLock[call](cloud, lock, fields)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return refusal(error.errcode)
  }
}

/** The body of a refusal. */
export function refusal(errcode: number): Reply {
  return { errcode, errmsg: `refused with ${errcode}`, description: '' }
}

function refuse(errcode: number): never {
  throw new Refused(errcode)
}

function token(cloud: SimulatedCloud, fields: FormFields): Reply {
  if (fields.clientId !== cloud.clientId) refuse(10000)
  if (fields.clientSecret !== cloud.clientSecret) refuse(10001)
  if (fields.grant_type === 'refresh_token') {
    if (!cloud.refreshTokens.delete(fields.refresh_token ?? '')) refuse(10011)
  } else {
    const digest = createHash('md5').update(cloud.password).digest('hex')
    if (fields.username !== cloud.username || fields.password !== digest) refuse(10007)
  }
  const access = `access-${++cloud.issued}`
  const refresh = `refresh-${++cloud.issued}`
  cloud.tokens.add(access)
  cloud.refreshTokens.add(refresh)
  return { access_token: access, uid: 2340, expires_in: 7_776_000, refresh_token: refresh }
}

function admit(cloud: SimulatedCloud, { clientId, accessToken, date }: FormFields): void {
  if (clientId !== cloud.clientId) refuse(10000)
  if (!cloud.tokens.has(accessToken ?? '')) refuse(10004)
  if (!(Math.abs(Number(date) - cloud.clock.now()) <= 5 * 60_000)) refuse(80000)
}

type AtLock = (cloud: SimulatedCloud, lock: SimulatedLock, fields: FormFields) => Promise<Reply> | Reply

const atLock: Record<Exclude<CallName, 'token' | 'listLocks'>, AtLock> = {
  async add(cloud, lock, { keyboardPwd = '', keyboardPwdName = '', keyboardPwdType = '3', ...fields }) {
    const { startDate, endDate } = windowIn(fields)
    if (!/^\d{4,9}$/.test(keyboardPwd)) refuse(-3006)
    if (isTooSimple(keyboardPwd)) refuse(-2032)
    if (lock.list.some((each) => each.keyboardPwd === keyboardPwd)) refuse(-3007)
    if (lock.list.length >= cloud.capacity) refuse(-3009)
    await unlessByBluetooth(cloud, lock, fields.addType, () =>
      lock.memory.set(keyboardPwd, { from: startDate, until: endDate }),
    )
    const keyboardPwdId = ++cloud.issued
    const type = Number(keyboardPwdType)
    lock.list.push({
      keyboardPwdId,
      keyboardPwd,
      keyboardPwdName,
      keyboardPwdType: type,
      startDate,
      endDate,
      status: 1,
    })
    return { keyboardPwdId }
  },

  async change(cloud, lock, fields) {
    const kept = lock.list.find(byId(fields)) ?? refuse(-2009)
    const { startDate, endDate } = windowIn(fields)
    await unlessByBluetooth(cloud, lock, fields.changeType, () =>
      lock.memory.set(kept.keyboardPwd, { from: startDate, until: endDate }),
    )
    Object.assign(kept, { startDate, endDate })
    return done
  },

  delete: (cloud, lock, fields) => remove(cloud, lock, fields, byId(fields)),

  deleteByCode: (cloud, lock, fields) =>
    remove(cloud, lock, fields, ({ keyboardPwd }) => keyboardPwd === fields.keyboardPwd),

  listPasscodes(_cloud, lock, { searchStr = '', ...fields }) {
    const found = lock.list.filter(
      (each) => each.keyboardPwd === searchStr || each.keyboardPwdName.includes(searchStr),
    )
    return page(
      found.map((each) => ({ ...each, lockId: lock.lockId, isCustom: 1 })),
      fields,
      200,
    )
  },
}

async function remove(
  cloud: SimulatedCloud,
  lock: SimulatedLock,
  { deleteType }: FormFields,
  isMeant: (each: SimulatedPasscode) => boolean,
): Promise<Reply> {
  const kept = lock.list.find(isMeant) ?? refuse(-2009)
  await unlessByBluetooth(cloud, lock, deleteType, () => lock.memory.delete(kept.keyboardPwd))
  lock.list = lock.list.filter((each) => each !== kept)
  return done
}

/** Type 2 sends the command to the lock. Type 1, the default, means that it was done over Bluetooth before. */
async function unlessByBluetooth(
  cloud: SimulatedCloud,
  lock: SimulatedLock,
  type: string | undefined,
  work: () => unknown,
): Promise<void> {
  if (type === undefined || type === '1') return
  if (type !== '2') refuse(-4043)
  if (lock.frozen) refuse(-2025)
  const gateway = lock.gateway === null ? undefined : cloud.gateways.get(lock.gateway)
  if (!gateway) return refuse(-2012)
  if (!gateway.online) refuse(-3002)
  if (gateway.busy || gateway.atWork) refuse(-3003)
  gateway.atWork = true
  await cloud.clock.sleep(cloud.commandMs)
  gateway.atWork = false
  work()
}

const byId =
  ({ keyboardPwdId }: FormFields) =>
  (each: SimulatedPasscode) =>
    String(each.keyboardPwdId) === keyboardPwdId

/** The window in milliseconds. Refuses a window that is missing or ends before it begins. */
function windowIn({ startDate, endDate }: FormFields): { startDate: number; endDate: number } {
  const window = { startDate: Number(startDate ?? Number.NaN), endDate: Number(endDate ?? Number.NaN) }
  if (!(window.startDate > 1e12 && window.startDate < window.endDate)) refuse(-3)
  return window
}

/** A stricter rule than that of the driver: three equal or consecutive digits anywhere. */
function isTooSimple(code: string): boolean {
  const steps = [...code].slice(1).map((digit, at) => Number(digit) - Number(code[at]))
  return steps.some((step, at) => Math.abs(step) <= 1 && steps[at + 1] === step)
}

function page(rows: Reply[], { pageNo, pageSize }: FormFields, most: number): Reply {
  const [number, size] = [Number(pageNo), Number(pageSize)]
  if (!(number >= 1 && size >= 1 && size <= most)) refuse(-3)
  const list = rows.slice((number - 1) * size, number * size)
  return { list, pageNo: number, pageSize: size, pages: Math.ceil(rows.length / size), total: rows.length }
}

function lockRow({ lockId, lockAlias, gateway }: SimulatedLock): Reply {
  return {
    lockId,
    lockName: `S1_${lockId}`,
    lockAlias,
    electricQuantity: 90,
    hasGateway: gateway === null ? 0 : 1,
    lockData: 'what opens it by Bluetooth',
  }
}
