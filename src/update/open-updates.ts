import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { uptime } from 'node:os'
import { join } from 'node:path'
import type { Access } from '../access/access.ts'
import type { DeviceHealth } from '../access/controllers/device-health.ts'
import { allOf } from '../access/lookups.ts'
import { accessController } from '../access/resources/access-controller.ts'
import { dispenser } from '../access/resources/dispenser.ts'
import type { Backups } from '../backup/backups.ts'
import { pluggedIn as listPluggedIn, type PluggedIn } from '../devices/wires/plugged-in.ts'
import { deviceAt, type PortMemory } from '../devices/wires/usb-ports.ts'
import type { BackgroundWork } from '../host/background-work.ts'
import type { Clock } from '../host/clock.ts'
import { dataFiles } from '../host/files/data-files.ts'
import type { Log } from '../host/log.ts'
import { urlWithHost } from '../host/machine/reachable.ts'
import { cachedSettings, zoneOf } from '../reservation/resources/house.ts'
import { bootloaderRefusal } from './bootloader.ts'
import type { Bustle } from './quiet.ts'
import { type Rauc, rauc as raucProgram } from './rauc.ts'
import { isOnUsb } from './trial.ts'
import type { Machine } from './update-box.ts'
import { defaultUpdateSettings, settingsOfRelease, type UpdateSettings } from './update-settings.ts'
import { type KnownDevice, updateFiles } from './update-state.ts'
import { Updates } from './updates.ts'

/** The operating system below the program. Tests replace it. */
export interface Ground {
  rauc: Rauc
  machine: Machine
  pluggedIn(): Promise<PluggedIn[]>
  isOnUsb(usb: string): boolean
}

const ownGround: Ground = {
  rauc: raucProgram(),
  machine: { bootId: () => bootId(), uptimeMs: () => uptime() * 1_000, refusal: () => bootloaderRefusal() },
  pluggedIn: () => listPluggedIn(),
  isOnUsb: (usb) => isOnUsb(usb),
}

interface Options {
  data: string
  /** The settings of the installation. They override those that the release brings. */
  update: Partial<UpdateSettings>
  /** The program, beside which a release has its own settings. */
  entry: URL
  version: string
  clock: Clock
  access: Access
  /** Where the devices of this machine were. */
  ports: Omit<PortMemory, 'set'>
  health(): DeviceHealth[]
  backups: Backups
  kiosk: { at: Bustle['kioskAt'] }
  /** Returns the current addresses of this machine. */
  network(): { addresses: readonly string[] }
  log: Log
  background: BackgroundWork
  failed(error: unknown): void
  ground?: Partial<Ground> | undefined
}

/** Opens the updates of a property. */
export function openUpdates(options: Options) {
  const { access, clock, health, version, data, background, failed, log, backups, network, kiosk } = options
  const { rauc, machine, pluggedIn, isOnUsb: isPluggedIn } = { ...ownGround, ...options.ground }
  const settings = { ...defaultUpdateSettings, ...settingsOfRelease(options.entry), ...options.update }
  /** Where the server listens. */
  let url = ''
  const own = new Updates({
    files: updateFiles(join(data, dataFiles.updates)),
    settings,
    version,
    clock,
    zone: () => zoneOf(access.reader),
    boxId: () => cachedSettings(access.reader)!.id,
    rauc,
    machine,
    freeBytes: async () => {
      const { bavail, bsize } = await statfs(data)
      return bavail * bsize
    },
    backups,
    bustle: { cards: () => health().reduce((sum, { waiting }) => sum + waiting, 0), kioskAt: kiosk.at },
    devices: () => onlineDevices(access, pluggedIn, options.ports),
    trial: {
      clock,
      address: () => urlWithHost(url, network().addresses[0] ?? '127.0.0.1'),
      isOnline: (id) => isOnline(access, id),
      isPluggedIn,
    },
    writer: access.writer,
    log,
    background,
    failed,
  })
  return Object.assign(own, {
    settings,
    writer: access.writer,
    clock,
    /** Sets the address at which the server listens. Must be called before `begin`. */
    listening(at: string): void {
      url = at
    },
  })
}

/** The updates of a property, and the dependencies of their routes. */
export type OpenUpdates = ReturnType<typeof openUpdates>

/**
 * The id of this boot of the machine, as the kernel writes it. The service cannot read /proc/sys, so its unit passes
 * the id, without dashes.
 */
export function bootId(environment: Record<string, string | undefined> = process.env): string {
  const plain = /^(\w{8})(\w{4})(\w{4})(\w{4})(\w{12})$/.exec(environment.NIGHTPORTER_BOOT_ID ?? '')
  if (plain) return plain.slice(1).join('-')
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
}

function bayOf({ devices }: Access, id: string) {
  return (devices.dispenserAt(id) ?? devices.encoderAt(id))?.bay
}

function isOnline(access: Access, id: string): boolean {
  return bayOf(access, id)?.state() === 'online'
}

async function onlineDevices(
  access: Access,
  pluggedIn: () => Promise<PluggedIn[]>,
  ports: Options['ports'],
): Promise<KnownDevice[]> {
  const rows = [...allOf(access, dispenser), ...allOf(access, accessController)]
  const plugged = await pluggedIn()
  const online = rows.filter(({ id }) => isOnline(access, id))
  return Promise.all(
    online.map(async ({ id, name, device }) => {
      const found = await deviceAt(device?.path ?? '', plugged, ports)
      return { id, name, usb: found?.usb ? `${found.usb.vendorId}:${found.usb.productId}` : null }
    }),
  )
}
