import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  createReadStream,
  globSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Processor } from './addon.ts'
import type { SigningKeys } from './keys.ts'
import type { PiFiles } from './pi/boot.ts'
import { runInTools, source } from './places.ts'
import { npmPackages } from './program.ts'
import { type Part, sbomOf } from './sbom.ts'

interface Described {
  name: string
  architecture: string
  processor: Processor
  version: string
  keys: SigningKeys
  /** The folder with what mkosi made. */
  made: string
  /** The folder with image and bundle, to which the descriptions are added. */
  results: string
  /** Unix seconds. */
  epoch: number
  /** What is in the image and not installed by mkosi; null on boards with UEFI. */
  pi: PiFiles | null
}

interface MkosiManifest {
  packages: { type: string; name: string; version: string; architecture: string }[]
}

/** Writes what is in an image beside it: manifest, list of parts, licences, and checksums of all files. */
export async function describeImage(options: Described): Promise<void> {
  const { name, architecture, processor, version, keys, made, results, epoch, pi } = options
  const npm = npmPackages(processor)
  const manifests = globSync('*.manifest', { cwd: made }).sort()
  const packages = manifests.flatMap((file) => {
    const { packages } = JSON.parse(readFileSync(join(made, file), 'utf8')) as MkosiManifest
    return packages.map(
      ({ name, version, architecture }): Part => ({ from: 'deb', name, version, license: '', architecture }),
    )
  })
  const parts = [
    ...npm.map((each): Part => ({ from: 'npm', ...each })),
    ...unique([...packages, ...(pi?.parts ?? [])]),
  ]
  const write = (ending: string, text: string) => writeFileSync(join(results, `${name}.${ending}`), text)
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  write('cdx.json', json(sbomOf({ name: 'nightporter', version, architecture, madeAt: epoch, parts })))
  write('licences.txt', licencesOf(npm, made, version, pi))
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: source, encoding: 'utf8' }).trim()
  const files: Record<string, { bytes: number; sha256: string }> = {}
  for (const file of readdirSync(results).sort())
    files[file] = { bytes: statSync(join(results, file)).size, sha256: await digestOf(join(results, file)) }
  const builtAt = new Date(epoch * 1_000).toISOString()
  const signedBy = keys.isForTests ? 'keys for tests' : 'keys of the release'
  write(
    'manifest.json',
    json({ name: 'nightporter', version, architecture, commit, builtAt, signedBy, files, parts }),
  )
  const manifest = `${name}.manifest.json`
  const sums = Object.entries(files).map(([file, { sha256 }]) => [file, sha256])
  sums.push([manifest, await digestOf(join(results, manifest))])
  const lines = sums.sort().map(([file, sha256]) => `${sha256}  ${file}\n`)
  writeFileSync(join(results, 'SHA256SUMS'), lines.join(''))
}

/** Packages that are both in the system and in what starts it are listed once. */
function unique(parts: readonly Part[]): Part[] {
  const byName = new Map(parts.map((part) => [`${part.name} ${part.version}`, part]))
  return [...byName.keys()].sort().map((key) => byName.get(key)!)
}

/** The texts of all licences: of the product, of npm packages, and of Debian's packages as they are in the image. */
function licencesOf(
  npm: readonly { name: string; version: string; folder: string }[],
  made: string,
  version: string,
  pi: PiFiles | null,
) {
  const text = (title: string, file: string) =>
    `${'='.repeat(80)}\n${title}\n\n${readFileSync(file, 'utf8').trim()}\n\n`
  const ofNpm = npm.flatMap(({ name, version, folder }) =>
    globSync('{LICEN[CS]E,COPYING,NOTICE}*', { cwd: folder })
      .sort()
      .map((file) => text(`${name} ${version}: ${file}`, join(folder, file))),
  )
  const root = join(made, 'unpacked')
  runInTools(['fsck.erofs', `--extract=${root}`, join(made, `nightporter_${version}.root.raw`)], {
    quiet: true,
  })
  const ofDebian = globSync('usr/share/doc/*/copyright', { cwd: root })
    .sort()
    .map((file) => text(`Debian: ${file.split('/')[3]}`, join(root, file)))
  rmSync(root, { recursive: true })
  if (pi) ofDebian.push(text('Debian: raspi-firmware', pi.copyright))
  return [text('nightporter', join(source, 'LICENSE')), ...ofNpm, ...ofDebian].join('')
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
