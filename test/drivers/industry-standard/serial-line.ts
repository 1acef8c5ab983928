import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LockPc } from '../../../drivers/industry-standard/simulator/lock-pc.ts'
import { systemClock } from '../../../src/host/clock.ts'
import { programMissing } from '../../programs.ts'
import { until } from '../lock-system-contract.ts'
import { type Line, tcpPort, type WireKind } from './house.ts'

export const noSocat = programMissing('socat')

/** At the other end stands another process, so that time is that of the machine. */
export const serial: WireKind = { name: 'serial', clock: systemClock, missing: noSocat, to: serialLine }

/** A pseudo-terminal that socat joins to a port; pulling it out kills socat, and the path is gone. */
async function serialLine(pc: LockPc): Promise<Line> {
  const port = await tcpPort(pc)
  const folder = mkdtempSync(join(tmpdir(), 'lock-pc-'))
  const path = join(folder, 'line')
  let socat: ChildProcess | null = null
  let pulling = Promise.resolve()
  async function plug() {
    // What is pulled out takes the path with it.
    await pulling
    if (socat) return
    const ends = [`pty,raw,echo=0,link=${path}`, `tcp:${port.path.slice('tcp://'.length)},nodelay`]
    const started = spawn('socat', ends, { stdio: 'ignore' })
    socat = started
    await until(systemClock, () => existsSync(path) || started.exitCode !== null)
  }
  function unplug() {
    pulling = pulling.then(pull)
    return pulling
  }
  async function pull() {
    const pulled = socat
    socat = null
    if (!pulled || pulled.exitCode !== null || pulled.signalCode !== null) return
    const ended = once(pulled, 'exit')
    pulled.kill('SIGKILL')
    await ended
    rmSync(path, { force: true })
  }
  await plug()
  return {
    path,
    cut: () => void unplug(),
    unplug,
    plug,
    async close() {
      await unplug()
      await port.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
