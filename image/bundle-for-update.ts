import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SigningKeys } from './keys.ts'
import { runInTools, source } from './places.ts'

interface BundleOptions {
  architecture: string
  version: string
  keys: SigningKeys
  /** Returns the path of a file of the build, by the ending of its name. */
  found(ending: string): string
  /** The boot partition of a slot of a Raspberry Pi; null on boards with UEFI, whose kernel is one file. */
  boot: string | null
  /** A folder for what is in between. */
  work: string
  /** The file to make. */
  to: string
  epoch: number
}

const block = 4_096

/**
 * Makes the signed file that a running box installs into its other slot: the root and its verity tree, cut to what they use,
 * the kernel, and the script that puts the kernel into its place.
 */
export function makeBundle({
  architecture,
  version,
  keys,
  found,
  boot,
  work,
  to,
  epoch,
}: BundleOptions): void {
  const folder = join(work, 'bundle')
  mkdirSync(folder)
  const described = runInTools(['veritysetup', 'dump', found('.root-verity.raw')], { quiet: true })
  const blocks = Number(/^Data blocks:\s+(\d+)/m.exec(described)?.[1])
  if (!blocks) throw new Error(`The verity tree cannot be read:\n${described}`)
  const cut = (ending: string, name: string, length: number) => {
    execFileSync('cp', ['--sparse=always', found(ending), join(folder, name)])
    truncateSync(join(folder, name), length)
  }
  cut('.root.raw', 'root.img', blocks * block)
  cut('.root-verity.raw', 'verity.img', treeBlocks(blocks) * block)
  if (boot === null) cpSync(found('.efi'), join(folder, 'nightporter.efi'))
  else execFileSync('cp', ['--sparse=always', boot, join(folder, 'boot.img')])
  cpSync(join(source, `image/rauc/${boot === null ? 'hook' : 'hook-pi'}`), join(folder, 'hook'))
  chmodSync(join(folder, 'hook'), 0o755)
  const hooked = boot === null ? rootWithHook : `${root}${bootWithHook}`
  writeFileSync(join(folder, 'manifest.raucm'), `${manifestOf(architecture, version)}${hooked}`)
  rmSync(to, { force: true })
  const signing = [`--cert=${keys.certificate}`, `--key=${keys.key}`, `--keyring=${keys.root}`]
  runInTools(['rauc', 'bundle', ...signing, folder, to], { epoch, quiet: true })
  rmSync(folder, { recursive: true })
}

/** The blocks of a tree over so many blocks: its superblock, and levels of 128 digests a block up to a single one. */
export function treeBlocks(blocks: number): number {
  let all = 1
  for (let level = blocks; level > 1; ) {
    level = Math.ceil(level / 128)
    all += level
  }
  return all
}

function manifestOf(architecture: string, version: string): string {
  return `[update]
compatible=nightporter-${architecture}
version=${version}

[bundle]
format=verity

[hooks]
filename=hook

[image.verity]
filename=verity.img

`
}

const root = `[image.rootfs]
filename=root.img
`
const rootWithHook = `${root}hooks=post-install
`
const bootWithHook = `
[image.boot]
filename=boot.img
hooks=post-install
`
