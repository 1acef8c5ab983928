import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { Problem } from '../resource/problem.ts'

const manifest = 'manifest.json'
const sources = new URL('./pages/', import.meta.url)

/** The files of a set of pages, as paths below `/ui/`. */
export interface PageFiles {
  script: string
  /** The modules that the script imports at once. A browser loads them in parallel with the script. */
  parts: readonly string[]
  style: string
}

/** The page sets, each with its own address. */
export const pageSets = ['desk', 'kiosk', 'setup'] as const
export type PageSet = (typeof pageSets)[number]

/**
 * Returns the folder of the built pages, which lies beside the program `entry`; null where the program runs from its source, and
 * each module of the pages is served from its own.
 */
export function builtBeside(entry: URL): URL | null {
  const folder = new URL('./ui/', entry)
  return existsSync(new URL(manifest, folder)) ? folder : null
}

/**
 * The packages that the pages load from source, by their import names. Signals and hooks must use the same copy of
 * Preact, so each package has exactly one address.
 */
const packages: Record<string, string> = {
  preact: 'preact/dist/preact.mjs',
  'preact/hooks': 'preact/hooks/dist/hooks.mjs',
  '@preact/signals-core': '@preact/signals-core/dist/signals-core.mjs',
  '@preact/signals': '@preact/signals/dist/signals.mjs',
  uqr: 'uqr/dist/index.mjs',
}

/** The modules of the server that the pages use too, as paths below `src/`. They import nothing. */
export const shared = [
  'resource/charged-nights.ts',
  'resource/values/country.ts',
  'resource/values/currency.ts',
  'resource/values/kiosk-step.ts',
  'resource/values/person-name.ts',
]

const nameInUi = (name: string) => `packages/${name.replace(/\W+/g, '-').replace(/^-/, '')}.js`

/**
 * The import map of a page from source: the package names in imports, and their addresses. The path from a page to a shared
 * module ends at the root of the addresses, where none are.
 */
export function importMap(): string {
  const imports = [
    ...Object.keys(packages).map((name) => [name, `/ui/${nameInUi(name)}`]),
    ...shared.map((path) => [`/${path}`, `/ui/${path}`]),
  ]
  return JSON.stringify({ imports: Object.fromEntries(imports) })
}

/**
 * Returns the scripts and the style sheet of a page set. From source no modules are preloaded, because there are
 * hundreds. The names of built files contain digests of their content.
 */
export function filesOf(pages: PageSet, built: URL | null): PageFiles {
  if (!built) return { script: `${pages}/main.ts`, parts: [], style: `style/${pages}.css` }
  const files = JSON.parse(readFileSync(new URL(manifest, built), 'utf8')) as Record<PageSet, PageFiles>
  return files[pages]
}

interface UiFile {
  body: Buffer
  type: string
  /** How the body is compressed; null when it is not. */
  encoding: 'br' | 'gzip' | null
  /** The name contains the digest of the content, so a browser can cache the file for ever. */
  isImmutable: boolean
}

/** Browsers use the media type, not the file extension, so a TypeScript source is sent as JavaScript. */
const types: Record<string, string> = {
  ts: 'text/javascript; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  mp3: 'audio/mpeg',
}

/**
 * Returns a file of the pages by its path below `/ui/`, in an encoding that `accepts` (an Accept-Encoding header)
 * names, from the first of `folders` that has it: of this build, then of the one before; without folders from its source.
 * Throws not-found for any other path.
 */
export async function uiFile(path: string, accepts: string, folders: readonly URL[]): Promise<UiFile> {
  const type = types[path.slice(path.lastIndexOf('.') + 1)]
  if (type === undefined || !/^(?:[a-z0-9][\w-]*\/)*[a-z0-9][\w.-]*$/i.test(path)) throw missing()
  for (const folder of folders.length > 0 ? folders : [null])
    try {
      return folder ? await builtFile(path, type, accepts, folder) : await sourceFile(path, type)
    } catch (error) {
      if (!absent.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  throw missing()
}

/** The error codes for a file that does not exist. */
const absent = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'])

function missing(): Problem {
  return new Problem('not-found', 'There is no file with this name. Reload the page.')
}

/** The build stores each file in three encodings, so that the server compresses nothing while a guest waits. */
async function builtFile(path: string, type: string, accepts: string, folder: URL): Promise<UiFile> {
  const isImmutable = /-[A-Z0-9]{8}\.\w+$/.test(path)
  const encodings = [
    ['br', '.br'],
    ['gzip', '.gz'],
  ] as const
  for (const [encoding, ending] of encodings) {
    const url = new URL(path + ending, folder)
    if (!new RegExp(`\\b${encoding}\\b`).test(accepts) || !existsSync(url)) continue
    return { body: await readFile(url), type, encoding, isImmutable }
  }
  return { body: await readFile(new URL(path, folder)), type, encoding: null, isImmutable }
}

async function sourceFile(path: string, type: string): Promise<UiFile> {
  const name = Object.keys(packages).find((each) => nameInUi(each) === path)
  const folder = shared.includes(path) ? new URL('../', import.meta.url) : sources
  const place = name === undefined ? new URL(path, folder) : placeOf(packages[name]!)
  const body = await readFile(place)
  const isTyped = path.endsWith('.ts')
  return { body: isTyped ? withoutTypes(body) : body, type, encoding: null, isImmutable: false }
}

/** The packages do not export these files, so their paths are derived from an exported name. */
function placeOf(file: string): URL {
  const parts = file.split('/')
  const name = parts.slice(0, file.startsWith('@') ? 2 : 1).join('/')
  const entry = import.meta.resolve(name)
  return new URL(
    parts.slice(name.split('/').length).join('/'),
    entry.slice(0, entry.lastIndexOf('/dist/') + 1),
  )
}

/**
 * Replaces types by spaces, so that lines and columns stay the same and no source map is needed. Node warns that this
 * function may change.
 */
function withoutTypes(source: Buffer): Buffer {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return Buffer.from(stripTypeScriptTypes(source.toString()))
  } finally {
    process.emitWarning = emitWarning
  }
}
