import type { SharedGuest } from '../sync/shared-reservation.ts'

const address = /^[^\s@]{1,64}@[^\s@]{1,180}$/

/** The address as a list of a profile, in the form that is stored; nothing for one without the form of an address. */
export function emailsOf(text: unknown): Pick<SharedGuest, 'emails'> {
  return typeof text === 'string' && address.test(text)
    ? { emails: [{ address: text, type: 'Private', primary: true }] }
    : {}
}

/** The number as a list of a profile, in the form that is stored; nothing for one without a country code. */
export function phoneNumbersOf(text: unknown): Pick<SharedGuest, 'phoneNumbers'> {
  if (typeof text !== 'string') return {}
  const digits = text.replace(/[\s()/.-]/g, '').replace(/^00/, '+')
  return /^\+[1-9]\d{6,14}$/.test(digits) ? { phoneNumbers: [{ number: digits, primary: true }] } : {}
}
