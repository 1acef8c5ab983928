import { readdir } from 'node:fs/promises'
import type { Clock } from '../../host/clock.ts'
import type { Family } from './open-metrics.ts'

/** Returns the metrics of the process, by the names that clients of Prometheus give them in every language. */
export async function processMetrics(clock: Pick<Clock, 'monotonic'>, startedAt: number): Promise<Family[]> {
  const [lag, files] = await Promise.all([lagOf(clock), openFiles()])
  const { user, system } = process.cpuUsage()
  const gauge = (name: string, help: string, value: number | null, unit?: Family['unit']): Family => ({
    name,
    type: 'gauge',
    ...(unit && { unit }),
    help,
    samples: value === null ? [] : [{ value }],
  })
  return [
    {
      name: 'process_cpu_seconds',
      type: 'counter',
      unit: 'seconds',
      help: 'Time of the processor that the program has used',
      samples: [{ value: (user + system) / 1_000_000 }],
    },
    gauge('process_resident_memory_bytes', 'Memory of the program', process.memoryUsage.rss(), 'bytes'),
    gauge('process_start_time_seconds', 'When the program started', startedAt / 1_000, 'seconds'),
    gauge('process_open_fds', 'Open files and connections', files),
    gauge(
      'nodejs_eventloop_lag_seconds',
      'How late the event loop is at this moment',
      lag / 1_000,
      'seconds',
    ),
  ]
}

/** The milliseconds until the event loop comes to new work. A timer that measures all the time would wake an idle box. */
async function lagOf({ monotonic }: Pick<Clock, 'monotonic'>): Promise<number> {
  const began = monotonic()
  await new Promise((resolve) => setImmediate(resolve))
  return monotonic() - began
}

/** Linux only; null elsewhere. */
async function openFiles(): Promise<number | null> {
  const files = await readdir('/proc/self/fd').catch(() => null)
  // The folder that was read is one of them.
  return files && files.length - 1
}
