import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { UpdateRefused } from './update-refused.ts'

/** The slots of the box, as RAUC reports them. */
export interface Slots {
  /** The name of the running slot for the boot loader, such as `A`. */
  booted: string
  /** The slot of the next boot. It differs from `booted` after an installation and during a trial. */
  primary: string
  /** The last word of RAUC's `compatible`, such as `amd64`. */
  architecture: string
}

interface Installing {
  signal: AbortSignal
  progress(percent: number): void
}

/** RAUC on this box. Its service does the work, so an installation continues when this program ends. */
export interface Rauc {
  /**
   * Resolves with the slots; null when the box does not run an image. Rejects with UpdateRefused, and with the signal's
   * reason when the signal is aborted.
   */
  slots(signal?: AbortSignal): Promise<Slots | null>
  /**
   * Writes a bundle to the inactive slot, and makes the next boot a trial of that slot. Resolves with false while RAUC
   * is busy with an earlier installation. Rejects with UpdateRefused, and with the signal's reason when the signal is
   * aborted.
   */
  install(file: string, how: Installing): Promise<boolean>
  /** Makes the next boot a trial of the slot that does not run, again. Rejects with UpdateRefused. */
  arm(): Promise<void>
  /** Makes the running slot the slot of every boot. Rejects with UpdateRefused. */
  markGood(): Promise<void>
  /** Rejects with UpdateRefused. */
  markBad(): Promise<void>
}

/** The deadline of a status request. RAUC asks its service and the boot loader. */
const answersWithinMs = 60_000
/** The deadline of an installation: writing a slot on a slow card. */
const installsWithinMs = 3_600_000

const run = promisify(execFile)
const slow = { timeout: answersWithinMs, killSignal: 'SIGKILL' } as const

/**
 * Returns RAUC, called by its command line. `configuration` is a file that only an image has: a machine without it may
 * have the program `rauc` to build bundles.
 */
export function rauc(program = 'rauc', configuration = '/etc/rauc/system.conf'): Rauc {
  async function mark(how: 'good' | 'bad' | 'active', slot: 'booted' | 'other'): Promise<void> {
    try {
      await run(program, ['status', `mark-${how}`, slot], slow)
    } catch (error) {
      throw refused((error as Error & { stderr?: string }).stderr ?? '', error)
    }
  }

  return {
    async slots(signal) {
      if (!existsSync(configuration)) return null
      try {
        return slotsIn((await run(program, ['status', '--output-format=json'], { ...slow, signal })).stdout)
      } catch (error) {
        signal?.throwIfAborted()
        throw refused((error as Error & { stderr?: string }).stderr ?? '', error)
      }
    },
    install: (file, how) => install(program, file, how),
    arm: () => mark('active', 'other'),
    markGood: () => mark('good', 'booted'),
    markBad: () => mark('bad', 'booted'),
  }
}

interface Status {
  compatible?: string
  boot_primary?: string | null
  slots?: Record<string, { bootname?: string | null; state?: string }>[]
}

/** `booted` of the status may be a path, so the slot is found by its state. */
function slotsIn(text: string): Slots | null {
  const status = JSON.parse(text) as Status
  const slots = Object.assign({}, ...(status.slots ?? [])) as NonNullable<Status['slots']>[number]
  const booted = Object.values(slots).find(({ state, bootname }) => state === 'booted' && bootname)?.bootname
  const primary = status.boot_primary ? slots[status.boot_primary]?.bootname : null
  if (!booted) return null
  const architecture = (status.compatible ?? '').split('-').at(-1) ?? ''
  return { booted, primary: primary ?? booted, architecture }
}

/** Each line of RAUC's progress begins with a percentage; the last one names the error. */
function install(program: string, file: string, { signal, progress }: Installing): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  const child = spawn(program, ['install', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: installsWithinMs,
    killSignal: 'SIGKILL',
    signal,
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', (line) => {
      const [, percent] = /^\s*(\d{1,3})%/.exec(line) ?? []
      if (percent !== undefined) progress(Number(percent))
      else if (line.trim() !== '') said.push(line)
      if (said.length > 50) said.shift()
    })
  child.on('error', (error) => reject(signal.aborted ? signal.reason : refused('', error)))
  child.on('close', (code) => {
    const output = said.join('\n')
    if (code === 0) resolve(true)
    else if (/already processing|service is busy/i.test(output)) resolve(false)
    else reject(refused(output, null))
  })
  return promise
}

/**
 * Returns the sentence for an error of RAUC. A wrong signature and a wrong architecture have sentences of their own.
 */
function refused(output: string, cause: unknown): UpdateRefused {
  const lines = output.trim().split('\n').filter(Boolean)
  const last = /LastError: (.*)/.exec(output)?.[1] ?? lines.at(-1)
  const detail = (last ?? (cause as Error | null)?.message ?? 'no answer').slice(0, 500)
  const code = /signature|certificate/i.test(output)
    ? ('update-bad-bundle' as const)
    : /[Cc]ompatible (string )?mismatch|not compatible/.test(output)
      ? ('update-wrong-architecture' as const)
      : ('update-rauc-failed' as const)
  return new UpdateRefused({ code, values: { detail } }, { cause })
}
