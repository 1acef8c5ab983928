import { DeviceFault } from '../../devices/fault.ts'

/** A connection is gone; the message says why, and holds no secret. */
export class LineLost extends Error {
  /** What was to be sent may have arrived all the same. */
  sent: boolean
  constructor(reason: string, { sent }: { sent: boolean }) {
    super(reason)
    this.sent = sent
  }
}

/** A broker will not have one message or subscription. */
export class BrokerRefused extends Error {
  /** An MQTT 5 reason code. */
  code: number
  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

/** What a broker, its certificate or the network says when it will not have us. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: unknown }
  const number = typeof code === 'number' ? ` (reason ${code})` : ''
  return `${message?.slice(0, 300) || String(code)}${number}`
}

/** What failed at the broker, as whoever asked is told; `mayChange` what it may have changed if it has arrived. */
export function asFault(error: unknown, mayChange: boolean): unknown {
  if (error instanceof LineLost) return lineFault(error.message, mayChange && error.sent)
  if (!(error instanceof BrokerRefused)) return error
  return new DeviceFault('vendor-error', `The broker of the PMS refused it: ${reasonOf(error)}.`, {
    vendorCode: String(error.code),
    cause: error,
  })
}

/** There is no line to the broker, and why. */
export function lineFault(reason: string, outcomeUnknown = false): DeviceFault {
  return new DeviceFault('adapter-timeout', `There is no line to the broker of the PMS: ${reason}.`, {
    outcomeUnknown,
  })
}
