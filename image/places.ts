import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the source, without a slash at its end. */
export const source = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

/**
 * Where tools, packages and images are kept: outside the checkout, because they are large and builds share them.
 * `NIGHTPORTER_IMAGE_CACHE` names another folder.
 */
export const cache = process.env.NIGHTPORTER_IMAGE_CACHE ?? '/var/tmp/nightporter-image'

/** Where Debian's packages are. */
export const mirror = process.env.NIGHTPORTER_DEBIAN_MIRROR ?? 'http://deb.debian.org'

const tools = join(cache, 'tools')

/** Makes the Debian programs that build and test images, unless they are there. Throws when Debian cannot be reached. */
export function makeTools(): void {
  mkdirSync(cache, { recursive: true })
  execFileSync('sh', [join(source, 'image/tools.sh'), tools], { stdio: 'inherit' })
}

/**
 * Returns the folder with systemd's programs for UEFI of an architecture of Debian, which is downloaded once. Throws when Debian
 * cannot be reached.
 */
export function efiPrograms(architecture: string): string {
  const folder = join(cache, `efi-${architecture}`)
  if (!existsSync(folder)) {
    const from = ['debian trixie', 'debian-security trixie-security'].map(
      (each) => `deb ${mirror}/${each} main`,
    )
    const what = ['--variant=extract', `--architectures=${architecture}`, '--include=systemd-boot-efi']
    rmSync(`${folder}.new`, { recursive: true, force: true })
    execFileSync('mmdebstrap', ['--quiet', ...what, 'trixie', `${folder}.new`, ...from], { stdio: 'inherit' })
    renameSync(`${folder}.new`, folder)
  }
  return join(folder, 'usr/lib/systemd/boot/efi')
}

/** Lets this machine run programs for arm64. Throws without the right to do so. */
export function emulateArm64(): void {
  execFileSync('sh', [join(source, 'image/emulate-arm64.sh'), tools], { stdio: 'inherit' })
}

interface Within {
  /** The folder in which the command runs; default the cache. */
  in?: string
  /** When everything in the image was made, Unix seconds. */
  epoch?: number
  /** Returns what the command prints, instead of printing it. */
  quiet?: boolean
}

/** The command line that runs a command among the Debian programs. */
export function inTools(command: readonly string[]): string[] {
  return ['sh', join(source, 'image/in-tools.sh'), tools, source, cache, '--', ...command]
}

/** Runs a command among the Debian programs. Throws with what it printed when it fails. */
export function runInTools(
  command: readonly string[],
  { in: folder = cache, epoch, quiet = false }: Within = {},
): string {
  const [program = '', ...rest] = inTools(command)
  const env = { ...process.env, ...(epoch !== undefined && { SOURCE_DATE_EPOCH: String(epoch) }) }
  const stdio = quiet ? 'pipe' : 'inherit'
  const ran = spawnSync(program, rest, { cwd: folder, env, stdio, encoding: 'utf8', maxBuffer: 64 << 20 })
  if (ran.status !== 0)
    throw new Error(`${command.join(' ')} failed.\n${ran.stdout ?? ''}${ran.stderr ?? ''}`)
  return ran.stdout ?? ''
}
