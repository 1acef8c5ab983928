import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build, type Plugin } from 'esbuild'
import { pageSets } from '../src/console/ui-files.ts'
import { compiledBeforehand } from './compile-schemas.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const native = ['better-sqlite3', 'serialport', 'node-hid']

/** Koa knows thousands of media types by their endings, half of the bundle; what a box of pages and JSON sends is kept. */
const fewMediaTypes: Plugin = {
  name: 'few-media-types',
  setup({ onLoad }) {
    onLoad({ filter: /mime-db\/db\.json$/ }, ({ path }) => {
      const all = JSON.parse(readFileSync(path, 'utf8')) as Record<string, { extensions?: string[] }>
      const sent = /^(text|image|font)\/|^application\/(.*json|javascript|xml|pdf|wasm|octet-stream)$/
      const kept = Object.entries(all).filter(([type, { extensions }]) => extensions && sent.test(type))
      return { contents: JSON.stringify(Object.fromEntries(kept)), loader: 'json' }
    })
  },
}

/** A build with another number, which tests of updates install over the present one. */
const versionIs = (version: string): Plugin => ({
  name: 'version',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/version\.ts$/ }, () => ({
      contents: `export const version = ${JSON.stringify(version)}`,
    }))
  },
})

/**
 * Bundles the program into `folder`, which it empties first: `node nightporter.js serve` there is the same program, and
 * starts several times faster because it is a few files rather than hundreds. Packages with native code stay packages beside
 * it. The program says that it was built at `builtAt`, and where `version` is given, that it is this version.
 */
export async function bundle(folder: string, builtAt: Date, version?: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  await build({
    absWorkingDir: root,
    // The process of a HID device is started by the name of its file.
    entryPoints: { nightporter: 'src/nightporter.js', 'hid-process': 'src/devices/hid/hid-process.ts' },
    outdir: folder,
    bundle: true,
    // Main thread, writer and what is loaded later are files of their own, so that a start reads no more than it runs.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    minify: true,
    keepNames: true,
    define: { BUILT_AT: JSON.stringify(builtAt.toISOString()) },
    legalComments: 'linked',
    // ssh2 works without its native parts, which are compiled nowhere.
    external: [...native, 'cpu-features', './crypto/build/Release/sshcrypto.node'],
    plugins: [fewMediaTypes, compiledBeforehand, ...(version ? [versionIs(version)] : [])],
    // Packages in CommonJS use `require` and `__dirname`, which ES modules do not have.
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module';const require=requireFrom(import.meta.url);const __dirname=import.meta.dirname;`,
    },
    logLevel: 'warning',
  })

  copyFolder(`${root}src/store/migrations`, `${folder}/migrations`)
  copyFolder(`${root}src/jsonapi/locales`, `${folder}/locales`, /\.json$/)
  copyFolder(`${root}src/openapi/docs`, `${folder}/docs`)
  copyFolder(`${root}src/handbook`, `${folder}/handbook`, /\.(md|css|js)$/)
  copyFileSync(`${root}CHANGELOG.md`, `${folder}/CHANGELOG.md`)
  copyFolder(`${root}src/handbook/pictures`, `${folder}/handbook/pictures`)
  for (const name of [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'LICENSE',
    'NOTICE',
  ])
    copyFileSync(`${root}node_modules/swagger-ui-dist/${name}`, `${folder}/docs/${name}`)
  await bundlePages(`${folder}/ui`)
}

/**
 * Bundles the pages for browsers. The names of files contain digests of their content, `manifest.json` names those of each page
 * set, and each file is there compressed as well, so that the box compresses nothing while it works.
 */
async function bundlePages(folder: string): Promise<void> {
  const pages = `${root}src/console/pages`
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: pageSets.flatMap((name) => [
      { in: `${pages}/${name}/main.ts`, out: name },
      { in: `${pages}/style/${name}.css`, out: `${name}-style` },
    ]),
    outdir: folder,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['chrome120', 'safari17.4', 'firefox125'],
    minify: true,
    metafile: true,
    legalComments: 'linked',
    logLevel: 'warning',
  })
  const outputs = Object.entries(metafile.outputs)
  const builtFrom = (source: string) => {
    const found = outputs.find(([, { entryPoint }]) => entryPoint?.endsWith(`src/console/pages/${source}`))
    return basename(found![0])
  }
  const importedBy = (name: string): string[] => {
    const { imports = [] } =
      metafile.outputs[Object.keys(metafile.outputs).find((each) => basename(each) === name)!] ?? {}
    const own = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path))
    return [...new Set(own.flatMap((each) => [each, ...importedBy(each)]))]
  }
  const manifest = pageSets.map((name) => {
    const script = builtFrom(`${name}/main.ts`)
    return [name, { script, parts: importedBy(script), style: builtFrom(`style/${name}.css`) }]
  })
  writeFileSync(`${folder}/manifest.json`, JSON.stringify(Object.fromEntries(manifest)))
  copyFileSync(`${pages}/boot.js`, `${folder}/boot.js`)
  for (const name of readdirSync(folder).filter((each) => /\.(js|css|svg)$/.test(each))) {
    const content = readFileSync(`${folder}/${name}`)
    writeFileSync(`${folder}/${name}.gz`, gzipSync(content, { level: 9 }))
    writeFileSync(`${folder}/${name}.br`, brotliCompressSync(content))
  }
}

function copyFolder(from: string, to: string, wanted = /./): void {
  mkdirSync(to)
  for (const name of readdirSync(from).filter((each) => wanted.test(each)))
    copyFileSync(`${from}/${name}`, `${to}/${name}`)
}

if (import.meta.main) {
  // A build that is to be the same each time says when it was made.
  const seconds = process.env.SOURCE_DATE_EPOCH
  await bundle(`${root}dist`, seconds ? new Date(Number(seconds) * 1_000) : new Date())
}
