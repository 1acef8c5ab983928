import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cache, inTools } from '../../image/places.ts'
import { type Answer, answered, type GetOptions, overNetwork } from './answers.ts'
import { architecture } from './built.ts'
import { commandLine, type MachineOptions } from './command-line.ts'
import { agentOf, controlOf, type Ran } from './machine-sockets.ts'
import { piCommandLine } from './pi-machine.ts'

/** A machine of QEMU that starts an image as a box does: by the firmware, and with nothing from outside the disk. */
export interface Machine {
  folder: string
  /** Seconds since power-on. */
  seconds(): number
  /** Runs a command of the shell as root. Waits for the agent first. Rejects when the command fails. */
  shell(command: string, withinMs?: number): Promise<string>
  /** As `shell`, with the exit code instead of a rejection. */
  attempt(command: string, withinMs?: number): Promise<Ran>
  /** Waits until the machine has started (again): its agent is new. */
  started(withinMs?: number): Promise<void>
  /** Requests a path of the daemon over TLS, without checking the certificate. Repeats until there is an answer. */
  get(path: string, options?: GetOptions): Promise<Answer>
  /** Requests a path of the interfaces with a token, and returns the body of the answer. Rejects unless it succeeds. */
  ask<Body>(method: string, path: string, token: string, body?: object): Promise<Body>
  /** Executes a command of QEMU's control protocol. */
  control(execute: string, input?: object): Promise<unknown>
  /** The bytes that the machine has written to its medium since power-on. */
  written(): Promise<number>
  /** What came over the serial line until now. */
  serial(): string
  /** Pulls the plug. */
  kill(): Promise<void>
}

/** Switches a machine on. Its files are kept below the cache under `name`. */
export async function machine(name: string, options: MachineOptions = {}): Promise<Machine> {
  const folder = join(cache, 'machines', name)
  mkdirSync(folder, { recursive: true })
  if (options.image) freshDisk(folder, options)
  for (const each of ['agent', 'control', 'neighbour', 'serial.log'])
    rmSync(join(folder, each), { force: true })
  const serialLog = join(folder, 'serial.log')
  const since = Date.now()
  const isPi = architecture() === 'pi'
  const [program = '', ...line] = isPi
    ? piCommandLine(folder, options)
    : inTools(['nice', '-n', '5', ...commandLine(folder, options)])
  const log = openSync(join(folder, 'qemu.log'), 'w')
  const child = spawn(program, line, { stdio: ['ignore', log, log], detached: true })
  const agent = agentOf(join(folder, 'agent'), child)
  const control = controlOf(join(folder, 'control'), child)
  const request = isPi ? agent.request : overNetwork
  const seconds = () => Math.round((Date.now() - since) / 100) / 10
  return {
    folder,
    seconds,
    started: agent.started,
    attempt: agent.run,
    async shell(command, withinMs) {
      const { code, out, err } = await agent.run(command, withinMs)
      if (code !== 0) throw new Error(`${command} ended with ${code}: ${out}${err}`)
      return out.trim()
    },
    get: (path, wanted) => answered(path, child, request, wanted),
    async ask<Body>(method: string, path: string, token: string, body?: object) {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
      const { status, text } = await request(path, 443, { method, headers, body: JSON.stringify(body) })
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
      return (text === '' ? {} : JSON.parse(text)) as Body
    },
    control,
    async written() {
      const blocks = (await control('query-blockstats')) as { device: string; stats: { wr_bytes: number } }[]
      return blocks.find(({ device }) => device === 'disk')?.stats.wr_bytes ?? 0
    },
    serial: () => (existsSync(serialLog) ? readFileSync(serialLog, 'latin1') : ''),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      process.kill(-child.pid!, 'SIGKILL')
      await ended
    },
  }
}

function freshDisk(folder: string, { image = '', size = '4G', files = {} }: MachineOptions): void {
  const disk = join(folder, 'disk.raw')
  rmSync(join(folder, 'variables.fd'), { force: true })
  execFileSync('cp', ['--sparse=always', image, disk])
  execFileSync('truncate', ['-s', size, disk])
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name)
    writeFileSync(file, content)
    // The first partition begins at 1 MiB.
    const [program = '', ...line] = inTools(['mcopy', '-o', '-i', `${disk}@@1M`, file, `::${name}`])
    execFileSync(program, line)
  }
}
