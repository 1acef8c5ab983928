import { createInterface } from 'node:readline'
import { type SimulatedDevice, simulatedDevices, simulatedModels } from '../../demo/simulated-devices.ts'
import { systemClock } from '../../host/clock.ts'
import { type MisbehaviourKind, misbehaviourKinds } from '../../simulators/devices/misbehaviour.ts'
import { CommandFailed } from '../exit-codes.ts'
import { stopSignal } from '../stop-signal.ts'
import { type OpenWire, openLine, openPort } from './simulated-wire.ts'

/** The options of `nightporter simulate`. */
export interface SimulateOptions {
  /** The wire of each device, in the order of the devices. */
  on?: string[]
  cards: number
  cardKind: NonNullable<Parameters<typeof simulatedDevices>[1]['technology']>
  seed?: string
  takenAfter: number | 'never'
  pace: number
  pocket?: string
  misbehave?: string[]
  /** Only for a simulated PMS. */
  clerk: number
  reservations: number
  unitTypes: string
}

/** Simulates the devices until SIGTERM or SIGINT. Prints one line per device with its path for the appliance. */
export async function simulate(models: string[], options: SimulateOptions): Promise<void> {
  const pms = models.find((model) => ['pms', 'mews', 'opera'].includes(model))
  if (pms) {
    if (models.length > 1) throw new CommandFailed('usage', 'A PMS is simulated alone, without devices.')
    if (pms === 'pms') return (await import('./simulate-pms.ts')).simulatePms(options)
    if (pms === 'opera') return (await import('./simulate-opera.ts')).simulateOpera(options)
    return (await import('./simulate-mews.ts')).simulateMews(options)
  }
  const { cards, cardKind: technology, seed = null, takenAfter, pace, pocket = null, on = [] } = options
  expectPlaced(models, on)
  const takenAfterMs = takenAfter === 'never' ? null : takenAfter
  const devices = simulatedDevices(models, {
    cards,
    technology,
    seed,
    takenAfterMs,
    pace,
    pocket,
    clock: systemClock,
  })
  for (const text of options.misbehave ?? []) tell(devices, text)
  const wires: OpenWire[] = []
  try {
    for (const [index, model] of models.entries()) {
      const wire = await opened(on[index]!, devices[index]!)
      wires.push(wire)
      console.log(`${model} is at ${wire.path}`)
    }
    const deaf = listen(devices)
    await stopSignal()
    deaf()
  } finally {
    for (const wire of wires) wire.close()
  }
}

/** Sends each line of standard input to the first device that has a simulated person. */
function listen(devices: SimulatedDevice[]): () => void {
  const act = devices.find((device) => device.act)?.act
  if (!act) return () => {}
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => void act(line).then(console.log, ({ message }) => console.error(message)))
  return () => lines.close()
}

/** Throws unless every device is known and has one `--on`. */
function expectPlaced(models: string[], on: string[]): void {
  const strange = models.find((model) => !simulatedModels.includes(model))
  if (models.length > 0 && strange === undefined && on.length === models.length) return
  const devices = [...simulatedModels, 'pms', 'mews', 'opera'].join(', ')
  const detail =
    models.length === 0 || strange !== undefined
      ? `Expected a model, not ${strange ?? 'nothing'}. Models: ${devices}.`
      : `Expected one --on WHERE for each device: ${models.length}, not ${on.length}.`
  throw new CommandFailed('usage', detail)
}

function opened(where: string, device: SimulatedDevice): Promise<OpenWire> {
  const play = device.play
  const [, host = '127.0.0.1', port] = /^tcp:(?:([^:\s]+):)?(\d{1,5})$/.exec(where) ?? []
  if (port !== undefined && Number(port) <= 65_535) return openPort(host, Number(port), play)
  const [, path] = /^pty(?::(.+))?$/.exec(where) ?? []
  if (where.startsWith('pty') && (path !== undefined || where === 'pty')) return openLine(path, play)
  throw new CommandFailed('usage', `Expected tcp:PORT, tcp:HOST:PORT, pty or pty:PATH, not ${where}.`)
}

const deeds = Object.keys(misbehaviourKinds) as MisbehaviourKind[]

/** Parses `DEVICE:COMMAND=DOES[:CODE]`. Without DEVICE, the fault goes to the first device with this command. */
function tell(devices: SimulatedDevice[], text: string): void {
  const [, model, at = '', does = '', code] =
    /^(?:([^:=]+):)?([^:=]+)=([a-z]+)(?::(-?\w+))?$/.exec(text) ?? []
  const known = deeds.find((deed) => deed === does)
  if (!known) {
    throw new CommandFailed(
      'usage',
      `--misbehave: expected COMMAND=DOES, DOES being ${deeds.join(', ')}; not ${text}.`,
    )
  }
  const named = devices.filter((device) => model === undefined || device.model === model)
  const device = named.find(({ commands }) => at === '*' || commands.includes(at))
  if (!device) {
    const commands = named.flatMap((each) => each.commands).join(', ') || 'none'
    throw new CommandFailed(
      'usage',
      `--misbehave: no simulated device has the command ${at}. Commands: ${commands}.`,
    )
  }
  device.misbehaviours.push({ at, does: known, ...(code !== undefined && { code }) })
}
