import { DeviceFault } from '../../../../devices/fault.ts'

/** A connection has ended; the message says why, and contains no secret. */
export class LineLost extends Error {
  /** True when the message may have been delivered all the same. */
  sent: boolean
  constructor(reason: string, { sent }: { sent: boolean }) {
    super(reason)
    this.sent = sent
  }
}

/** A broker has refused one message or subscription. */
export class BrokerRefused extends Error {
  /** An MQTT 5 reason code. */
  code: number
  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

/** The reason in words for which a broker, its certificate or the network failed. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: unknown }
  const number = typeof code === 'number' ? ` (reason ${code})` : ''
  return `${message?.slice(0, 300) || String(code)}${number}`
}

/** The DeviceFault for a failure at the broker. `mayChange`: a delivered request may have changed something. */
export function asFault(error: unknown, mayChange: boolean): unknown {
  if (error instanceof LineLost) return lineFault(error.message, mayChange && error.sent)
  if (!(error instanceof BrokerRefused)) return error
  return new DeviceFault('vendor-error', `The broker of the PMS refused it: ${reasonOf(error)}.`, {
    vendorCode: String(error.code),
    cause: error,
  })
}

/** The fault for a missing line to the broker, with the reason. */
export function lineFault(reason: string, outcomeUnknown = false): DeviceFault {
  return new DeviceFault('adapter-timeout', `There is no connection to the broker of the PMS: ${reason}.`, {
    outcomeUnknown,
  })
}
