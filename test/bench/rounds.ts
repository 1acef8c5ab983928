import { type Drive, drive, type Load } from './load.ts'
import type { ServerProcess } from './server-process.ts'

export interface Window extends Load {
  /** Microseconds of CPU of the server, all threads, for each request. */
  cpu: number
}

/** One window of load on one server. */
export async function windowOn(server: ServerProcess, how: Omit<Drive, 'port'>): Promise<Window> {
  const before = server.cpuMs()
  const load = await drive({ ...how, port: server.port })
  return { ...load, cpu: ((server.cpuMs() - before) * 1000) / load.requests }
}

/** One window of reads whose CPU is measured: the client has a core of its own, and an answer need not wake it. */
export function readsOn(server: ServerProcess, how: Omit<Drive, 'port' | 'isAwake'>): Promise<Window> {
  return windowOn(server, { ...how, isAwake: true })
}

/** Runs the contenders in turn, round after round: what else the machine does strikes all of them alike. */
export async function alternate<Name extends string, Result>(
  rounds: number,
  contenders: Record<Name, () => Promise<Result>>,
): Promise<Record<Name, Result[]>> {
  const results = {} as Record<Name, Result[]>
  const names = Object.keys(contenders) as Name[]
  for (const name of names) results[name] = []
  // The first round warms the servers up, and is not counted.
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const result = await contenders[name]()
      if (round > 0) results[name].push(result)
    }
  }
  return results
}
