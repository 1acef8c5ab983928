import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export interface ServerProcess {
  pid: number
  port: number
  /** Milliseconds of CPU used so far, in user and kernel, by all threads. */
  cpuMs(): number
  /** Resident memory, megabytes of 1,000,000 bytes. */
  residentMb(): number
  stop(): Promise<void>
}

const millisecondsATick = 10

/** Starts a server of its own in a child process; the program ends its first line with its port. */
export async function serverProcess(
  program: URL,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  nodeOptions: readonly string[] = [],
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...nodeOptions, program.pathname, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  return processOf(child, await portSaidBy(child))
}

/** A server in a child process that listens on this port. */
export function processOf(child: ChildProcess, port: number): ServerProcess {
  const pid = child.pid!
  return {
    pid,
    port,
    cpuMs: () => cpuMsOf(pid),
    residentMb: () => (residentKib(pid) * 1024) / 1e6,
    stop: () => ended(child),
  }
}

function portSaidBy(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', (line) => resolve(Number(/\d+$/.exec(line)?.[0])))
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it listened`)))
  })
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

function cpuMsOf(pid: number): number {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name stands in brackets and may hold anything; what follows it is numbers.
  const numbers = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return (Number(numbers[11]) + Number(numbers[12])) * millisecondsATick
}

function residentKib(pid: number): number {
  const [, value] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  if (value === undefined) throw new Error(`/proc/${pid}/status has no VmRSS`)
  return Number(value)
}
