import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

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

/**
 * Bundles the program into `folder`, which it empties first: `node nightporter.js serve` there is the same program, and
 * starts several times faster because it is a few files rather than hundreds. Packages with native code stay packages beside
 * it. The program says that it was built at `builtAt`.
 */
export async function bundle(folder: string, builtAt: Date): Promise<void> {
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
    external: native,
    plugins: [fewMediaTypes],
    // Packages in CommonJS ask for modules of Node by `require`, which ES modules do not have.
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module';const require=requireFrom(import.meta.url);`,
    },
    logLevel: 'warning',
  })

  copyFolder(`${root}src/store/migrations`, `${folder}/migrations`)
  copyFolder(`${root}src/openapi/docs`, `${folder}/docs`)
  copyFolder(`${root}src/handbook`, `${folder}/handbook`, /\.(md|css)$/)
  for (const name of [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'LICENSE',
    'NOTICE',
  ])
    copyFileSync(`${root}node_modules/swagger-ui-dist/${name}`, `${folder}/docs/${name}`)
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
