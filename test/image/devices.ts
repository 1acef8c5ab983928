import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { source } from '../../image/places.ts'
import { freePort } from './free-port.ts'

/** Ports of the host at which the simulated devices answer. QEMU connects them to USB serial adapters of the machine. */
const ports = { dispenser: await freePort(), encoder: await freePort() }
type Name = keyof typeof ports

/** What QEMU plugs in. */
export const adapter = (name: Name) => ({
  ...{ driver: 'usb-serial', bus: 'usb.0', chardev: name, id: name, serial: name.toUpperCase() },
})

/** The path of the serial line of a device in the machine. */
export const lineOf = (name: Name) =>
  `/dev/serial/by-id/usb-QEMU_QEMU_USB_SERIAL_${name.toUpperCase()}-if00-port0`

/**
 * Starts a dispenser and an encoder that share their cards, which guests take into the folder `pocket`. `options` are those of
 * the machine.
 */
export async function lobbyDevices(pocket: string): Promise<{ options: string[]; simulator: ChildProcess }> {
  rmSync(pocket, { recursive: true, force: true })
  mkdirSync(pocket, { recursive: true })
  const guest = ['--pace', '0.2', '--taken-after', '500', '--pocket', pocket]
  const simulator = await simulated(['k720', 'twn4'], Object.values(ports), guest)
  const options = Object.entries(ports).flatMap(([name, port]) => [
    ...['-chardev', `socket,id=${name},host=127.0.0.1,port=${port},reconnect-ms=500`],
    ...['-device', JSON.stringify(adapter(name as Name))],
  ])
  return { options, simulator }
}

/** Starts `nightporter simulate`, and waits until the devices answer at their ports of the host. */
export async function simulated(models: string[], at: number[], how: string[] = []): Promise<ChildProcess> {
  const where = at.flatMap((port) => ['--on', `tcp:${port}`])
  const program = [join(source, 'src/nightporter.js'), 'simulate', ...models, ...where, ...how]
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] })
  let ready = 0
  for await (const line of createInterface(child.stdout)) {
    if (line.includes(' is at ')) ready++
    if (ready === at.length) return child
  }
  throw new Error(`nightporter simulate ${models.join(' ')} has ended.`)
}
