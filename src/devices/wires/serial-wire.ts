import type { EventEmitter } from 'node:events'
import { Duplex } from 'node:stream'
import type { Clock } from '../../host/clock.ts'
import { moduleMissing } from '../native-modules.ts'
import { LineTrouble } from './line-trouble.ts'
import { lineUsers } from './line-users.ts'
import { isModemCommand } from './modem-command.ts'

interface SerialOptions {
  clock: Clock
  baudRate: number
  /** The interval of the check that the adapter is still there, in ms. */
  checkMs: number
}

/**
 * Opens a serial line (8N1, raw, no flow control) and locks it for this process. The Duplex emits `close` only once the
 * line is closed. Rejects with an Error whose text names the path and the problem, with LineTrouble when another program
 * has the line, and with ModuleMissing when the native code cannot be loaded.
 */
export async function openSerial(path: string, { clock, baudRate, checkMs }: SerialOptions): Promise<Duplex> {
  // The import happens when the first line is opened: loading native code would delay every start.
  const { SerialPort } = await import('serialport').catch((error) => {
    throw moduleMissing(error) ?? error
  })
  try {
    const port = await SerialPort.binding.open({ path, baudRate, lock: true })
    if ('poller' in port) wakeOn(port.poller)
    return serialWire(port, clock, checkMs)
  } catch (error) {
    const users = isTaken(error) ? await lineUsers(path) : []
    if (users.length > 0) throw sharedLine(path, users, error)
    throw new Error(reason(path, error), { cause: error })
  }
}

/** The line is, or may be, in use by other programs. `users` may be empty where only their bytes were seen. */
export function sharedLine(path: string, users: readonly string[], cause: unknown): LineTrouble {
  const programs = users.join(', ') || 'a program that looks for modems'
  const message = `${path} is used by ${programs} as well, and two programs on one line take each other's answers: stop that program, or install the udev rules of nightporter, which keep ModemManager away`
  return new LineTrouble('line-shared', message, { path, programs }, { cause })
}

/** The lock keeps out programs that lock too; ModemManager takes a line for itself alone (TIOCEXCL), which is `busy`. */
function isTaken(error: unknown): boolean {
  return error instanceof Error && /Cannot lock port|resource busy/i.test(error.message)
}

const tails = new WeakMap<Duplex, string>()
const tailLength = 64

/** Whether the last bytes on a wire contain a modem command of another program. */
export function hearsModemCommand(wire: Duplex): boolean {
  return isModemCommand(tails.get(wire) ?? '')
}

/**
 * The native code delivers bytes by a plain call, after which Node 26.4 and later run no promise until the next timer
 * or event: an answer would wait for seconds in a quiet process. An immediate is such an event. Needed until a release
 * contains https://github.com/serialport/bindings-cpp/pull/239.
 */
function wakeOn(poller: EventEmitter): void {
  for (const event of ['readable', 'writable']) poller.on(event, () => setImmediate(() => {}))
}

/** What the wire needs of an open port. */
interface Port {
  read(buffer: Buffer, offset: number, length: number): Promise<{ bytesRead: number }>
  write(buffer: Buffer): Promise<void>
  getBaudRate(): Promise<unknown>
  close(): Promise<void>
}

/**
 * The stream of the package is not used, for three reasons: destroying it leaves the port open and locked, it emits
 * `close` without being destroyed, and a write after that never ends.
 */
function serialWire(port: Port, clock: Clock, checkMs: number): Duplex {
  const buffer = Buffer.allocUnsafe(4096)
  const wire = new Duplex({
    read() {
      port.read(buffer, 0, buffer.length).then(
        ({ bytesRead }) => {
          const heard = Buffer.from(buffer.subarray(0, bytesRead))
          const tail = (tails.get(wire) ?? '') + heard.toString('latin1')
          tails.set(wire, tail.slice(-tailLength))
          wire.push(heard)
        },
        (error) => wire.destroy(error),
      )
    },
    write(chunk: Buffer, _encoding, done) {
      port.write(chunk).then(() => done(), done)
    },
    final(done) {
      done()
      wire.destroy()
    },
    destroy(error, done) {
      check.cancel()
      port.close().then(
        () => done(error),
        () => done(error),
      )
    },
  })
  // When the adapter is unplugged between two reads, the next read spins in the native code and never ends. Reading the
  // baud rate then fails, and has no effect on the line.
  const check = clock.setInterval(() => {
    port.getBaudRate().catch((error) => wire.destroy(error))
  }, checkMs)
  check.unref()
  // Without a listener, an `error` event ends the process. The line may break before its driver listens or after the
  // driver has stopped.
  wire.on('error', () => {})
  return wire
}

/** Parts of the messages of the native code, and their meaning for the installer. */
const reasons: readonly [part: string, text: string][] = [
  ['No such file', 'is not there: the device is unplugged or the path is wrong'],
  ['No such device', 'is not there: the device is unplugged or the path is wrong'],
  ['Cannot lock port', 'is in use by another program'],
  ['busy', 'is in use by another program'],
  ['Permission denied', 'cannot be opened: add the service to the group that owns it (dialout)'],
  ['Inappropriate ioctl', 'is not a serial line'],
  ['Is a directory', 'is not a serial line'],
]

function reason(path: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const known = reasons.find(([part]) => message.includes(part))
  return known ? `${path} ${known[1]}` : `${path} cannot be opened: ${message}`
}
