import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, systemClock } from '../clock.ts'
import { makeFolders } from '../files/make-folders.ts'
import { endpointsIn, endpointsTo } from './endpoints.ts'
import { firewallPlaces } from './places.ts'
import { isOpenFor } from './rules.ts'

const pauseMs = 100
/** How long a slow box needs to make and load its rules. */
const longestMs = 60_000

interface Options {
  /** The folder that systemd made for the daemon. */
  runtime?: string | undefined
  clock?: Pick<Clock, 'monotonic' | 'sleep'>
  signal?: AbortSignal
}

/** Requests that root makes the rules of the firewall again. Does nothing where none is on. Throws the error of the file system. */
export function requestRules(runtime = process.env.RUNTIME_DIRECTORY): void {
  const places = firewallPlaces(runtime)
  if (places && places !== 'off') writeFileSync(places.wanted, '')
}

/** Closes what `expectOutgoing` has opened. Throws the error of the file system. */
export function forgetOutgoing(runtime = process.env.RUNTIME_DIRECTORY): void {
  const places = firewallPlaces(runtime)
  if (places && places !== 'off') rmSync(places.also, { recursive: true, force: true })
}

/**
 * Resolves when the firewall of the box lets a connection out: for a part that connects before the configuration names the
 * endpoint, such as a restore on a box without an owner, or soon after. The endpoint stays open until the daemon starts
 * again. `to` is a URL, or a host with a port. Resolves at once where no firewall is on, and after a minute when root did not load
 * the rules: the connection itself then says what is wrong. Rejects with the error of the file system, and with the signal's
 * reason.
 */
export async function expectOutgoing(
  to: string | { host: string; port: number },
  { runtime = process.env.RUNTIME_DIRECTORY, clock = systemClock, signal }: Options = {},
): Promise<void> {
  const places = firewallPlaces(runtime)
  if (places === null || places === 'off') return
  const [endpoint] = typeof to === 'string' ? endpointsIn(to) : endpointsTo(to.host, to.port)
  const isOpen = () => endpoint === undefined || isOpenFor(endpoint, textOf(places.rules))
  if (!endpoint || isOpen()) return
  const text = JSON.stringify({ host: endpoint.host, port: endpoint.port })
  makeFolders(places.also)
  writeFileSync(join(places.also, createHash('sha256').update(text).digest('hex')), text)
  writeFileSync(places.wanted, '')
  const until = clock.monotonic() + longestMs
  while (!isOpen() && clock.monotonic() < until) await clock.sleep(pauseMs, signal ? { signal } : {})
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
