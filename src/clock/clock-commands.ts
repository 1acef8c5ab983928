import type { MachineStart } from '../host/confirmed-start.ts'
import type { Judgement } from '../host/judged-clock.ts'
import { command, type Transaction } from '../resource/command.ts'

/** The counter with the time at which a time server was last heard, Unix milliseconds. */
export const synchronisedAt = 'clock/synchronised'

/**
 * The command that stores when a time server was heard. After the next start, the current time is at least
 * this.
 */
export const keepSynchronised = command('clock/synchronised', (tx, { at }: { at: number }): null => {
  tx.forget(synchronisedAt, synchronisedAt)
  tx.add(synchronisedAt, at)
  return null
})

/** The name of the counter with the time at which the machine was started, by a clock that was confirmed in this start. */
export const confirmedBoot = (id: string) => `clock/confirmed/${id}`

/** The command that stores that the clock is confirmed, for the next start of the program in the same start of the machine. */
export const keepConfirmed = command('clock/confirmed', (tx, confirmed: MachineStart): null => {
  keep(tx, confirmed)
  return null
})

function keep(tx: Transaction, confirmed: MachineStart | null): void {
  tx.forget(confirmedBoot(''), confirmedBoot('~'))
  if (confirmed) tx.add(confirmedBoot(confirmed.id), confirmed.bootedAt)
}

/** Times in Unix milliseconds. */
interface ClockJudged {
  judgement: Judgement
  machine: number
  floor: number
}

/** The command that records that the clock is in doubt, or plausible again. */
export const noteJudged = command('clock/judged', (tx, { judgement, machine, floor }: ClockJudged): null => {
  if (judgement === 'plausible') tx.journal('system.clock-plausible', 'system')
  else journal(tx, 'system.clock-implausible', { judgement, machineTime: machine, knownTime: floor })
  return null
})

interface ClockStated {
  time: number
  machine: number
  floor: number
  /** The start of the machine, if the stated time confirms the clock. Another time withdraws an earlier confirmation. */
  confirmed: MachineStart | null
}

/** The command that records that a person has stated or confirmed date and time. */
export const noteStated = command(
  'clock/stated',
  (tx, { time, machine, floor, confirmed }: ClockStated): null => {
    keep(tx, confirmed)
    journal(tx, 'system.clock-stated', { time, machineTime: machine, knownTime: floor })
    return null
  },
)

function journal(tx: Transaction, type: string, data: Record<string, string | number>): void {
  const readable = Object.entries(data).map(([name, value]) => [
    name,
    typeof value === 'number' ? new Date(value).toISOString() : value,
  ])
  tx.journal(type, 'system', Object.fromEntries(readable))
}

export const clockCommands = [keepSynchronised, keepConfirmed, noteJudged, noteStated]
