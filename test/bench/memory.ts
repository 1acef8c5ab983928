import { existsSync } from 'node:fs'
import { appliance, programs } from './appliance.ts'
import { filledHouse, type House } from './filled-house.ts'
import { askOnce, requestText } from './load.ts'
import type { Measure } from './measure.ts'
import { type ServerProcess, serverProcess } from './server-process.ts'
import { median, short, spread } from './statistics.ts'

const requests = 20
const idleMs = 10_000
const aims = { source: 1.8, bundled: 1.3 }

/** Resident memory of an idle server, ten seconds after a few requests. */
export const memory: Measure = {
  name: 'memory',
  async run({ size }) {
    const house = await filledHouse(size)
    const bareServer = new URL('./constant-http.ts', import.meta.url)
    const found: Record<string, number[]> = { bare: [], source: [], bundled: [] }
    // One round: two differ by 1 MB.
    for (const program of ['source', 'bundled'] as const) {
      if (!existsSync(programs[program])) continue
      const servers = {
        bare: await serverProcess(bareServer),
        [program]: await appliance(house.data, { program: programs[program] }),
      }
      for (const server of Object.values(servers)) await askSome(server, house)
      await new Promise((resolve) => setTimeout(resolve, idleMs))
      for (const [name, server] of Object.entries(servers)) found[name]!.push(server.residentMb())
      for (const server of Object.values(servers)) await server.stop()
    }
    house.remove()
    return (['source', 'bundled'] as const).map((program) => {
      const measure = `resident memory, idle, ${size.toLocaleString('en')} reservations, ${program}`
      const ours = found[program]!
      if (ours.length === 0) return { measure, ours: 'left out: npm run bundle first' }
      const ratio = median(ours) / median(found.bare!)
      return {
        measure,
        ours: spread(ours, 'MB'),
        constant: spread(found.bare!, 'MB'),
        ratio: short(ratio),
        aim: `${aims[program]} x node:http`,
        met: ratio <= aims[program],
      }
    })
  },
}

async function askSome({ port }: ServerProcess, { ids, token }: House): Promise<void> {
  for (const id of ids.slice(0, requests)) {
    await askOnce(port, requestText('GET', `/api/v2/reservations/${id}`, token))
  }
}
