/** The next step for a guest after a failure, by the word in `meta.guest`, with its meaning for the kiosk. */
export const guestWords = {
  desk: 'Only the staff can help. Send the guest to the front desk, and offer no retry.',
  wait: 'The request is likely to succeed soon. Ask the guest to wait, and repeat the request after Retry-After.',
  recard:
    'The card was taken away during the write. Ask the guest to put it down again, and repeat the request.',
  'place-card': 'There was no card. Ask the guest to place one, and repeat the request.',
  'lift-card': 'The previous card is still on the encoder. Ask the guest to take it, and repeat the request.',
  'one-card':
    'More than one card is on the encoder. Ask the guest to leave only one, and repeat the request.',
  'new-card':
    'The card cannot be used. Repeat the request with another card; a dispenser feeds the next one.',
} as const

export type GuestWord = keyof typeof guestWords

/**
 * Every failure of a device or lock system, under the codes of the interface. `outcomeUnknown` is fixed for most codes.
 * Where it is `null`, the driver decides: it knows whether bytes of a write were sent. `retryAfter` is in seconds; null
 * means that a retry alone does not help. `guest` is the next step for the guest, one of `guestWords`.
 */
export const faults = {
  'lock-system-unreachable': fault('The lock system cannot be reached', false, 10, 'desk'),
  'lock-system-timeout': fault('The lock system gave no answer', true, 15, 'wait'),
  'lock-system-busy': fault('The lock system is busy', false, 3, 'wait'),
  'lock-system-rejected': fault('The lock system refused the request', false, null, 'desk'),
  'lock-system-retry': fault('The lock system asks to try again', false, 5, 'wait'),
  'lock-system-auth-failed': fault('The lock system refused our credentials', false, null, 'desk'),
  'lock-system-limit': fault('The lock system has no room for another key', false, null, 'desk'),
  'encoder-offline': fault('The encoder is not connected', false, 30, 'desk'),
  'encoder-busy': fault('The encoder is busy', false, 3, 'wait'),
  'encoder-timeout': fault('The encoder gave no answer', false, 5, 'wait'),
  'encoder-timeout-writing': fault('The encoder stopped answering during the write', true, 5, 'recard'),
  'no-card': fault('No card was presented', false, 0, 'place-card'),
  'multiple-cards': fault('More than one card is on the encoder', false, 0, 'one-card'),
  'card-removed': fault('The card was removed during the write', true, 0, 'recard'),
  'card-incompatible': fault('The card is of a type that cannot be used', false, null, 'new-card'),
  'card-write-protected': fault('The card refuses to be written', false, null, 'new-card'),
  'card-verify-failed': fault('The card does not hold what was written', true, 0, 'new-card'),
  'card-worn': fault('The card is worn out', false, null, 'new-card'),
  'dispenser-offline': fault('The card dispenser is not connected', false, 30, 'desk'),
  'dispenser-empty': fault('The card dispenser is empty', false, null, 'desk'),
  'dispenser-jam': fault('A card is jammed in the dispenser', null, null, 'desk'),
  'dispenser-bin-full': fault('The bin for captured cards is full', false, null, 'desk'),
  'dispenser-motor': fault('The card dispenser cannot move cards', false, null, 'desk'),
  'dispenser-reset-required': fault('The card dispenser must be initialised', false, 10, 'wait'),
  'dispenser-timeout': fault('The card dispenser did not confirm the position', true, 5, 'desk'),
  'dispenser-inactive': fault('The card dispenser is out of service', false, null, 'desk'),
  'terminal-offline': fault('The payment terminal does not answer', false, 30, 'desk'),
  'payment-outcome-unknown': fault('Whether the guest has paid is not known', true, null, 'desk'),
  'unit-unknown': fault('The lock system does not know the unit', false, null, 'desk'),
  'authorization-unknown': fault('The lock system does not know the authorization', false, null, 'desk'),
  'pin-unavailable': fault('The PIN is already in use', false, null, 'desk'),
  'clock-skew': fault('The clock of the lock system is wrong', false, null, 'desk'),
  'adapter-timeout': fault('The adapter gave no answer', null, 10, 'wait'),
  'adapter-crashed': fault('The adapter stopped', null, 10, 'wait'),
  'unsupported-operation': fault('The device cannot do this', false, null, 'desk'),
  'vendor-error': fault('The device reported an error of its own', true, 10, 'desk'),
} as const satisfies Record<string, Fault>

export type FaultCode = keyof typeof faults

interface Fault {
  title: string
  outcomeUnknown: boolean | null
  retryAfter: number | null
  guest: GuestWord
}

export interface FaultOptions {
  /** Set only where the rule of the code is `null`; it cannot override a fixed rule. */
  outcomeUnknown?: boolean
  /** The device's own number or word for it, for the log and the front desk. */
  vendorCode?: string
  /** The delay that the other side requested before the next request. */
  retryAfterSeconds?: number
  /** The instruction for the guest, where it differs from that of the code. */
  guest?: Fault['guest']
  cause?: unknown
}

/** A failure of a device: an expected answer, never a crash. `outcomeUnknown`: the command may have been executed. */
export class DeviceFault extends Error {
  code: FaultCode
  outcomeUnknown: boolean
  vendorCode: string | undefined
  retryAfterSeconds: number | undefined
  guest: Fault['guest']

  constructor(code: FaultCode, detail: string, options: FaultOptions = {}) {
    super(detail, { cause: options.cause })
    this.name = 'DeviceFault'
    this.code = code
    this.outcomeUnknown = faults[code].outcomeUnknown ?? options.outcomeUnknown ?? false
    this.vendorCode = options.vendorCode
    this.retryAfterSeconds = options.retryAfterSeconds
    this.guest = options.guest ?? faults[code].guest
  }
}

/** Returns a handler of a rejection: `value` for a DeviceFault with this code; any other error is thrown again. */
export function ifFault<const T>(code: FaultCode, value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof DeviceFault && error.code === code) return value
    throw error
  }
}

/** What the API reports about a fault beside the title of its code and its detail. */
export function faultMeta({ code, outcomeUnknown, vendorCode, retryAfterSeconds, guest }: DeviceFault) {
  const { retryAfter } = faults[code]
  const seconds = retryAfterSeconds ?? retryAfter
  return {
    errorCode: code,
    outcomeUnknown,
    ...(seconds !== null && { retryAfterSeconds: seconds }),
    guest,
    ...(vendorCode !== undefined && { vendorCode }),
  }
}

function fault<const Row extends [string, boolean | null, number | null, Fault['guest']]>(
  ...[title, outcomeUnknown, retryAfter, guest]: Row
): Fault {
  return { title, outcomeUnknown, retryAfter, guest }
}
