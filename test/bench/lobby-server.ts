import { readConfig } from '../../src/config.ts'
import { simulatedLobby } from '../../src/demo/simulated-lobby.ts'
import { systemClock } from '../../src/host/clock.ts'
import { start } from '../../src/main.ts'
import { noLimits } from '../no-limits.ts'

/** The appliance on a data folder, with simulated devices that take no time. */
const [data = ''] = process.argv.slice(2)
const entry = new URL('../../src/nightporter.js', import.meta.url)
const lobby = simulatedLobby({ clock: systemClock, pocket: null, cards: 500, takenAfterMs: 0, pace: 0 })
const appliance = await start(readConfig({ data, port: 0, logLevel: 'silent', rateLimits: noLimits }), {
  entry,
  lobby,
})
console.log(new URL(appliance.url).port)
process.once('SIGTERM', async () => {
  await appliance.close()
  process.exit(0)
})
