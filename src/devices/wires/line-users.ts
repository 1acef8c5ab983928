import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** The folders in which the kernel and systemd list processes, services and devices. */
interface Roots {
  proc: string
  run: string
}

/** Most processes of a box are fewer. The rest is not read, so that a look ends soon. */
const mostProcesses = 2_000
const mostFiles = 1_000

/** Services that open serial lines without being asked, and the line that a service names itself. */
const services: readonly [unit: RegExp, name: string][] = [
  [/^ModemManager\.service$/, 'ModemManager'],
  [/^brltty(-.*|@.*)?\.service$/, 'brltty'],
  [/^gpsd\.service$/, 'gpsd'],
]

/**
 * Returns the other programs that have a serial line open, such as `ModemManager (process 512)`. Where the processes of
 * others are hidden, as they are from the service, returns instead the running services that are known to open serial lines
 * of others. Empty for another address and when none is found. Reads only; never rejects.
 */
export async function lineUsers(
  path: string,
  roots: Roots = { proc: '/proc', run: '/run' },
): Promise<string[]> {
  const node = path.startsWith('/') ? await realpath(path).catch(() => null) : null
  if (node === null) return []
  const users = await holders(node, roots.proc)
  return users.length > 0 ? users : suspects(node, roots.run)
}

async function holders(node: string, proc: string): Promise<string[]> {
  const processes = (await namesIn(proc)).filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
  const found: string[] = []
  for (const id of processes.slice(0, mostProcesses)) {
    if (!(await hasOpen(join(proc, id, 'fd'), node))) continue
    const name = await textIn(join(proc, id, 'comm'))
    found.push(`${name || 'a program'} (process ${id})`)
  }
  return found
}

async function hasOpen(folder: string, node: string): Promise<boolean> {
  for (const file of (await namesIn(folder)).slice(0, mostFiles))
    if ((await readlink(join(folder, file)).catch(() => null)) === node) return true
  return false
}

async function suspects(node: string, run: string): Promise<string[]> {
  const prefix = 'invocation:'
  const names = await namesIn(join(run, 'systemd/units'))
  const running = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  const isIgnored = await modemManagerIgnores(node, run)
  const known = services.filter(
    ([unit, name]) => !(name === 'ModemManager' && isIgnored) && running.some((each) => unit.test(each)),
  )
  const login = `serial-getty@${basename(node)}.service`
  return [...known.map(([, name]) => name), ...(running.includes(login) ? [login] : [])]
}

/** Whether a udev rule, such as ours, keeps ModemManager from the line. */
async function modemManagerIgnores(node: string, run: string): Promise<boolean> {
  const rdev = await stat(node).then(
    (found) => found.rdev,
    () => 0,
  )
  // Linux: the major number in bits 8 to 19, the minor number in the others.
  const [major, minor] = [(rdev >> 8) & 0xfff, (rdev & 0xff) | ((rdev >> 12) & 0xfff00)]
  const known = await textIn(join(run, `udev/data/c${major}:${minor}`))
  return /^E:ID_MM_(DEVICE|PORT)_IGNORE=1$/m.test(known)
}

async function textIn(path: string): Promise<string> {
  return (await readFile(path, 'utf8').catch(() => '')).trim()
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
