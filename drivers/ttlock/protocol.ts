/** One request of the Open Platform. */
export interface CloudCall {
  method: 'GET' | 'POST'
  path: string
  /** True when the request may change something at the lock: its outcome matters when no answer comes. */
  writes: boolean
}

/** Every request in use. A login changes nothing at a lock, so it is not a write. */
export const calls = {
  token: { method: 'POST', path: '/oauth2/token', writes: false },
  add: { method: 'POST', path: '/v3/keyboardPwd/add', writes: true },
  change: { method: 'POST', path: '/v3/keyboardPwd/change', writes: true },
  delete: { method: 'POST', path: '/v3/keyboardPwd/delete', writes: true },
  deleteByCode: { method: 'POST', path: '/v3/keyboardPwd/deleteByCode', writes: true },
  listPasscodes: { method: 'GET', path: '/v3/lock/listKeyboardPwd', writes: false },
  listLocks: { method: 'GET', path: '/v3/lock/list', writes: false },
} as const satisfies Record<string, CloudCall>

export type CallName = keyof typeof calls

/** The names and values of the form or the query. */
export type FormFields = Record<string, string>

/** Values that must never appear in a text, even if the cloud returns them. */
export const secretFields: readonly string[] = [
  'accessToken',
  'clientId',
  'clientSecret',
  'keyboardPwd',
  'newKeyboardPwd',
  'password',
  'refresh_token',
  'searchStr',
  'username',
]

/**
 * The value of `addType`, `changeType` and `deleteType` for a command through the gateway or the lock's own Wi-Fi; the
 * answer comes after its execution. The default, 1, reports what was done over Bluetooth: it changes the cloud's list and
 * nothing at the lock.
 */
export const throughGateway = '2'

/** `keyboardPwdType` of a passcode with a window. */
export const period = '3'

/** The access token is unknown or has expired: the request was not executed. */
export const tokenOver: readonly number[] = [10003, 10004]

/**
 * The goal of a revocation is already reached: there is no such passcode. A lock that the account no longer has (-1003) has
 * not received it.
 */
export const nothingToDelete: readonly number[] = [-2009]

/** A PIN was never used, and so is not changed; or the cloud does not know it. It is added again. */
export const notChanged: readonly number[] = [-3008, -2009]
