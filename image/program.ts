import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Processor } from './addon.ts'
import { bundle } from './bundle.ts'
import { cache, runInTools, source } from './places.ts'

/** The packages that stay beside the bundle: those with native code, and one that is loaded when it is needed. */
const beside = ['better-sqlite3', 'serialport', 'node-hid', 'libphonenumber-js']

interface Manifest {
  version: string
  license?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** An npm package of the program. */
export interface NpmPackage {
  name: string
  version: string
  license: string
  /** Its folder. */
  folder: string
}

/**
 * Puts the program with Node and its native packages into `folder`, as the unit expects it below `/opt/nightporter`. Packages
 * are those of `package-lock.json` as their makers compiled them, except the database, which is compiled as a box needs it.
 */
export async function makeProgram(
  folder: string,
  processor: Processor,
  options: { epoch: number; version: string },
) {
  const packages = packagesFor(processor)
  const program = join(folder, 'opt/nightporter')
  mkdirSync(program, { recursive: true })
  await bundle(program, new Date(options.epoch * 1_000), options.version)
  cpSync(join(packages, `node-linux-${processor}/bin/node`), join(program, 'node'))
  chmodSync(join(program, 'node'), 0o755)
  writeFileSync(join(program, 'package.json'), '{"type":"module"}\n')
  for (const { name, folder: from } of closureOf(beside, packages))
    cpSync(from, join(program, 'node_modules', name), { recursive: true })
  keepOnlyWhatRuns(join(program, 'node_modules'), processor)
  const database = join(program, `node_modules/better-sqlite3/prebuilds/linux-${processor}.node`)
  cpSync(compiledDatabase(processor, packages), database)
  writeFileSync(
    join(folder, 'opt/nightporter/nightporter'),
    '#!/bin/sh\nexec /opt/nightporter/node /opt/nightporter/nightporter.js "$@"\n',
    { mode: 0o755 },
  )
}

/** The addon of better-sqlite3, compiled once for each version of it by Debian's compiler. */
function compiledDatabase(processor: Processor, packages: string): string {
  const { version } = manifestIn(join(packages, 'better-sqlite3'))
  const script = readFileSync(join(source, 'image/addon.ts'))
  const digest = createHash('sha256').update(version).update(script).digest('hex').slice(0, 16)
  const file = join(cache, `better-sqlite3-${processor}-${digest}.node`)
  const command = [join(source, 'node_modules/.bin/node'), join(source, 'image/addon.ts'), processor, file]
  if (!existsSync(file)) runInTools(command)
  return file
}

/** The production packages of the lock file for a processor, downloaded once for each lock file. */
function packagesFor(processor: Processor): string {
  const folder = join(cache, `npm-${processor}`)
  const lock = readFileSync(join(source, 'package-lock.json'))
  const kept = join(folder, 'package-lock.json')
  if (!existsSync(join(folder, '.complete')) || !readFileSync(kept).equals(lock)) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(source, name), join(folder, name))
    const options = [
      '--omit=dev',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `--cpu=${processor}`,
      '--os=linux',
    ]
    execFileSync('npm', ['ci', ...options, '--libc=glibc'], { cwd: folder, stdio: 'inherit' })
    writeFileSync(join(folder, '.complete'), '')
  }
  return join(folder, 'node_modules')
}

/** The named packages and all they depend on, by name. */
export function closureOf(names: readonly string[], packages: string): NpmPackage[] {
  const found = new Map<string, NpmPackage>()
  const add = (name: string) => {
    const folder = join(packages, name)
    if (found.has(name) || !existsSync(folder)) return
    const { version, license = '', dependencies = {} } = manifestIn(folder)
    found.set(name, { name, version, license, folder })
    for (const each of Object.keys(dependencies)) add(each)
  }
  for (const name of names) add(name)
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** All npm packages of the product for a processor: those in the bundle, those beside it, and Node. */
export function npmPackages(processor: Processor): NpmPackage[] {
  const { dependencies = {} } = manifestIn(source)
  return closureOf([...Object.keys(dependencies), `node-linux-${processor}`], packagesFor(processor))
}

/** Removes sources, descriptions and the builds for other machines: most of the size of native packages. */
function keepOnlyWhatRuns(packages: string, processor: Processor): void {
  const remove = (pattern: string, isKept: (path: string) => boolean = () => false) => {
    for (const path of globSync(pattern, { cwd: packages }))
      if (!isKept(path)) rmSync(join(packages, path), { recursive: true, force: true })
  }
  remove('better-sqlite3/prebuilds/*', (path) => path.endsWith(`/linux-${processor}.node`))
  remove('@serialport/bindings-cpp/prebuilds/*', (path) => path.endsWith(`/linux-${processor}`))
  remove('@serialport/bindings-cpp/prebuilds/*/*musl*')
  remove('node-hid/prebuilds/*', (path) => new RegExp(`/HID(_hidraw)?-linux-${processor}$`).test(path))
  for (const name of [
    'better-sqlite3/deps',
    'better-sqlite3/src',
    '@serialport/bindings-cpp/src',
    'node-addon-api',
  ])
    remove(name)
  remove('node-hid/{hidapi,src}')
  remove('**/*.{md,map,ts,gyp}')
  remove('**/.*')
  for (const path of globSync('**/', { cwd: packages }).sort().reverse())
    if (readdirSync(join(packages, path)).length === 0) rmSync(join(packages, path), { recursive: true })
  if (globSync('better-sqlite3/prebuilds/*', { cwd: packages }).length !== 1)
    throw new Error(`better-sqlite3 has no build for linux-${processor} in ${dirname(packages)}.`)
}
