#!/usr/bin/env node
// JavaScript, not TypeScript: any version of Node can say that it is too old. And Node would load its TypeScript compiler
// for this file, because the cache is not yet open: 20 ms and 12 MB in each thread.
import module from 'node:module'
import { isMainThread, workerData } from 'node:worker_threads'

const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 26) {
  console.error(
    `nightporter needs Node 26, and this is ${process.version}. Start it with "npm start", which uses the right version.`,
  )
  process.exit(1)
}
module.enableCompileCache()
// An import of node:http reads all its exports, and these three load an HTTP client that nobody uses: 20 ms and 16 MB.
const http = process.getBuiltinModule('node:http')
for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) delete http[name]
// The source has 5,000 imports of its own files. Node would look for the file of each on the disk, 60 ms in all.
module.registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('.') || !specifier.endsWith('.ts')) return next(specifier, context)
    return {
      url: new URL(specifier, context.parentURL).href,
      format: 'module-typescript',
      shortCircuit: true,
    }
  },
})
if (isMainThread) {
  const { run } = await import('./cli/run.ts')
  await run(process.argv.slice(2), new URL(import.meta.url))
  module.flushCompileCache()
} else if (workerData.runs === 'checkpoints') {
  const { runCopier } = await import('./store/disk/checkpoint-thread.ts')
  const { systemClock } = await import('./host/clock.ts')
  runCopier(systemClock)
} else if (workerData.runs === 'scans') {
  const { runScans } = await import('./store/scan/scan-thread.ts')
  runScans()
} else if (workerData.runs === 'integrity') {
  const { runIntegrityCheck } = await import('./store/disk/integrity-thread.ts')
  runIntegrityCheck()
} else if (workerData.runs === 'backup') {
  const { runBackup } = await import('./backup/backup-thread.ts')
  await runBackup()
} else if (workerData.runs === 'delivery') {
  const { runDelivery } = await import('./backup/targets/delivery-thread.ts')
  await runDelivery()
} else if (workerData.runs === 'segment') {
  const { runSegment } = await import('./backup/keys/segment-thread.ts')
  await runSegment()
} else if (workerData.runs === 'restore') {
  const { runOpening } = await import('./backup/restore/restore-thread.ts')
  await runOpening()
} else await import('./writer.ts')
