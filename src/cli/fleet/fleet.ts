import { randomUUID } from 'node:crypto'
import { systemClock } from '../../host/clock.ts'
import { type FleetBox, readFleet } from '../../pms/adapters/cloudevents/mqtt/fleet.ts'
import { LineLost } from '../../pms/adapters/cloudevents/mqtt/reasons.ts'
import { type MqttSettings, mqttSettings } from '../../pms/adapters/cloudevents/mqtt/settings.ts'
import { checkSettings } from '../../pms/adapters/cloudevents/settings.ts'
import { Problem } from '../../resource/problem.ts'
import { CommandFailed, exits } from '../exit-codes.ts'
import { jsonIn } from '../json-file.ts'
import { fleetPage, fleetTable, isBad, type Names } from './fleet-report.ts'

export interface FleetOptions {
  credentials?: string
  connection?: string
  names?: string
  html?: boolean
  json?: boolean
}

const timeoutMs = 10_000

/** Prints the boxes at a broker, and sets the exit code: 1 when one is offline or fails. */
export async function printFleet(broker: string, options: FleetOptions): Promise<void> {
  const names = jsonIn(options.names) as Names
  const { topicPrefix, ...connection } = jsonIn(options.connection) as { topicPrefix?: string }
  const settings = settingsFor({ broker, ...connection }, jsonIn(options.credentials))
  const boxes = await read(settings, topicPrefix)
  const now = new Date(systemClock.now()).toISOString()
  if (options.json) console.log(JSON.stringify(boxes, null, 2))
  else console.log(options.html ? fleetPage(boxes, names, now) : fleetTable(boxes, names))
  if (boxes.some(isBad)) process.exitCode = exits.refused[0]
}

function settingsFor(connection: object, credentials: Record<string, unknown>): MqttSettings {
  const settings = { connection: { ...connection }, credentials }
  try {
    checkSettings({ transport: 'mqtt', ...settings })
  } catch (error) {
    if (error instanceof Problem) throw new CommandFailed('usage', error.message, { cause: error })
    throw error
  }
  const id = randomUUID()
  return mqttSettings({
    ...settings,
    configurationId: id,
    heartbeatSeconds: 60,
    timeoutMs,
    source: () => `urn:property:fleet-${id}`,
    epoch: () => 0,
    clock: systemClock,
  })
}

async function read(settings: MqttSettings, prefix: string | undefined): Promise<FleetBox[]> {
  try {
    return await readFleet(settings, { prefix, clock: systemClock })
  } catch (error) {
    if (!(error instanceof LineLost)) throw error
    throw new CommandFailed('unreachable', `${settings.url.host} cannot be used: ${error.message}.`, {
      cause: error,
    })
  }
}
