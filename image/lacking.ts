import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mirror } from './places.ts'

/** What this machine lacks for building an image, in words; empty when it lacks nothing. */
export function lacking(): string[] {
  const succeeds = (program: string, ...line: string[]) => spawnSync(program, line).status === 0
  const programs = ['mmdebstrap', 'git', 'npm', 'curl'].filter((program) => !succeeds(program, '--version'))
  const isRoot = process.getuid?.() === 0
  const mounts = () => succeeds('unshare', '-m', 'mount', '-t', 'tmpfs', 'none', '/mnt')
  const release = `${mirror}/debian/dists/trixie/InRelease`
  const reaches = () => succeeds('curl', '-sfI', '-m', '60', '--retry', '3', release)
  return [
    ...(isRoot ? [] : ['root']),
    ...(isRoot && !mounts() ? ['the right to mount'] : []),
    ...programs,
    ...(existsSync('/dev/fuse') ? [] : ['/dev/fuse']),
    ...(programs.includes('curl') || reaches() ? [] : [`Debian's packages at ${mirror}`]),
  ]
}
