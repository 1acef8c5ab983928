import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Ask, askAt, monday } from '../appliance.ts'

const usual = new URL('./appliance-process.ts', import.meta.url)

/** The appliance as a process of its own, which can be killed as a power cut would, and started again on its data. */
export interface ApplianceChild {
  ask: Ask
  url(): string
  /** Its clock stands still from start to start, but for what is made to go by; Unix milliseconds. */
  now(): number
  /** Lets time go by as `LeapingClock` does, in a program that takes orders for it. Resolves when it has, or when it was killed. */
  leap(ms: number, skipMs?: number): Promise<void>
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
  /** One at a time. */
  let leaps: Promise<void> = Promise.resolve()

  async function boot(): Promise<void> {
    const started = spawn(process.execPath, [fileURLToPath(program), data, String(now)], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    child = started
    // It may be killed before it has said anything.
    const [line] = await Promise.race([once(started.stdout!, 'data'), once(started, 'exit').then(() => [''])])
    url = String(line).trim()
  }

  async function ended(): Promise<void> {
    if (isRunning()) await once(child, 'exit')
  }

  async function stop(): Promise<void> {
    child.kill('SIGKILL')
    await ended()
  }

  const isRunning = () => child.exitCode === null && child.signalCode === null

  async function leapOne(ms: number, skipMs: number): Promise<void> {
    now += skipMs + ms
    if (!isRunning()) return
    const over = new AbortController()
    const answered = Promise.race(
      ['message', 'exit'].map((event) => once(child, event, { signal: over.signal })),
    )
    // One that is killed meanwhile exits.
    child.send([ms, skipMs], () => {})
    await answered
    over.abort()
  }

  await boot()
  return {
    ask: (...asked) => askAt(url, ...asked),
    url: () => url,
    now: () => now,
    kill: () => void child.kill('SIGKILL'),
    isAlive: () => isRunning() && !child.killed,
    ended,
    leap(ms, skipMs = 0) {
      const gone = leaps.then(() => leapOne(ms, skipMs))
      leaps = gone
      return gone
    },
    async reboot(laterMs = 1_000) {
      await stop()
      now += laterMs
      await boot()
    },
    stop,
  }
}
