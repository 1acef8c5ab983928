import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Printed {
  out: string
  errors: string
}

/** What came of commands that have ended. */
export interface Ended extends Printed {
  status: number
  /** The first command that failed, null where none did. */
  failed: string | null
}

/** Commands that are still running. */
export interface Running {
  printed(): Printed
  /** Null while it runs. */
  status(): number | null
  /** Presses Ctrl-C and waits for the end. */
  stop(): Promise<void>
}

/** The terminals of one reader: a shell that keeps its variables from block to block, and one more for each program that stays. */
export interface Terminals {
  run(commands: string): Promise<Ended>
  stay(commands: string): Promise<Running>
  close(): Promise<void>
}

/** A reader waits no longer for a command. */
const longestMs = 120_000

export function terminals(folder: string, notes: string, env: NodeJS.ProcessEnv): Terminals {
  const shell = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    env,
    stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
    detached: true,
  })
  const staying: ChildProcess[] = []
  let count = 0
  let heard = ''
  let wake = () => {}
  shell.stdio[3]!.on('data', (chunk: Buffer) => {
    heard += chunk.toString()
    wake()
  })
  shell.on('exit', () => wake())
  shell.stdin!.write('set -E -o pipefail\n')

  /** Types a line and waits until the shell says `word` and a number. */
  async function said(line: string, word: string): Promise<number> {
    shell.stdin!.write(`${line}\n`)
    const pattern = new RegExp(`^${word} (\\d+)$`, 'm')
    const end = AbortSignal.timeout(longestMs)
    while (!pattern.test(heard)) {
      if (end.aborted || shell.exitCode !== null)
        throw new Error(
          shell.exitCode === null ? `it did not end within ${longestMs / 1_000} s` : 'it ended the shell',
        )
      await new Promise<void>((resolve) => {
        wake = resolve
        end.addEventListener('abort', () => resolve(), { once: true })
      })
    }
    return Number(pattern.exec(heard)![1])
  }

  return {
    async run(commands) {
      const file = join(notes, `${++count}`)
      writeFileSync(`${file}.sh`, commands)
      const trap = `trap '[ -e ${file}.failed ] || printf "%s" "$BASH_COMMAND" > ${file}.failed' ERR`
      const source = `source ${file}.sh > ${file}.out 2> ${file}.err < /dev/null`
      let status: number
      try {
        status = await said(`${trap}; ${source}; echo "ended-${count} $?" >&3; trap - ERR`, `ended-${count}`)
      } catch (error) {
        const { out, errors } = printedIn(file)
        throw new Error(`${(error as Error).message}. It printed:\n${out}${errors}`)
      }
      return { status, failed: readIfThere(`${file}.failed`), ...printedIn(file) }
    },

    async stay(commands) {
      const file = join(notes, `${++count}`)
      writeFileSync(`${file}.sh`, commands)
      await said(`declare -p > ${file}.variables; echo "declared-${count} 0" >&3`, `declared-${count}`)
      const outputs = [openSync(`${file}.out`, 'w'), openSync(`${file}.err`, 'w')] as const
      const child = spawn('bash', ['-c', `source ${file}.variables 2> /dev/null; source ${file}.sh`], {
        cwd: folder,
        env,
        stdio: ['ignore', ...outputs],
        detached: true,
      })
      for (const each of outputs) closeSync(each)
      staying.push(child)
      return {
        printed: () => printedIn(file),
        status: () => child.exitCode,
        stop: () => ended(child, 'SIGINT'),
      }
    },

    async close() {
      await Promise.all([...staying, shell].map((each) => ended(each, 'SIGTERM')))
    },
  }
}

/** It and all that it started get the signal, and are ended where that does not end them. */
async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const over = new Promise<void>((resolve) => (isOver() ? resolve() : child.on('exit', () => resolve())))
  send(child, signal)
  const impatient = setTimeout(() => send(child, 'SIGKILL'), 10_000)
  await over
  clearTimeout(impatient)
  send(child, 'SIGKILL')
}

function send({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid!, signal)
  } catch {
    // Nobody of it is left.
  }
}

function printedIn(file: string): Printed {
  return { out: readIfThere(`${file}.out`) ?? '', errors: readIfThere(`${file}.err`) ?? '' }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
