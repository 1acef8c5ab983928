import { constants, setPriority } from 'node:os'

/** On Linux each thread has a priority of its own: where there is one core for all, those who answer and write go before the one that calls this. */
export function giveWay(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}
