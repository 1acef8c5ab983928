import { DeviceFault } from '../devices/fault.ts'
import { hiddenUid } from '../devices/mask.ts'
import type { CallOutcome, Plain } from './entry.ts'

/** Receives each call of a device's capability, and its outcome. */
export interface CallNotes {
  begun(method: string, args: Plain[]): number
  ended(call: number, outcome: CallOutcome): void
}

/**
 * Returns a proxy of the device that reports every call. Card keys, passwords and the contents of cards are removed
 * from the reports. `close` is not reported. Calls of a nested capability, such as `desfire`, are reported under its
 * name.
 */
export function recordedCalls<Device extends object>(device: Device, notes: CallNotes, prefix = ''): Device {
  return new Proxy(device, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof name === 'symbol' || name === 'close') return value
      const method = `${prefix}${name}`
      if (isCapability(value)) return recordedCalls(value, notes, `${method}.`)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) =>
        recordOutcome(notes, method, args, () => Reflect.apply(value, target, args))
    },
  })
}

/** Whether the value is an object with methods, such as a nested capability. */
function isCapability(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).some((each) => typeof each === 'function')
}

async function recordOutcome(
  notes: CallNotes,
  method: string,
  args: unknown[],
  work: () => unknown,
): Promise<unknown> {
  const call = notes.begun(method, keptArgs(method, args))
  try {
    const value = await work()
    notes.ended(call, { value: plain(keptResult(method, value, hiddenUid)) })
    return value
  } catch (error) {
    notes.ended(call, faultOf(error))
    throw error
  }
}

/**
 * Repeats a recorded call during a replay, and returns its outcome now, as it would be recorded. The serial numbers of
 * cards are those of the recording, which are replaced already.
 */
export async function callAgain(
  device: object,
  method: string,
  args: readonly Plain[],
): Promise<CallOutcome> {
  try {
    const owner = method.split('.').slice(0, -1).reduce<unknown>(memberOf, device)
    const call = memberOf(owner, method.split('.').at(-1) ?? '')
    if (typeof call !== 'function') return unknownCall
    const value: unknown = await Reflect.apply(call, owner, args.map(revived))
    return { value: plain(keptResult(method, value, (uid) => uid)) }
  } catch (error) {
    return faultOf(error)
  }
}

const unknownCall: CallOutcome = {
  fault: { code: 'internal', outcomeUnknown: false, text: 'the driver has no such call' },
}

function memberOf(owner: unknown, name: string): unknown {
  return typeof owner === 'object' && owner !== null ? Reflect.get(owner, name) : undefined
}

function faultOf(error: unknown): CallOutcome {
  if (!(error instanceof DeviceFault))
    return { fault: { code: 'internal', outcomeUnknown: false, text: String(error) } }
  const { code, outcomeUnknown, vendorCode, message: text } = error
  return { fault: { code, outcomeUnknown, ...(vendorCode !== undefined && { vendorCode }), text } }
}

/**
 * Calls whose arguments and results contain no secret but bytes: what is written to a card or read from it, and its serial
 * number.
 */
const harmless: readonly string[] = [
  'initialise',
  'status',
  'move',
  'entry',
  'identify',
  'find',
  'readBlock',
  'writeBlock',
  'readPages',
  'writePage',
  'off',
  'signal',
  'desfire.select',
  'desfire.settings',
  'desfire.file',
  'desfire.read',
  'desfire.write',
  'desfire.createApplication',
  'desfire.createFile',
  'desfire.format',
]

function keptArgs(method: string, args: unknown[]): Plain[] {
  return args.map((each) => plain(harmless.includes(method) ? withoutBytes(each) : blanked(each)))
}

function keptResult(method: string, value: unknown, hide: (uid: Uint8Array) => Uint8Array): unknown {
  if (!harmless.includes(method)) return blanked(value)
  const kept = withoutBytes(value)
  return method === 'find' && hasUid(value) ? { ...(kept as object), uid: hide(value.uid) } : kept
}

function hasUid(value: unknown): value is { uid: Uint8Array } {
  return typeof value === 'object' && value !== null && 'uid' in value && value.uid instanceof Uint8Array
}

/** Replaces bytes by as many zeros. */
function withoutBytes(value: unknown): unknown {
  return masked(value, (text) => text)
}

/** Masks an unknown value: bytes become zeros, and any text that is not a short word becomes stars. */
function blanked(value: unknown): unknown {
  return masked(value, (text) => (/^[A-Za-z0-9-]{1,12}$/.test(text) && !/\d{3}/.test(text) ? text : '***'))
}

function masked(value: unknown, shown: (text: string) => string): unknown {
  if (value instanceof Uint8Array) return new Uint8Array(value.length)
  if (typeof value === 'string') return shown(value)
  if (Array.isArray(value)) return value.map((each) => masked(each, shown))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, masked(each, shown)]))
}

/** Converts a value to JSON; bytes become `{hex}`. */
function plain(value: unknown): Plain {
  if (value instanceof Uint8Array) return { hex: Buffer.from(value).toString('hex') }
  if (Array.isArray(value)) return value.map(plain)
  if (value === undefined || value === null || typeof value === 'function') return null
  if (typeof value === 'object') {
    const members = Object.entries(value).filter(([, each]) => each !== undefined)
    return Object.fromEntries(members.map(([name, each]) => [name, plain(each)]))
  }
  return typeof value === 'bigint' || typeof value === 'symbol' ? String(value) : (value as Plain)
}

function revived(value: Plain): unknown {
  if (Array.isArray(value)) return value.map(revived)
  if (typeof value !== 'object' || value === null) return value
  const { hex, ...others } = value
  if (typeof hex === 'string' && Object.keys(others).length === 0)
    return new Uint8Array(Buffer.from(hex, 'hex'))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, revived(each)]))
}
