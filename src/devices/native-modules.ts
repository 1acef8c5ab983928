import { closeSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

/** A package that is installed beside the bundle. Most have native code for one platform. */
interface Needed {
  name: string
  /** The packages that it loads, each a dependency of the one before. */
  loads: readonly string[]
  /** The package with the native code; null without native code. */
  addonIn: string | null
  /** The function that is missing without the package. */
  loss: string
}

const needed: readonly Needed[] = [
  {
    name: 'better-sqlite3',
    loads: [],
    addonIn: 'better-sqlite3',
    loss: 'The database cannot be opened, so nightporter does not work.',
  },
  {
    name: 'serialport',
    loads: ['@serialport/bindings-cpp', 'node-gyp-build'],
    addonIn: '@serialport/bindings-cpp',
    loss: 'Devices on a serial line or a USB serial adapter do not work.',
  },
  {
    name: 'node-hid',
    loads: ['pkg-prebuilds'],
    addonIn: 'node-hid',
    loss: 'Encoders on USB HID do not work.',
  },
  {
    name: 'libphonenumber-js',
    loads: [],
    addonIn: null,
    loss: 'Profiles with a phone number cannot be written.',
  },
]

const platform = `${process.platform}-${process.arch}`

const reinstall = `Install all files of the release for ${platform} and Node ${process.versions.node.split('.')[0]} again; in a checkout run "npm ci".`

/** A module cannot be loaded. The message says which, what does not work without it, and what to do. */
export class ModuleMissing extends Error {
  override name = 'ModuleMissing'
}

function sentences({ name, loss }: Pick<Needed, 'name' | 'loss'>, why: string): string {
  return [`The module ${name} ${why}.`, loss, reinstall].filter(Boolean).join(' ')
}

/**
 * Returns a sentence for each module that is missing, or that has no native code for this platform. Nothing is loaded:
 * loading takes time that a start does not have, and can block on a broken USB device.
 */
export function missingModules(beside: string = import.meta.url): string[] {
  return needed.flatMap((each) => {
    const why = problemOf(each, beside)
    return why === null ? [] : [sentences(each, why)]
  })
}

/** Converts an error of loading a module to ModuleMissing. Returns null for any other error. */
export function moduleMissing(error: unknown): ModuleMissing | null {
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException
  const isOfLoading =
    ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED'].includes(code) ||
    /No native build was found|Failed to find binding/.test(message)
  if (!isOfLoading) return null
  const [firstLine = ''] = message.split('\n')
  const isNamed = (name: string) => message.includes(`'${name}`) || message.includes(`node_modules/${name}/`)
  const known = needed.find(({ name, addonIn }) => isNamed(name) || (addonIn !== null && isNamed(addonIn)))
  const [, name = 'of the program'] = /'([^']+)'/.exec(firstLine) ?? []
  const sentence = sentences(known ?? { name, loss: '' }, `cannot be loaded (${firstLine})`)
  return new ModuleMissing(sentence, { cause: error })
}

function problemOf({ name, loads, addonIn }: Needed, beside: string): string | null {
  let from = beside
  for (const each of [name, ...loads]) {
    const manifest = manifestOf(each, from)
    if (manifest === null && each === name) return 'is missing beside the program, in the folder node_modules'
    if (manifest === null) return `needs the module ${each}, which is missing in the folder node_modules`
    if (each === addonIn && !hasAddon(dirname(manifest))) return `has no native code for ${platform}`
    from = manifest
  }
  return null
}

function manifestOf(name: string, beside: string): string | null {
  try {
    const manifest = findPackageJSON(name, beside)
    // The dependencies of a linked package lie beside the package itself.
    return manifest === undefined ? null : realpathSync(manifest)
  } catch {
    return null
  }
}

/** The machine in the header of an ELF file, by the name that Node has for it. */
const elfMachines: Partial<Record<string, number>> = { arm: 40, x64: 62, arm64: 183 }

/** Whether a package has native code for this machine. True on systems whose file format is not known here. */
function hasAddon(folder: string): boolean {
  const machine = process.platform === 'linux' ? elfMachines[process.arch] : undefined
  if (machine === undefined) return true
  // The name of a prebuilt file, or of its folder, has the platform: there are others for Android, with the same machine.
  const built = addonsIn(join(folder, 'build'))
  const prebuilt = addonsIn(join(folder, 'prebuilds')).filter((name) => name.includes('linux'))
  return (
    built.some((name) => machineOf(join(folder, 'build', name)) === machine) ||
    prebuilt.some((name) => machineOf(join(folder, 'prebuilds', name)) === machine)
  )
}

function addonsIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.node'))
  } catch {
    return []
  }
}

/** Returns the machine of an ELF file; null for any other file. */
function machineOf(path: string): number | null {
  const header = Buffer.alloc(20)
  try {
    const file = openSync(path, 'r')
    try {
      readSync(file, header, 0, header.length, 0)
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
  return header.subarray(0, 4).equals(elf) ? header.readUInt16LE(18) : null
}

const elf = Buffer.from([0x7f, 0x45, 0x4c, 0x46])
