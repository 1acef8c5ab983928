import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Architecture } from '../../image/build.ts'
import { cache } from '../../image/places.ts'
import { ports } from './answers.ts'
import { architecture } from './built.ts'

/** What a machine is made of. */
export interface MachineOptions {
  /** The image that a fresh disk is made of. Without it, disk and firmware variables of this name are used as they are. */
  image?: string
  /** The size of that disk. */
  size?: string
  /** Megabytes of memory. */
  memory?: number
  /** Files for the first partition before the first start, such as `nightporter.txt`. */
  files?: Record<string, string>
  /** Whether a socket `neighbour` in its folder is a place in its network. */
  hasNeighbour?: boolean
  /** Further options of QEMU. */
  devices?: readonly string[]
  /** When the hardware watchdog resets a machine that hangs. An emulated one on a busy one stands still for longer than a real one may. */
  watchdogSeconds?: number
  /** Further credentials for systemd, by name: drop-ins of units. */
  credentials?: Record<string, string>
}

const unit = `[Unit]
Description=Agent of the test
DefaultDependencies=no
After=local-fs.target systemd-udevd.service
[Service]
LoadCredential=agent.mjs
ExecStart=/opt/nightporter/node \${CREDENTIALS_DIRECTORY}/agent.mjs
Restart=on-failure
RestartSec=1
`

/** What keeps systemd from taking a machine that gets little of a processor for one that hangs. */
export const patience =
  'systemd.default_device_timeout_sec=300 systemd.default_timeout_start_sec=1800 systemd.service_watchdogs=no'
const patientService = '[Service]\nTimeoutStartSec=1800\n'

/** The credentials for systemd by which the agent of the tests gets into a machine. */
export const credentialsOf = (further: Record<string, string> = {}): Record<string, string> => ({
  'systemd.extra-unit.test-agent.service': unit,
  'systemd.unit-dropin.multi-user.target': '[Unit]\nWants=test-agent.service\n',
  'systemd.unit-dropin.nightporter.service': patientService,
  'agent.mjs': readFileSync(join(import.meta.dirname, 'agent.js'), 'utf8'),
  ...further,
})

/** What differs between the machines of an architecture with UEFI. */
const kinds: Record<
  Exclude<Architecture, 'pi'>,
  { qemu: string[]; code: string; variables: string; screen: string }
> = {
  amd64: {
    qemu: ['qemu-system-x86_64', '-machine', 'q35', '-cpu', 'max'],
    code: '/usr/share/OVMF/OVMF_CODE_4M.fd',
    variables: 'usr/share/OVMF/OVMF_VARS_4M.fd',
    screen: 'virtio-vga',
  },
  arm64: {
    qemu: ['qemu-system-aarch64', '-machine', 'virt', '-cpu', 'cortex-a72'],
    code: '/usr/share/AAVMF/AAVMF_CODE.no-secboot.fd',
    variables: 'usr/share/AAVMF/AAVMF_VARS.fd',
    screen: 'virtio-gpu-pci',
  },
}

/** The command line of QEMU for a machine with its files in `folder`. */
export function commandLine(
  folder: string,
  {
    memory = 1_024,
    devices = [],
    credentials: further = {},
    watchdogSeconds = 300,
    hasNeighbour = false,
  }: MachineOptions,
): string[] {
  const { qemu, code, variables: empty, screen } = kinds[architecture() as keyof typeof kinds]
  const variables = join(folder, 'variables.fd')
  if (!existsSync(variables)) copyFileSync(join(cache, 'tools', empty), variables)
  const forwards = Object.entries(ports).map(([guest, host]) => `,hostfwd=tcp:127.0.0.1:${host}-:${guest}`)
  const smbios = Object.entries(credentialsOf(further)).flatMap(([name, text]) => {
    const file = join(folder, name)
    writeFileSync(file, `io.systemd.credential.binary:${name}=${Buffer.from(text).toString('base64')}`)
    return ['-smbios', `type=11,path=${file}`]
  })
  const socket = (id: string) => `socket,id=${id},path=${join(folder, id)},server=on,wait=off`
  return [
    ...[...qemu, '-accel', 'tcg,thread=multi', '-nodefaults', '-display', 'none'],
    ...['-m', String(memory), '-smp', '2'],
    ...['-drive', `if=pflash,format=raw,readonly=on,file=${code}`],
    ...['-drive', `if=pflash,format=raw,file=${variables}`],
    ...['-drive', `if=none,id=disk,format=raw,file=${join(folder, 'disk.raw')}`],
    ...['-device', 'virtio-blk-pci,drive=disk,bootindex=1'],
    ...['-netdev', `user,id=net${forwards.join('')}`],
    ...(hasNeighbour ? sharedNetwork(join(folder, 'neighbour')) : ['-device', card('net')]),
    ...['-device', 'virtio-rng-pci', '-device', 'i6300esb', '-action', 'watchdog=reset'],
    ...['-device', 'qemu-xhci,id=usb', '-device', `${screen},xres=1024,yres=768`],
    ...['-serial', `file:${join(folder, 'serial.log')}`],
    ...['-chardev', socket('control'), '-mon', 'chardev=control,mode=control'],
    ...['-chardev', socket('agent'), '-device', 'virtio-serial-pci'],
    ...['-device', 'virtserialport,chardev=agent,name=test.agent'],
    ...smbios,
    '-smbios',
    `type=11,value=io.systemd.stub.kernel-cmdline-extra=${patience} systemd.watchdog_sec=${watchdogSeconds}`,
    ...devices,
  ]
}

const card = (network: string) => `virtio-net-pci,netdev=${network},romfile=`

/** A hub between the network, the machine and a socket for frames. */
function sharedNetwork(path: string): string[] {
  return [
    ...['-netdev', `stream,id=neighbour,server=on,addr.type=unix,addr.path=${path}`],
    ...['-netdev', 'hubport,id=port-of-net,hubid=0,netdev=net'],
    ...['-netdev', 'hubport,id=port-of-neighbour,hubid=0,netdev=neighbour'],
    ...['-netdev', 'hubport,id=port,hubid=0', '-device', card('port')],
  ]
}
