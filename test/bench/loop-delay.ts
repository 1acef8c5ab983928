import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into a program with `--import`: how late its main thread was. At each SIGUSR2 it writes the longest delay since the last
 * one, in milliseconds, to the file that `LOOP_DELAY_FILE` names.
 */
const file = process.env.LOOP_DELAY_FILE
if (isMainThread && file) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  process.on('SIGUSR2', () => {
    writeFileSync(file, String(delay.max / 1e6))
    delay.reset()
  })
}
