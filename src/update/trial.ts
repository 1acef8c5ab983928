import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { https } from '../devices/network/tls.ts'
import type { Clock } from '../host/clock.ts'
import type { Message } from '../jsonapi/locales/message.ts'
import type { KnownDevice } from './update-state.ts'

/** How long a new version has for its confirmation, from the start of the machine. */
export const trialMs = 600_000
/** A trial that failed ends so much later where a card is being made or a guest is at the kiosk; the system ends it 60 s after its time. */
export const guestMs = 30_000
const answersWithinMs = 10_000

/** What decides a trial: the box and its devices, never the internet, the PMS or a fleet manager. */
export interface TrialFacts {
  clock: Clock
  /** The address at which clients in the house reach the box, such as `https://192.168.1.20:8443`. */
  address(): string
  isOnline(deviceId: string): boolean
  isPluggedIn(usb: string): boolean
}

/**
 * Returns the conditions that the new version does not meet yet; empty when it can be confirmed. The database must be
 * open and checked, and the box must answer on the hotel's network. Every device that was online before the update must
 * be online, unless it is unplugged. The clock must be plausible.
 */
export async function missingInTrial(devices: readonly KnownDevice[], facts: TrialFacts): Promise<Message[]> {
  const unready = await readiness(facts)
  const away = devices.filter(
    ({ id, usb }) => !facts.isOnline(id) && (usb === null || facts.isPluggedIn(usb)),
  )
  return [
    ...(unready === null
      ? []
      : [{ code: 'update-trial-ready', values: { address: facts.address(), detail: unready } } as const]),
    ...away.map(({ name }) => ({ code: 'update-trial-device', values: { name } }) as const),
    ...(facts.clock.isPlausible() ? [] : [{ code: 'update-trial-clock' } as const]),
  ]
}

/** Sends the box a request as a client does. Returns null when it is ready, otherwise the reason. */
async function readiness({ clock, address }: TrialFacts): Promise<string | null> {
  try {
    const { status, text } = await ask(new URL('/readyz', address()), clock)
    return status === 200 ? null : ((JSON.parse(text) as { output?: string }).output ?? `HTTP ${status}`)
  } catch (error) {
    return (error as Error).message
  }
}

/** The certificate is not verified: the box asks itself, and an expired certificate must not fail the trial. */
function ask(url: URL, clock: Clock): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const { request } = url.protocol === 'https:' ? https() : process.getBuiltinModule('node:http')
  const options = { signal: clock.timeout(answersWithinMs), agent: false, rejectUnauthorized: false }
  const asked = request(url, options, (answer: IncomingMessage) => {
    let text = ''
    answer.setEncoding('utf8').on('data', (part: string) => {
      if (text.length < 10_000) text += part
    })
    answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text })).on('error', reject)
  })
  asked.on('error', reject).end()
  return promise
}

/**
 * Returns whether USB lists a device of this vendor and product. The kernel lists a device without a driver too, so a
 * new kernel that lacks a driver is not mistaken for an unplugged cable.
 */
export function isOnUsb(usb: string, root = '/sys/bus/usb/devices'): boolean {
  if (!existsSync(root)) return true
  const idIn = (folder: string, name: string) => {
    try {
      return readFileSync(join(root, folder, name), 'latin1').trim()
    } catch {
      return ''
    }
  }
  return readdirSync(root).some(
    (each) => `${idIn(each, 'idVendor')}:${idIn(each, 'idProduct')}`.toLowerCase() === usb.toLowerCase(),
  )
}
