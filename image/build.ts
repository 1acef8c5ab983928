/**
 * Builds the image of a box: `npm run image -- amd64|arm64|pi [--version 1.2.3] [--incremental] [--output FOLDER]`. Needs root, a
 * Linux with mmdebstrap, and Debian's and npm's registries. Times and identifiers follow from the commit.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { version as present } from '../src/version.ts'
import type { Processor } from './addon.ts'
import { makeBundle } from './bundle-for-update.ts'
import { describeImage } from './describe.ts'
import { type SigningKeys, signingKeys } from './keys.ts'
import { lacking } from './lacking.ts'
import { addPiFiles, fillBoot } from './pi/boot.ts'
import { cache, efiPrograms, emulateArm64, makeTools, runInTools, source } from './places.ts'
import { makeProgram } from './program.ts'

/** The architectures of images: those of Debian for boards with UEFI, and the Raspberry Pi. */
export type Architecture = 'amd64' | 'arm64' | 'pi'

interface Board {
  processor: Processor
  mkosi: string
  /** The addon of systemd's boot loader; without it, the firmware is that of the Raspberry Pi. */
  stub?: string
}

const names: Record<Architecture, Board> = {
  amd64: { processor: 'x64', mkosi: 'x86-64', stub: 'addonx64.efi.stub' },
  arm64: { processor: 'arm64', mkosi: 'arm64', stub: 'addonaa64.efi.stub' },
  pi: { processor: 'arm64', mkosi: 'arm64' },
}

/** Whether there are images for an architecture. */
export const isArchitecture = (name: string): name is Architecture => Object.hasOwn(names, name)

export interface BuildOptions {
  version?: string
  /** Keeps the installed packages between builds: faster, for development and tests. */
  incremental?: boolean
  output?: string
  /** Changes the configuration of mkosi and its `tree` before the image is made: versions that fail, for tests. */
  spoil?(configuration: string): void
}

/** Builds an image with its bundle and descriptions, and returns the folder with them. */
export async function buildImage(
  architecture: Architecture,
  { version = present, incremental = false, output = join(cache, 'images'), spoil }: BuildOptions = {},
): Promise<string> {
  const { processor, mkosi, stub } = names[architecture]
  makeTools()
  if (processor === 'arm64') emulateArm64()
  const keys = signingKeys()
  const epoch = Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: source, encoding: 'utf8' }))
  const name = `nightporter-${version}-${architecture}`
  // Of this process: two builds do not disturb each other.
  const work = mkdtempSync(`${folder('work')}/${name}-`)

  const configuration = join(work, 'mkosi')
  cpSync(join(source, 'image/mkosi'), configuration, { recursive: true })
  const tree = join(configuration, 'tree')
  await makeProgram(tree, processor, { epoch, version })
  addSystemFiles(tree, architecture, keys)
  const pi = stub === undefined ? addPiFiles(tree, work) : null
  if (stub !== undefined) addSlots(tree, join(efiPrograms(architecture), stub), epoch)
  spoil?.(configuration)
  withoutGroupRights(configuration)

  const made = join(work, 'made')
  const kept = incremental
    ? ['--incremental=yes', `--cache-directory=${folder(pi ? 'layers-pi' : 'layers')}`]
    : []
  const line = [
    'mkosi',
    `--architecture=${mkosi}`,
    `--profile=${pi ? 'pi' : 'uefi'}`,
    `--image-version=${version}`,
    '--extra-tree=tree',
    `--output-directory=${made}`,
    `--package-cache-directory=${folder('packages')}`,
    `--workspace-directory=${folder('workspace')}`,
    ...kept,
  ]
  runInTools([...line, '--force', 'build'], { in: configuration, epoch })

  const results = join(output, name)
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })
  const found = (ending: string) => join(made, `nightporter_${version}${ending}`)
  const boot = pi && fillBoot({ files: pi, line, configuration, found, work, epoch })
  execFileSync('cp', ['--sparse=always', found('.raw'), join(results, `${name}.raw`)])
  makeBundle({ architecture, version, keys, found, boot, work, to: join(results, `${name}.raucb`), epoch })
  await describeImage({ name, architecture, processor, version, keys, made, results, epoch, pi })
  rmSync(work, { recursive: true })
  return results
}

function folder(name: string): string {
  const path = join(cache, name)
  mkdirSync(path, { recursive: true })
  return path
}

/** The service with what belongs beside it, and what RAUC needs to know. */
function addSystemFiles(tree: string, architecture: Architecture, { root, folder }: SigningKeys): void {
  const put = (from: string, to: string) => cpSync(join(source, from), join(tree, to))
  for (const file of globSync('systemd/*.{service,socket}', { cwd: source }).sort())
    put(file, file.replace('systemd/', 'usr/lib/systemd/system/'))
  put('systemd/60-nightporter.rules', 'usr/lib/udev/rules.d/60-nightporter.rules')
  put('systemd/nightporter-modules.conf', 'usr/lib/modules-load.d/nightporter.conf')
  // The same number in all versions: the data partition keeps it.
  const users = readFileSync(join(source, 'systemd/nightporter-users.conf'), 'utf8').replace(
    /^u nightporter -/m,
    'u nightporter 760',
  )
  mkdirSync(join(tree, 'usr/lib/sysusers.d'), { recursive: true })
  writeFileSync(join(tree, 'usr/lib/sysusers.d/nightporter.conf'), users)
  // Where a USB stick is mounted, read-only and for backups.
  for (const mount of ['nightporter', 'stick']) mkdirSync(join(tree, 'media', mount), { recursive: true })
  put('LICENSE', 'opt/nightporter/LICENSE')
  const configuration = readFileSync(join(source, 'image/rauc/system.conf'), 'utf8')
  mkdirSync(join(tree, 'etc/rauc'), { recursive: true })
  const further = architecture === 'pi' ? readFileSync(join(source, 'image/rauc/pi.conf'), 'utf8') : ''
  const settingsOfRauc = `${configuration.replace('ARCHITECTURE', architecture)}${further}`
  writeFileSync(join(tree, 'etc/rauc/system.conf'), settingsOfRauc)
  cpSync(root, join(tree, 'etc/rauc/keyring.pem'))
  const channel = join(folder, 'update.json')
  const updates: object = existsSync(channel) ? JSON.parse(readFileSync(channel, 'utf8')) : {}
  const settings = { folder: '/media/nightporter', ...updates }
  writeFileSync(join(tree, 'opt/nightporter/update.json'), `${JSON.stringify(settings)}\n`)
}

/**
 * What tells a slot its partitions lies beside the kernel of the slot in the EFI partition. It is made once, so that one kernel
 * file serves both slots.
 */
function addSlots(tree: string, stub: string, epoch: number): void {
  for (const slot of ['a', 'b']) {
    const beside = join(tree, `efi/EFI/Linux/nightporter-${slot}.efi.extra.d`)
    mkdirSync(beside, { recursive: true })
    const label = `PARTLABEL=root-${slot}`
    const line = `systemd.verity_root_data=${label} systemd.verity_root_hash=${label}-verity rauc.slot=${slot.toUpperCase()}`
    const command = ['ukify', 'build', `--stub=${stub}`, `--cmdline=${line}`]
    runInTools([...command, `--output=${join(beside, 'slot.addon.efi')}`], { epoch, quiet: true })
  }
}

/** A checkout may give its group rights, depending on who made it. */
function withoutGroupRights(configuration: string): void {
  for (const path of globSync('**', { cwd: configuration, withFileTypes: true })) {
    if (path.isSymbolicLink()) continue
    const file = join(path.parentPath, path.name)
    chmodSync(file, statSync(file).mode & 0o755)
  }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      version: { type: 'string' },
      incremental: { type: 'boolean' },
      output: { type: 'string' },
    },
  })
  const [architecture = ''] = positionals
  if (!isArchitecture(architecture)) {
    console.error(
      `npm run image -- ARCHITECTURE: expected ${Object.keys(names).join(' or ')}, not "${architecture}".`,
    )
    process.exit(2)
  }
  const missing = lacking()
  if (missing.length > 0) {
    console.error(
      `This machine cannot build an image. It lacks: ${missing.join(', ')}. An image is built by root on a Linux with these programs and Debian's packages.`,
    )
    process.exit(69)
  }
  console.log(await buildImage(architecture, values))
}
