import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Architecture, type BuildOptions, buildImage } from '../../image/build.ts'
import { cache, source } from '../../image/places.ts'

/** For suites that need the image: leaves them out by name where this machine cannot build it. */
export const withImage = {
  skip: process.env.NIGHTPORTER_IMAGE_LACKS && `this machine lacks ${process.env.NIGHTPORTER_IMAGE_LACKS}`,
}

/** For suites that take hours. */
export const onlyAll = {
  skip: withImage.skip || (!process.env.NIGHTPORTER_IMAGE_ALL && 'npm run test:image -- --all'),
}

/** The folder of the image under test, which `run.ts` has built. */
function folder(): string {
  const given = process.env.NIGHTPORTER_IMAGE
  if (!given) throw new Error('Start these tests with: npm run test:image')
  return given
}

/** Its architecture, by the name of Debian. */
export const architecture = () => basename(folder()).split('-').at(-1) as Architecture

/** The image under test. */
export const imageFile = () => join(folder(), `${basename(folder())}.raw`)

/** Returns the bundle of another version, which is built unless it is there from the present commit. */
export async function bundleOf(version: string, spoil?: BuildOptions['spoil']): Promise<string> {
  const name = `nightporter-${version}-${architecture()}`
  const present = join(cache, 'images', name)
  const built = isOfPresent(join(present, `${name}.manifest.json`))
    ? present
    : await buildImage(architecture(), { version, incremental: true, ...(spoil && { spoil }) })
  return join(built, `${name}.raucb`)
}

function isOfPresent(manifest: string): boolean {
  if (!existsSync(manifest)) return false
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: source, encoding: 'utf8' }).trim()
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { commit: string }).commit === head
}
