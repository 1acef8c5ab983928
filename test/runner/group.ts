/**
 * Runs test files in one process: `node --test-reporter=test/runner/reporter.ts test/runner/group.ts FILE...`. Each file is a suite
 * of its own, so that its `before` and `after` are its own too. The name of each test goes to the file PROGRESS_FILE before it
 * begins, so that one that hangs is known.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { awaitsWhileLoading } from './tiers.ts'

const files = process.argv.slice(2)
const isDeclaredLater = files.some(awaitsWhileLoading)
if (!isDeclaredLater) untrackPromises()
const { before, beforeEach, describe } = await import('node:test')

const progress = openSync(process.env.PROGRESS_FILE!, 'a')
process.on('exit', () => closeSync(progress))
beforeEach((test) => {
  writeSync(progress, `${test.fullName}\n`)
})

// Whoever runs the tests has been killed: nobody waits for these, nor for what they have started.
const runner = process.env.RUNNER_PIPE
if (runner)
  new Socket({ fd: Number(runner) }).unref().on('close', () => process.kill(-process.pid, 'SIGKILL'))

if (isDeclaredLater) {
  // It has this process alone.
  const [file] = files
  const loaded = Promise.withResolvers<void>()
  before(() => loaded.promise)
  describe(file!, () => import(pathToFileURL(file!).href).then(() => {}).finally(loaded.resolve))
} else {
  const load = createRequire(import.meta.url)
  for (const file of files) describe(file, () => load(resolve(file)))
}

/**
 * Keeps node:test from following every promise to the test that made it, which takes a tenth of the processor time of the tests. It does that to
 * know the suite of a test that is declared after an `await`, and the test of an error that was not caught: the exit code of the
 * process names that one.
 */
function untrackPromises(): void {
  const hooks = process.getBuiltinModule('async_hooks')
  const { createHook } = hooks
  // The first hook is that of node:test.
  hooks.createHook = (callbacks) => {
    hooks.createHook = createHook
    return createHook({ ...callbacks, trackPromises: false })
  }
}
