/**
 * Builds images and tests them in virtual machines: `npm run test:image -- [--all] [--complete] [--architecture arm64|pi] [NAME...]`.
 * A name is the beginning of a file beside this one, such as `first-start`. Without `--architecture` the image is the one for
 * amd64, and with `--all` then those for arm64 and the Raspberry Pi (`pi`); `--all` includes what takes hours. Needs root, a Linux with mmdebstrap and the
 * registries of Debian and npm: where one of them is missing the tests are left out by name, which `--complete` counts as a
 * failure. KVM is not used. Machines are emulated, so the same machine takes a minute or five, depending on what else runs.
 */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { type Architecture, buildImage, isArchitecture } from '../../image/build.ts'
import { lacking } from '../../image/lacking.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    complete: { type: 'boolean', default: false },
    architecture: { type: 'string' },
  },
})

const files = globSync('*.vm.ts', { cwd: import.meta.dirname })
  .sort()
  .filter((file) => positionals.length === 0 || positionals.some((name) => basename(file).startsWith(name)))
  .map((file) => `${import.meta.dirname}/${file}`)
if (files.length === 0) throw new Error(`There is no test of images named ${positionals.join(' or ')}.`)

/** A Raspberry Pi of QEMU has neither a network nor USB, so it has tests of its own. */
const isFor = (architecture: Architecture) => (file: string) =>
  basename(file).startsWith('pi.') === (architecture === 'pi')

/** The architectures to test, of which each has one of the tests. */
function architectures(): Architecture[] {
  const { architecture, all } = values
  if (architecture !== undefined && !isArchitecture(architecture))
    throw new Error(`There is no image for ${architecture}.`)
  const wanted: Architecture[] = architecture ? [architecture] : all ? ['amd64', 'arm64', 'pi'] : ['amd64']
  const tested = wanted.filter((each) => files.some(isFor(each)))
  if (tested.length === 0) throw new Error(`None of these tests is for ${wanted.join(', ')}.`)
  return tested
}

/** Tests one image, and returns whether they have succeeded. */
function run(files: readonly string[], image: Record<string, string>): boolean {
  const options = ['--test', '--test-concurrency=1', '--test-reporter=spec']
  const environment = { ...process.env, ...image, ...(values.all && { NIGHTPORTER_IMAGE_ALL: '1' }) }
  const { status } = spawnSync(process.execPath, [...options, ...files], {
    stdio: 'inherit',
    env: environment,
  })
  return status === 0
}

const missing = lacking().join(', ')
let isGood = true
if (missing !== '') {
  isGood = run(files, { NIGHTPORTER_IMAGE_LACKS: missing }) && !values.complete
  console.log(`The tests of images were left out: this machine lacks ${missing}.`)
} else
  for (const architecture of architectures()) {
    const began = Date.now()
    const folder = await buildImage(architecture, { incremental: true })
    const minutes = () => ((Date.now() - began) / 60_000).toFixed(1)
    console.log(`The image for ${architecture} was built in ${minutes()} minutes.`)
    if (!run(files.filter(isFor(architecture)), { NIGHTPORTER_IMAGE: folder })) isGood = false
    console.log(`The image for ${architecture} was built and tested in ${minutes()} minutes.`)
  }
process.exitCode = isGood ? 0 : 1
