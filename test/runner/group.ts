/**
 * Runs test files in one process: `node --test-reporter=test/runner/reporter.ts test/runner/group.ts FILE...`. Each file is a suite
 * of its own, so that its `before` and `after` are its own too. The name of each test goes to the file PROGRESS_FILE before it
 * begins, so that one that hangs is known.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { before, beforeEach, describe } from 'node:test'
import { pathToFileURL } from 'node:url'

const progress = openSync(process.env.PROGRESS_FILE!, 'a')
process.on('exit', () => closeSync(progress))
beforeEach((test) => {
  writeSync(progress, `${test.fullName}\n`)
})

// Whoever runs the tests has been killed: nobody waits for these, nor for what they have started.
const runner = process.env.RUNNER_PIPE
if (runner)
  new Socket({ fd: Number(runner) }).unref().on('close', () => process.kill(-process.pid, 'SIGKILL'))

// One file is loaded after the other, and no test runs before all are: node:test knows by the work in progress to which suite a test
// belongs, and two files that wait for the same module would be taken for each other.
const all = Promise.withResolvers<void>()
before(() => all.promise)
for (const file of process.argv.slice(2)) {
  const loaded = Promise.withResolvers<void>()
  describe(file, async () => {
    try {
      await import(pathToFileURL(file).href)
    } finally {
      loaded.resolve()
    }
  })
  await loaded.promise
}
all.resolve()
