import type { Clock } from '../host/clock.ts'
import { version } from '../version.ts'
import { type BoxState, beatMs, type RestoreWork, writePairingCode, writeState } from './state.ts'

interface ReportOptions {
  clock: Clock
  /** The folder that systemd made for the service; without it nothing is written. */
  folder: string | undefined
  host: string
  port: number
  isSecured: boolean
  failed(error: Error): void
}

/** Reports the daemon's state to the other programs of the box. */
export interface Report {
  is(phase: BoxState['phase'], message?: string): void
  /** Makes the pairing-code file follow this function from now on. */
  pairingCode(current: () => string | null): void
  /** Makes the state file follow these functions from now on, at each beat. */
  restore(current: () => RestoreWork | null): void
  trouble(current: () => string | null): void
  close(): void
}

/** Starts the report with the phase `starting`. A write error is ignored. */
export function report({ clock, folder, host, port, isSecured, failed }: ReportOptions): Report {
  const about = { version, host, port, isSecured }
  let now: Pick<BoxState, 'phase' | 'since' | 'message'> = {
    phase: 'starting',
    since: clock.now(),
    message: '',
  }
  let code: () => string | null = () => null
  let restore: () => RestoreWork | null = () => null
  let trouble: () => string | null = () => null
  let hasFailed = false
  function write(): void {
    if (folder === undefined) return
    try {
      writeState(folder, { ...about, ...now, trouble: trouble(), restore: restore() })
      writePairingCode(folder, code())
      hasFailed = false
    } catch (error) {
      if (!hasFailed) failed(error as Error)
      hasFailed = true
    }
  }
  const beating = folder === undefined ? null : clock.setInterval(write, beatMs)
  beating?.unref()
  write()
  return {
    is(phase, message = '') {
      now = { phase, since: phase === now.phase ? now.since : clock.now(), message }
      write()
    },
    pairingCode(current) {
      code = current
      write()
    },
    restore(current) {
      restore = current
      write()
    },
    trouble(current) {
      trouble = current
      write()
    },
    close() {
      beating?.cancel()
      code = () => null
      write()
    },
  }
}
