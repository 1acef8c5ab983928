import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Ask, askAt, monday } from '../appliance.ts'

const usual = new URL('./appliance-process.ts', import.meta.url)

/** The appliance as a process of its own, which can be killed as a power cut would, and started again on its data. */
export interface ApplianceChild {
  ask: Ask
  /** Its clock stands still from start to start, Unix milliseconds. */
  now(): number
  kill(): void
  isAlive(): boolean
  /** Resolves when it has ended. */
  ended(): Promise<void>
  /** Ends it if it still runs, and starts it again with a clock that much later. */
  reboot(laterMs?: number): Promise<void>
  stop(): Promise<void>
}

/** `program` is started with the data folder and the clock, and says its URL. */
export async function applianceChild(data: string, program = usual): Promise<ApplianceChild> {
  let now = monday
  let child: ChildProcess
  let url = ''

  async function boot(): Promise<void> {
    const started = spawn(process.execPath, [fileURLToPath(program), data, String(now)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child = started
    // It may be killed before it has said anything.
    const [line] = await Promise.race([once(started.stdout, 'data'), once(started, 'exit').then(() => [''])])
    url = String(line).trim()
  }

  async function ended(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  async function stop(): Promise<void> {
    child.kill('SIGKILL')
    await ended()
  }

  await boot()
  return {
    ask: (...asked) => askAt(url, ...asked),
    now: () => now,
    kill: () => void child.kill('SIGKILL'),
    isAlive: () => child.exitCode === null && child.signalCode === null && !child.killed,
    ended,
    async reboot(laterMs = 1_000) {
      await stop()
      now += laterMs
      await boot()
    },
    stop,
  }
}
