import type { OnlineGrant } from '../../src/devices/lock-system.ts'

const minuteMs = 60_000

/** A window in Unix milliseconds, widened to whole minutes, which is the precision of a lock. */
export function windowOf({ validFrom, validUntil }: { validFrom: number; validUntil: number }) {
  return {
    from: Math.floor(validFrom / minuteMs) * minuteMs,
    until: Math.ceil(validUntil / minuteMs) * minuteMs,
  }
}

/** Null when the text can be the `lockId` of a lock; otherwise a description of a valid one. */
export function lockCodeProblem(code: string): string | null {
  return /^[1-9]\d{0,17}$/.test(code) ? null : 'The code of a lock is its lockId, a number such as 532323.'
}

/**
 * Null when a lock may accept the PIN; otherwise the reason why not. The vendor's manual excludes "consecutive digits or
 * repeated digits" without details. Here only a PIN that is one run or one repeated digit is refused; the cloud decides
 * about any other PIN.
 */
function pinProblem(pin: string): string | null {
  if (!/^\d{4,9}$/.test(pin)) return 'A PIN has 4 to 9 digits.'
  if (pin.startsWith('0')) return 'A PIN must not begin with 0, because the cloud reads it as a number.'
  const steps = new Set([...pin].slice(1).map((digit, at) => Number(digit) - Number(pin[at])))
  const [step = 0] = steps
  if (steps.size === 1 && Math.abs(step) <= 1)
    return 'A PIN must not be one repeated digit or consecutive digits.'
  return null
}

/** Null when the cloud can make such a key; otherwise the reason why not. */
export function grantProblem(grant: OnlineGrant): string | null {
  if (grant.keyType !== 'pinCode') return 'This lock system makes only PINs.'
  if (grant.pin === null) return 'This lock system does not generate PINs. The request must name one.'
  if (grant.usage === 'OneShot')
    return 'Only the cloud can generate a PIN that opens once; a given PIN cannot.'
  if (grant.extraLocks.length > 0) return 'A PIN is for one lock.'
  if (grant.authorizations.length > 0) return 'A PIN opens its own lock only; it takes no authorizations.'
  if (grant.encoder !== null) return 'A PIN is not made at an encoder.'
  const { from, until } = windowOf(grant)
  if (!(from >= 0 && from < until && Number.isSafeInteger(until))) return 'A PIN must end after it begins.'
  return lockCodeProblem(grant.lock) ?? pinProblem(grant.pin)
}
