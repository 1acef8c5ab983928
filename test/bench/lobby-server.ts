import { readConfig } from '../../src/config.ts'
import { start } from '../../src/main.ts'
import { simulatedLobby } from '../../src/simulated-lobby.ts'
import { noLimits } from '../no-limits.ts'

/** The appliance with simulated devices of another pace: the data folder, and how much of their real time they take. */
const [data = '', pace = '0'] = process.argv.slice(2)
const entry = new URL('../../src/nightporter.ts', import.meta.url)
const lobby = simulatedLobby({ pocket: null, cards: 500, takenAfterMs: 0, pace: Number(pace) })
const appliance = await start(readConfig({ data, port: 0, logLevel: 'silent', rateLimits: noLimits }), {
  entry,
  lobby,
})
console.log(new URL(appliance.url).port)
process.once('SIGTERM', async () => {
  await appliance.close()
  process.exit(0)
})
