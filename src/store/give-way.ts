import { constants, setPriority } from 'node:os'

/**
 * Lowers the priority of the calling thread. On Linux each thread has its own priority, so on a box with one
 * core the threads that answer and write run first.
 */
export function giveWay(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}
