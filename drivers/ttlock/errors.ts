import type { FaultCode } from '../../src/devices/fault.ts'

/** The fault for an `errcode`, and the rest of its text after "the cloud". */
interface Refusal {
  code: FaultCode
  text: string
}

/**
 * The vendor's error codes for requests about PINs. All but those with `vendor-error` mean that the request was not
 * executed.
 */
const refusals: Record<number, Refusal> = {
  1: { code: 'vendor-error', text: 'failed, without a reason' },
  90000: { code: 'vendor-error', text: 'had an error of its own' },

  10000: { code: 'lock-system-auth-failed', text: 'does not know the client id' },
  10001: { code: 'lock-system-auth-failed', text: 'refused the client id or its secret' },
  10003: { code: 'lock-system-auth-failed', text: 'does not know the token that it has just issued' },
  10004: { code: 'lock-system-auth-failed', text: 'reports the token as expired that it has just issued' },
  10007: { code: 'lock-system-auth-failed', text: 'refused the account or its password' },
  10011: { code: 'lock-system-auth-failed', text: 'does not know the refresh token' },
  20002: { code: 'lock-system-auth-failed', text: 'says that the account does not administer the lock' },
  [-2018]: { code: 'lock-system-auth-failed', text: 'says that the account may not do this' },
  30005: { code: 'lock-system-rejected', text: 'requires the password in another form' },
  30006: { code: 'lock-system-retry', text: 'received too many requests' },
  30007: {
    code: 'lock-system-limit',
    text: 'received more requests this month than the developer account allows',
  },
  30008: { code: 'lock-system-rejected', text: 'keeps this account in another region; change baseUrl' },
  80000: { code: 'clock-skew', text: 'is more than five minutes away from the clock of this box' },
  80002: { code: 'lock-system-rejected', text: 'could not read the request' },
  [-3]: { code: 'lock-system-rejected', text: 'refused a parameter' },

  [-1003]: { code: 'unit-unknown', text: 'does not know the lock' },
  [-2025]: { code: 'lock-system-rejected', text: 'says that the lock is frozen' },
  [-4043]: { code: 'unsupported-operation', text: 'says that the lock cannot do this' },
  [-4056]: { code: 'lock-system-limit', text: 'says that the memory of the lock is full' },

  [-1007]: { code: 'lock-system-rejected', text: 'has no passcode data of the lock' },
  [-1026]: { code: 'lock-system-rejected', text: 'says that the code of this period was deleted before' },
  [-2009]: { code: 'lock-system-rejected', text: 'does not know the PIN' },
  // After `pin-unavailable` the caller chooses another PIN. For a wrong length (-3006) this would not help.
  [-2032]: { code: 'pin-unavailable', text: 'rejects the PIN as too simple' },
  [-3006]: { code: 'lock-system-rejected', text: 'refused the length of the PIN' },
  [-3007]: { code: 'pin-unavailable', text: 'says that the lock has this PIN already' },
  [-3008]: { code: 'lock-system-rejected', text: 'does not change a PIN that was never used' },
  [-3009]: { code: 'lock-system-limit', text: 'says that the lock holds as many PINs as it can' },

  [-2012]: { code: 'lock-system-unreachable', text: 'sees no gateway near the lock' },
  [-3002]: { code: 'lock-system-unreachable', text: 'says that the gateway is offline' },
  [-3003]: { code: 'lock-system-busy', text: 'says that the gateway is busy' },
  [-3034]: { code: 'lock-system-unreachable', text: 'says that the Wi-Fi of the lock is not set up' },
  [-3035]: { code: 'lock-system-unreachable', text: 'says that the Wi-Fi of the lock saves power' },
  [-3036]: { code: 'lock-system-unreachable', text: 'says that the lock is offline' },
  [-3037]: { code: 'lock-system-busy', text: 'says that the lock is busy' },
  [-4037]: { code: 'lock-system-rejected', text: 'does not know the gateway' },
}

/** All codes of the table. */
export const knownCodes: readonly number[] = Object.keys(refusals).map(Number)

/**
 * The meaning of an `errcode`. A `vendor-error`, and an unknown code of a write, leave open whether a write was executed.
 * A read has no such doubt: it gets `lock-system-retry` for the former, `lock-system-rejected` for an unknown code.
 */
export function refusalOf(errcode: number, writes: boolean): Refusal {
  const known = refusals[errcode]
  if (known && (writes || known.code !== 'vendor-error')) return known
  if (known) return { ...known, code: 'lock-system-retry' }
  return {
    code: writes ? 'vendor-error' : 'lock-system-rejected',
    text: 'answered with an unknown error code',
  }
}

/** True when the cloud's own text may contain more information than the table. */
export function isVague(errcode: number): boolean {
  return refusals[errcode]?.code === 'vendor-error' || !(errcode in refusals)
}
