import { createHash } from 'node:crypto'
import {
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { dataFiles } from '../host/files/data-files.ts'
import { makeFolder, syncPath, writeDurably } from '../host/files/durable.ts'
import { makeFolders } from '../host/files/make-folders.ts'
import { requestPairing } from '../host/pairing-request.ts'
import { readKept, writeNetworkState, writeNetworkUnit } from './network/network-files.ts'
import { networkOf } from './network/network-settings.ts'
import { networkUnit } from './network/network-unit.ts'
import { type BoxSettings, readSettings, type Verdict } from './settings-file.ts'

/** The paths of the files of a box. Tests use another root. */
export interface BoxPlaces {
  /** `nightporter.txt`, which need not exist. */
  file: string
  /** The data folder of the daemon, which exists. */
  data: string
  /** The folder in which the box keeps its record of the file. */
  kept: string
  /** The root of the file system. */
  root?: string
}

/** In the folder of this name below /run: the lines for the screen. */
export const verdictsFile = '/run/nightporter-box/verdicts.json'

/** If this file exists, the unit of the firewall starts. */
const firewallMark = 'run/nightporter-box/firewall'

/** In the folder of the record: the firewall is on unless `nightporter.txt` turns it off. A box of a release before has no such file. */
const firewallByDefault = 'firewall-by-default'

const onPage: Verdict = {
  line: 0,
  text: 'network',
  isGood: true,
  says: 'was changed on the page; that counts until a line of the network is changed here',
}

const noFirewall: Verdict = {
  line: 0,
  text: 'firewall',
  isGood: true,
  says: 'is off, as before the update; firewall = yes turns it on',
}

const unreadable: Verdict = {
  line: 0,
  text: 'the partition of this file',
  isGood: false,
  says: 'cannot be read; what was read at the start before counts',
}

/**
 * Prepares a boot of the box: applies `nightporter.txt` to host name, network and the daemon's settings, and writes the
 * result of each line for the screen. The file is read at each boot and never written. If it cannot be read, its content
 * at the boot before counts, so that a damaged partition does not take the box from the network. Throws the error of the
 * file system.
 */
export function prepare({ file, data, kept, root = '/' }: BoxPlaces): { name: string; verdicts: Verdict[] } {
  const copy = join(kept, 'nightporter.txt')
  const read = contentOf(file)
  const content = read ?? contentOf(copy) ?? Buffer.alloc(0)
  const { settings, verdicts } = readSettings(content)
  if (read === null) verdicts.unshift(unreadable)
  const fromFile = networkOf(settings)
  const changed = readKept(kept, fromFile)
  const network = changed ?? fromFile
  if (changed) verdicts.push(onPage)
  const name = settings.name ?? `nightporter-${machineDigits(root)}`
  writeNetworkUnit(networkUnit(network), root)
  writeNetworkState({ settings: network, fromFile, trial: null, last: null }, root)
  write(join(root, 'proc/sys/kernel/hostname'), name)
  const isOnByDefault = existsSync(join(kept, firewallByDefault)) || beginsWithFirewall(data, kept)
  if (settings.firewall === undefined && !isOnByDefault) verdicts.push(noFirewall)
  if (settings.firewall ?? isOnByDefault) write(join(root, firewallMark), '')
  else rmSync(join(root, firewallMark), { force: true })
  write(join(root, verdictsFile), JSON.stringify(verdicts))
  keepSettings(join(data, dataFiles.settings), settings)
  if (settings.pair) pairOnce(data, join(kept, 'paired-by'), content)
  if (read !== null) keepCopy(copy, read)
  return { name, verdicts }
}

/**
 * Records at the first start of a box that its firewall is on by default, and returns whether this is one. A box that was in
 * use before this default keeps what it had: an update must not cut a connection that the hotel needs.
 */
function beginsWithFirewall(data: string, kept: string): boolean {
  if (existsSync(join(kept, 'nightporter.txt')) || existsSync(join(data, dataFiles.database))) return false
  keep(join(kept, firewallByDefault), '')
  return true
}

function keepCopy(copy: string, content: Buffer): void {
  if (!contentOf(copy)?.equals(content)) keep(copy, content)
}

/** A full disk keeps the file before, and the box starts all the same. */
function keep(file: string, content: string | Buffer): void {
  try {
    makeFolder(dirname(file))
    writeDurably(file, content)
  } catch (error) {
    console.error(`nightporter: ${file} cannot be written: ${(error as Error).message}`)
  }
}

/** Returns the content of a file, empty without one; null when the file or its partition, which is never empty, cannot be read. */
function contentOf(file: string): Buffer | null {
  try {
    if (existsSync(file)) return readFileSync(file)
    return readdirSync(dirname(file)).length > 0 ? Buffer.alloc(0) : null
  } catch {
    return null
  }
}

/** Returns four digits that distinguish the boxes of one network. They are always the same for one box. */
function machineDigits(root: string): string {
  const id = join(root, 'etc/machine-id')
  const text = existsSync(id) ? readFileSync(id, 'utf8').trim() : ''
  return createHash('sha256').update(`nightporter ${text}`).digest('hex').slice(0, 4)
}

function write(file: string, content: string): void {
  makeFolders(dirname(file))
  writeFileSync(file, content, { mode: 0o644 })
}

/**
 * Writes the daemon's settings. Unknown members stay unchanged. The port is always the port of the socket unit, even
 * after a restore from another machine. The file gets the owner of the data folder.
 */
function keepSettings(file: string, { timeZone, country }: BoxSettings): void {
  const present = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const { host: _host, port: _port, ...others } = settingsIn(present)
  const wanted = {
    ...others,
    ...(timeZone && { timeZone }),
    ...(country && { country }),
  }
  const text = `${JSON.stringify(wanted, null, 2)}\n`
  if (text === present) return
  const next = `${file}.new`
  writeFileSync(next, text, { mode: 0o600 })
  const { uid, gid } = statSync(dirname(file))
  chownSync(next, uid, gid)
  syncPath(next)
  renameSync(next, file)
  syncPath(dirname(file))
}

/** Unreadable settings are replaced, because the box has no shell to repair them. */
function settingsIn(text: string): { host?: unknown; port?: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}

/** `pair = yes` opens one pairing code for each content of the file, because the file stays on the stick. */
function pairOnce(data: string, mark: string, content: Uint8Array): void {
  const digest = createHash('sha256').update(content).digest('hex')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === digest) return
  requestPairing(data)
  const { uid, gid } = statSync(data)
  chownSync(join(data, dataFiles.pairAgain), uid, gid)
  makeFolders(dirname(mark))
  writeFileSync(mark, digest)
  syncPath(mark)
}
