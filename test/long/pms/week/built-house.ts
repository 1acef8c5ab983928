import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** Bundles `house-process.ts` into a new folder below `folder`, as the program is bundled: it is started again and again. */
export async function builtHouse(folder: string): Promise<URL> {
  const outdir = join(folder, 'built')
  mkdirSync(outdir)
  await build({
    absWorkingDir: root,
    entryPoints: { house: 'test/long/pms/week/house-process.ts', nightporter: 'src/nightporter.js' },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    // ssh2 works without its native parts, which are compiled nowhere.
    external: [
      'better-sqlite3',
      'serialport',
      'node-hid',
      'cpu-features',
      './crypto/build/Release/sshcrypto.node',
    ],
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module';const require=requireFrom(import.meta.url);`,
    },
    logLevel: 'warning',
  })
  cpSync(join(root, 'src/store/migrations'), join(outdir, 'migrations'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(outdir, 'node_modules'))
  return pathToFileURL(join(outdir, 'house.js'))
}
