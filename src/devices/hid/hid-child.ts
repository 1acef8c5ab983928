import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Clock } from '../../host/clock.ts'
import { ModuleMissing } from '../native-modules.ts'
import type { HidReply, HidRequest } from './hid-requests.ts'

/**
 * The process of one HID device, as the appliance sees it. It ends when the appliance ends, however that happens, and
 * does not keep the appliance running.
 */
export type HidChild = Awaited<ReturnType<typeof startHidChild>>

type Result = string | Uint8Array | null

const most = 8
/** Leaves room for a transfer under way, which the library limits to 1 s. */
const closesWithinMs = 2_000
const diesWithinMs = 1_000

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts a program that answers requests (`answerRequests`). Rejects with an Error when the limit of processes is
 * reached, or when the system starts no more; `name` begins the text of every Error about the process.
 */
export async function startHidChild(program: URL, name: string, clock: Clock) {
  const child = await started(program, name)
  const ended = new AbortController()
  let pending: PromiseWithResolvers<Result> | null = null

  function end(why: Error): void {
    if (ended.signal.aborted) return
    ended.abort(why)
    settle()?.reject(why)
  }

  /** An idle device does not keep the appliance running. */
  function settle(): typeof pending {
    const settled = pending
    pending = null
    child.unref()
    child.channel?.unref()
    return settled
  }

  /** Kills the process at once, for this reason. */
  function kill(why: Error): void {
    end(why)
    child.kill('SIGKILL')
  }

  child.on('error', kill)
  child.on('message', (reply: HidReply) => {
    if ('error' in reply) settle()?.reject(errorOf(reply))
    else settle()?.resolve(reply.result)
  })
  const gone = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      running.delete(child)
      end(new Error(`${name}: its process has ended by itself (${signal ?? `exit code ${code}`})`))
      resolve()
    })
  })
  settle()

  return {
    /**
     * Aborted with an Error when the process ends, is killed or is released. The abort comes before a pending request
     * rejects.
     */
    ended: ended.signal,
    kill,
    /**
     * Sends one request at a time. Rejects with an Error: the device's message, or the reason why the process has ended.
     * A process that does not answer within `withinMs` is killed, whatever it is doing.
     */
    async ask(request: HidRequest, withinMs: number): Promise<Result> {
      ended.signal.throwIfAborted()
      const asked = Promise.withResolvers<Result>()
      pending = asked
      child.ref()
      child.channel?.ref()
      const late = `${name}: its process did not answer within ${withinMs} ms and was ended`
      const tooLong = clock.setTimeout(() => kill(new Error(late)), withinMs)
      const unasked = (why: Error) => kill(new Error(`${name}: its process cannot be asked: ${why.message}`))
      child.send(request, (error) => void (error && unasked(error)))
      return asked.promise.finally(() => tooLong.cancel())
    },
    /** Resolves when the process has released its device and has ended, or cannot even be killed. Never rejects. */
    close(): Promise<void> {
      end(new Error(`${name} was closed`))
      return leave(child, gone, clock)
    },
  }
}

/** Resolves when the process has released its device and has ended, or cannot even be killed. */
async function leave(child: ChildProcess, gone: Promise<void>, clock: Clock): Promise<void> {
  if (child.connected) child.disconnect()
  await Promise.race([gone, clock.sleep(closesWithinMs, { ref: false })])
  child.kill('SIGKILL')
  await Promise.race([gone, clock.sleep(diesWithinMs, { ref: false })])
}

function errorOf({ error, isModuleMissing }: Extract<HidReply, { error: string }>): Error {
  return isModuleMissing ? new ModuleMissing(error) : new Error(error)
}

/**
 * Starts the program without access to the appliance: no environment variables, no working folder, no open file except
 * stderr.
 */
async function started(program: URL, name: string): Promise<ChildProcess> {
  if (running.size >= most) {
    throw new Error(`${name} cannot be opened: ${most} devices are open or are not let go`)
  }
  const child = fork(program, [], {
    serialization: 'advanced',
    env: {},
    cwd: '/',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Ctrl-C must reach only the appliance, which first finishes the card under way.
    detached: true,
  })
  running.add(child)
  try {
    await once(child, 'spawn')
    return child
  } catch (error) {
    running.delete(child)
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`${name} cannot be opened: no process can be started for it: ${why}`, { cause: error })
  }
}
