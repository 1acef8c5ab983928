import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { SecureContextOptions } from 'node:tls'
import { readCertificates } from '../certificate/certificate-file.ts'
import { certificateState, type ServedCertificates } from '../certificate/certificate-state.ts'
import { openCertificates, temporaryPair } from '../certificate/certificates.ts'
import { inGroups } from '../certificate/fingerprint.ts'
import { type MachineNames, machineNames } from '../certificate/machine-names.ts'
import { reachedAt } from '../certificate/reached-at.ts'
import type { Config } from '../config.ts'
import { tls } from '../devices/network/tls.ts'
import type { BackgroundWork } from '../host/background-work.ts'
import type { Clock } from '../host/clock.ts'
import { dataFiles } from '../host/files/data-files.ts'
import type { Log } from '../host/log.ts'
import { leftOutText } from '../host/machine/reachable.ts'
import { openVault, type Vault } from '../host/vault.ts'
import { isSecured } from './listen.ts'
import { followFiles, secured, securedBy } from './tls-files.ts'

interface Options {
  vault: Vault
  clock: Clock
  network(): MachineNames
  log: Log
  background: BackgroundWork
  failed(error: unknown): void
}

/**
 * Opens what the server shows its clients: the files of the settings; without them the box's own certificates when other
 * machines can reach it; otherwise nothing.
 */
export async function servedCertificates(
  config: Config,
  options: Options,
): Promise<ServedCertificates & { listening(port: number): void }> {
  const { data, tls: files } = config
  const own = isSecured(config) && !files ? await openCertificates({ data, ...options }) : null
  let listensAt: number | null = null
  return {
    own,
    files: () => files && readFileSync(files.cert, 'utf8'),
    reach() {
      const { addresses, interfaces = {}, leftOut = [] } = options.network()
      const offered = isSecured(config) ? addresses : []
      const reachable = offered.map((address) => ({ address, interface: interfaces[address] ?? '' }))
      return { reachable, leftOut, port: listensAt }
    },
    listening(port) {
      listensAt = port
    },
  }
}

/** Returns the TLS settings for the server; null when it uses no TLS. Throws ConfigRefused for a key that others may read. */
export function secureContext({ tls }: Config, { own }: ServedCertificates): SecureContextOptions | null {
  if (tls) return secured(tls)
  return own && securedBy(own.inUse())
}

/** Lets the server use each renewed certificate, until the returned function is called. Open connections continue. */
export function followCertificates(
  server: Server,
  { tls: files }: Config,
  { own }: ServedCertificates,
  { background, log }: Pick<Options, 'background' | 'log'>,
): () => void {
  const refused = (err: unknown) =>
    log.error({ err }, 'the renewed certificate cannot be used; the previous certificate stays in use')
  if (files) return followFiles(server, files, { background, refused })
  own?.follow((pair) => {
    if (server instanceof tls().Server) server.setSecureContext(securedBy(pair))
  })
  return () => own?.close()
}

/**
 * Returns the TLS settings for a page that is shown while the data folder cannot be used: with the certificate that is
 * kept in it, or, where that cannot be read, with one for this page alone.
 */
export async function secureContextOfPage(
  config: Config,
  clock: Pick<Clock, 'now'>,
): Promise<SecureContextOptions | null> {
  if (!isSecured(config)) return null
  if (config.tls) return secured(config.tls)
  const kept = keptIn(config.data)
  return securedBy(
    kept ? (kept.uploaded ?? kept.own) : await temporaryPair(clock, () => machineNames(config.host)),
  )
}

function keptIn(data: string) {
  try {
    return readCertificates(data, openVault(`${data}/${dataFiles.key}`))
  } catch {
    // The reason why the folder cannot be used is what the page tells.
    return null
  }
}

/**
 * Returns the lines for the console about where other machines reach the box, the addresses that are left out with the reason,
 * and how those machines come to trust it. Empty for a server of this machine alone.
 */
export function trustNotes(served: ServedCertificates): string[] {
  const { own } = served
  if (certificateState(served).source === 'none') return []
  const { urls, leftOut } = reachedAt(served)
  const [first] = urls
  const notes = [
    first
      ? `Other devices reach it at ${urls.join(', ')}`
      : 'Other devices are offered no address: this machine has none in a private network at which the server listens.',
    ...leftOut.map((each) => `Not offered: ${leftOutText(each)}`),
  ]
  if (!own || own.kept().uploaded) return notes
  const { fingerprint256 } = new X509Certificate(own.kept().authority.certificate)
  const page = `${first ?? `https://localhost:${served.reach().port}`}/trust`
  return [
    ...notes,
    `The box is its own certificate authority. ${page} explains how other machines come to trust it. Its fingerprint (SHA-256):`,
    ...inGroups(fingerprint256)
      .split('\n')
      .map((line) => `  ${line}`),
  ]
}
